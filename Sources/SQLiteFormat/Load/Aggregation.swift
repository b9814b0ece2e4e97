/// The statistics from one pass over an index's entries; see `AggregateDescription`.
package struct AggregateResults: Sendable {
  package fileprivate(set) var pairs = AggregateRows(columns: 12)
  package fileprivate(set) var first = AggregateRows(columns: 13)
  package fileprivate(set) var second = AggregateRows(columns: 13)
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
  struct User {
    let number: Int64
    /// The numbers of the last pair and the last value of the first column that it has used.
    var pair: UInt32 = 0
    var first: UInt32 = 0
    /// The last pair that any of its versions has used, if it has several.
    var pairOfVersions: UInt32 = 0
    var groups: Int64 = 0
    var sum = Total()
    var extras = Total()
  }

  let uses: OwnerUses
  var users: [User]
  private var results = AggregateResults()
  /// The key of the last entry up to the end of its pair, and the end of its first column.
  private var last = ByteBuffer(count: 0)
  private var lastPairEnd = 0
  private var lastFirstEnd = 0
  var pair = Group()
  var pairNumber: UInt32 = 0
  var first = Group()
  private var firstText = ByteBuffer(count: 0)
  private var firstCount = 0
  var firstNumber: UInt32 = 0
  /// The values of the second grouping column, with their positions in the arrays below.
  private var secondPlaces: [Int64: Int] = [:]
  var seconds: [Group] = []
  /// For each value of the second column, a bit for each user seen.
  private var seen: [UInt64] = []
  private let seenWords: Int
  private var secondValue: Int64 = 0
  var second = 0
  var versions: Versions

  package init(_ uses: OwnerUses) {
    self.uses = uses
    users = uses.users.map { User(number: $0.number) }
    seenWords = (uses.users.count + 63) / 64
    versions = Versions(end: uses.versionsEnd)
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
    if use.version != 0 {
      addVersion(use, isExtra: isExtra, quantity)
      guard use.version > 0 else { return }
    }
    guard !isExtra else {
      pair.current.extras.add(quantity, times: use.times)
      users[use.user].extras.add(quantity, times: use.times)
      return
    }
    pair.current.sum.add(quantity, times: use.times)
    users[use.user].sum.add(quantity, times: use.times)
    guard users[use.user].pair != pairNumber else { return }
    users[use.user].pair = pairNumber
    users[use.user].groups &+= 1
    let number = users[use.user].number
    pair.current.addUser(number)
    if users[use.user].first != firstNumber {
      users[use.user].first = firstNumber
      first.current.addUser(number)
    }
    let (word, bit) = seenBit(of: use.user, in: second)
    if seen[word] & bit == 0 {
      seen[word] |= bit
      seconds[second].current.addUser(number)
    }
  }

  @inline(__always)
  private func seenBit(of user: Int, in second: Int) -> (word: Int, bit: UInt64) {
    (second &* seenWords &+ user / 64, UInt64(1) << UInt64(user % 64))
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
    settleVersions()
    results.pairs.append(textOf: firstText, count: firstCount)
    results.pairs.append(secondValue)
    results.pairs.append(pair)
    first.add(pair)
    seconds[second].add(pair)
    pair = Group()
  }

  private mutating func endFirst() {
    defer { first = Group() }
    guard first.isUsed else { return }
    for user in first.olderUsers where users[user].first != firstNumber {
      first.older.addUser(users[user].number)
    }
    results.first.append(textOf: firstText, count: firstCount)
    results.first.append(first, withGroups: true)
  }

  package consuming func finish() -> AggregateResults {
    endPair()
    endFirst()
    for (value, place) in secondPlaces.sorted(by: { $0.key < $1.key }) where seconds[place].isUsed {
      for user in seconds[place].olderUsers {
        let (word, bit) = seenBit(of: user, in: place)
        if seen[word] & bit == 0 { seconds[place].older.addUser(users[user].number) }
      }
      results.second.append(value)
      results.second.append(seconds[place], withGroups: true)
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
