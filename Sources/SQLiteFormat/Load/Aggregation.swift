/// The statistics from one pass over an index's entries; see `AggregateDescription`.
package struct AggregateResults: Sendable {
  package fileprivate(set) var pairs = AggregateRows(columns: 7)
  package fileprivate(set) var first = AggregateRows(columns: 7)
  package fileprivate(set) var second = AggregateRows(columns: 7)
  package fileprivate(set) var users = AggregateRows(columns: 4)

  /// The rows of all tables, in the order of `AggregateDescription.allTables`.
  package var all: [AggregateRows] { [pairs, first, second, users] }
}

/// Aggregates the entries of an index while they are merged: entries are sorted by group, so only
/// one group of each kind is open at a time.
///
/// Memory holds the results, a few words for each user, and a bit for each user and each value of
/// the second grouping column.
package struct Aggregation: ~Copyable {
  fileprivate struct Group {
    var users: Int64 = 0
    var least = Int64.max
    var greatest = Int64.min
    var sum = Total()
    var extras = Total()
    /// The number of its pairs that have users.
    var groups: Int64 = 0
    /// Whether it has any use, including as an extra.
    var isUsed = false

    mutating func addUser(_ number: Int64) {
      users &+= 1
      least = min(least, number)
      greatest = max(greatest, number)
    }

    /// Adds the sums of a group within this one; its users were added one by one.
    mutating func add(_ group: Group) {
      sum.add(group.sum)
      extras.add(group.extras)
      isUsed = isUsed || group.isUsed
    }
  }

  /// A sum that detects overflow.
  fileprivate struct Total {
    private var value: Int64 = 0
    private var isExact = true

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

    var exact: Int64? { isExact ? value : nil }
  }

  private struct User {
    let number: Int64
    /// The numbers of the last pair and the last value of the first column that it has used.
    var pair: UInt32 = 0
    var first: UInt32 = 0
    var groups: Int64 = 0
    var sum = Total()
    var extras = Total()
  }

  private let uses: OwnerUses
  private var users: [User]
  private var results = AggregateResults()
  /// The key of the last entry up to the end of its pair, and the end of its first column.
  private var last = ByteBuffer(count: 0)
  private var lastPairEnd = 0
  private var lastFirstEnd = 0
  private var pair = Group()
  private var pairNumber: UInt32 = 0
  private var first = Group()
  private var firstText = ByteBuffer(count: 0)
  private var firstCount = 0
  private var firstNumber: UInt32 = 0
  /// The values of the second grouping column, with their positions in the arrays below.
  private var secondPlaces: [Int64: Int] = [:]
  private var seconds: [Group] = []
  /// For each value of the second column, a bit for each user seen.
  private var seen: [UInt64] = []
  private let seenWords: Int
  private var secondValue: Int64 = 0
  private var second = 0

  package init(_ uses: OwnerUses) {
    self.uses = uses
    users = uses.users.map { User(number: $0.number) }
    seenWords = (uses.users.count + 63) / 64
  }

  /// False if a key is invalid.
  package mutating func add(_ block: borrowing KeyBlock) -> Bool {
    var place = 0
    while let key = block.next(&place) {
      guard add(key, of: block.bytes) else { return false }
    }
    return true
  }

  @inline(__always)
  private mutating func add(_ key: Range<Int>, of source: borrowing ByteBuffer) -> Bool {
    var place = key.lowerBound
    // The terminator of the columns is part of the key, so no group is a prefix of another.
    if lastPairEnd > 0, isLast(lastPairEnd, key, of: source) {
      place &+= lastPairEnd
    } else {
      guard beginPair(&place, key, of: source) else { return false }
    }
    guard let owner = integer(at: &place, key, of: source),
      let isExtra = integer(at: &place, key, of: source),
      let quantity = integer(at: &place, key, of: source), place == key.upperBound
    else { return false }
    for use in uses.places(of: owner) { add(uses[use], isExtra: isExtra != 0, quantity) }
    return true
  }

  @inline(__always)
  private func integer(
    at place: inout Int, _ key: Range<Int>, of source: borrowing ByteBuffer
  ) -> Int64? {
    place < key.upperBound ? EntryKey.integer(in: source, at: &place) : nil
  }

  @inline(__always)
  private func isLast(_ count: Int, _ key: Range<Int>, of source: borrowing ByteBuffer) -> Bool {
    key.count >= count
      && source.areEqual(key.lowerBound..<key.lowerBound &+ count, to: 0..<count, of: last)
  }

  @inline(__always)
  private mutating func add(_ use: OwnerUses.Use, isExtra: Bool, _ quantity: Int64) {
    pair.isUsed = true
    guard !isExtra else {
      pair.extras.add(quantity, times: use.times)
      users[use.user].extras.add(quantity, times: use.times)
      return
    }
    pair.sum.add(quantity, times: use.times)
    users[use.user].sum.add(quantity, times: use.times)
    guard users[use.user].pair != pairNumber else { return }
    users[use.user].pair = pairNumber
    users[use.user].groups &+= 1
    let number = users[use.user].number
    pair.addUser(number)
    if users[use.user].first != firstNumber {
      users[use.user].first = firstNumber
      first.addUser(number)
    }
    let (word, bit) = (second &* seenWords &+ use.user / 64, UInt64(1) << UInt64(use.user % 64))
    if seen[word] & bit == 0 {
      seen[word] |= bit
      seconds[second].addUser(number)
    }
  }
}

extension Aggregation {
  /// Ends the pair of the last entry and begins the pair of a key, advancing `place`.
  private mutating func beginPair(
    _ place: inout Int, _ key: Range<Int>, of source: borrowing ByteBuffer
  ) -> Bool {
    // A NUL ends a text only if no escape follows.
    let isSameFirst =
      lastFirstEnd > 0 && isLast(lastFirstEnd, key, of: source) && key.count > lastFirstEnd
      && source[key.lowerBound + lastFirstEnd] != EntryKey.escape
    endPair()
    if isSameFirst {
      place &+= lastFirstEnd
    } else {
      endFirst()
      firstNumber &+= 1
      firstText.grow(to: key.count + EntryKey.slack)
      guard
        let count = EntryKey.copyText(
          at: &place, end: key.upperBound, of: source, to: 0, in: &firstText)
      else { return false }
      firstCount = count
      lastFirstEnd = place - key.lowerBound
    }
    guard let value = integer(at: &place, key, of: source), place <= key.upperBound else {
      return false
    }
    pairNumber &+= 1
    secondValue = value
    second = secondPlaces[value] ?? addSecond(value)
    lastPairEnd = place - key.lowerBound
    last.grow(to: lastPairEnd)
    last.copy(key.lowerBound..<place, of: source, to: 0)
    return true
  }

  private mutating func addSecond(_ value: Int64) -> Int {
    secondPlaces[value] = seconds.count
    seconds.append(Group())
    seen += [UInt64](repeating: 0, count: seenWords)
    return seconds.count - 1
  }

  private mutating func endPair() {
    guard pair.isUsed else { return pair = Group() }
    results.pairs.append(textOf: firstText, count: firstCount)
    results.pairs.append(secondValue)
    results.pairs.append(pair)
    if pair.users > 0 {
      first.groups += 1
      seconds[second].groups += 1
    }
    first.add(pair)
    seconds[second].add(pair)
    pair = Group()
  }

  private mutating func endFirst() {
    defer { first = Group() }
    guard first.isUsed else { return }
    results.first.append(textOf: firstText, count: firstCount)
    results.first.append(first.groups)
    results.first.append(first)
  }

  package consuming func finish() -> AggregateResults {
    endPair()
    endFirst()
    for (value, place) in secondPlaces.sorted(by: { $0.key < $1.key }) where seconds[place].isUsed {
      results.second.append(value)
      results.second.append(seconds[place].groups)
      results.second.append(seconds[place])
    }
    for number in uses.order {
      let user = users[number]
      results.users.append(textOf: uses.users[number].name.utf8Span.span)
      results.users.append(user.groups)
      results.users.append(user.sum.exact)
      results.users.append(user.extras.exact)
    }
    return results
  }
}

extension AggregateRows {
  fileprivate mutating func append(_ group: Aggregation.Group) {
    append(group.users)
    append(group.users > 0 ? group.least : nil)
    append(group.users > 0 ? group.greatest : nil)
    append(group.sum.exact)
    append(group.extras.exact)
  }
}
