extension Aggregation {
  /// The measures of a group of rows.
  struct Measures {
    var users: Int64 = 0
    var least = Int64.max
    var greatest = Int64.min
    var sum = Total()
    var extras = Total()
    /// The number of its pairs that have users.
    var groups: Int64 = 0

    @inline(__always)
    mutating func addUser(_ number: Int64) {
      users &+= 1
      least = min(least, number)
      greatest = max(greatest, number)
    }

    mutating func addSums(of other: Measures) {
      sum.add(other.sum)
      extras.add(other.extras)
    }
  }

  struct Group {
    var current = Measures()
    /// What is to be added to the current measures for those of all versions.
    var older = Measures()
    /// The users that use one of its pairs only in older versions.
    var olderUsers: Set<Int> = []
    /// Whether it has any use, including as an extra.
    var isUsed = false

    var ever: Measures {
      var ever = current
      ever.users += older.users
      ever.least = min(ever.least, older.least)
      ever.greatest = max(ever.greatest, older.greatest)
      ever.groups += older.groups
      ever.addSums(of: older)
      return ever
    }

    /// Adds a pair within this group, except for its users, which are added one by one.
    mutating func add(_ pair: Group) {
      current.addSums(of: pair.current)
      older.addSums(of: pair.older)
      if pair.current.users > 0 {
        current.groups += 1
      } else if pair.older.users > 0 {
        older.groups += 1
      }
      isUsed = isUsed || pair.isUsed
    }
  }

  /// A sum that detects overflow.
  struct Total {
    private var value: Int64 = 0
    private var isExact = true

    @inline(__always)
    mutating func add(_ quantity: Int64, times: Int64) {
      guard times != OwnerUses.Use.unknown else { return isExact = false }
      let (product, isTooLarge) = quantity.multipliedReportingOverflow(by: times)
      let (sum, isSumTooLarge) = value.addingReportingOverflow(product)
      value = sum
      isExact = isExact && !isTooLarge && !isSumTooLarge
    }

    mutating func add(_ other: Total) {
      add(other.value, times: other.isExact ? 1 : OwnerUses.Use.unknown)
    }

    mutating func add(_ larger: Total, minus smaller: Total) {
      let difference = larger.value &- smaller.value
      add(difference, times: larger.isExact && smaller.isExact ? 1 : OwnerUses.Use.unknown)
    }

    mutating func raise(to other: Total) {
      value = max(value, other.value)
      isExact = isExact && other.isExact
    }

    var exact: Int64? { isExact ? value : nil }
  }
}

/// Versions of users: a user has its largest quantity of each pair in any version.
extension Aggregation {
  /// The use of the current pair by a version.
  struct VersionUse {
    var pair: UInt32
    var isUser = false
    var sum = Total()
    var extras = Total()
  }

  struct Versions {
    /// The last use by each version.
    var uses: [VersionUse]
    /// The users with several versions of which any uses the current pair.
    var users: [Int] = []

    init(end: Int) { uses = [VersionUse](repeating: VersionUse(pair: 0), count: end) }
  }

  @inline(never)
  mutating func addVersion(_ use: OwnerUses.Use, isExtra: Bool, _ quantity: Int64) {
    let version = Int(use.version.magnitude)
    if users[use.user].pairOfVersions != pairNumber {
      users[use.user].pairOfVersions = pairNumber
      versions.users.append(use.user)
    }
    if versions.uses[version].pair != pairNumber {
      versions.uses[version] = VersionUse(pair: pairNumber)
    }
    if isExtra {
      versions.uses[version].extras.add(quantity, times: use.times)
    } else {
      versions.uses[version].isUser = true
      versions.uses[version].sum.add(quantity, times: use.times)
    }
  }

  @inline(__always)
  private func versionUse(_ number: Int) -> VersionUse {
    let use = versions.uses[number]
    return use.pair == pairNumber ? use : VersionUse(pair: pairNumber)
  }

  /// Adds what older versions have beyond the current ones to the current pair.
  mutating func settleVersions() {
    for user in versions.users {
      let numbers = uses.users[user].versions
      let current = versionUse(numbers.lowerBound)
      var largest = current
      for number in numbers.dropFirst() {
        let use = versionUse(number)
        largest.isUser = largest.isUser || use.isUser
        largest.sum.raise(to: use.sum)
        largest.extras.raise(to: use.extras)
      }
      pair.older.sum.add(largest.sum, minus: current.sum)
      pair.older.extras.add(largest.extras, minus: current.extras)
      guard largest.isUser, !current.isUser else { continue }
      pair.older.addUser(users[user].number)
      first.olderUsers.insert(user)
      seconds[second].olderUsers.insert(user)
    }
    versions.users.removeAll(keepingCapacity: true)
  }
}

extension AggregateRows {
  mutating func append(_ group: Aggregation.Group, withGroups: Bool = false) {
    append(group.current, withGroups: withGroups)
    append(group.ever, withGroups: withGroups)
  }

  private mutating func append(_ measures: Aggregation.Measures, withGroups: Bool) {
    if withGroups { append(measures.groups) }
    append(measures.users)
    append(measures.users > 0 ? measures.least : nil)
    append(measures.users > 0 ? measures.greatest : nil)
    append(measures.sum.exact)
    append(measures.extras.exact)
  }
}
