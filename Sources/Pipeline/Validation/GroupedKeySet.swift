/// A set of 64-bit keys that come in groups: keys with the same high bits are adjacent.
///
/// The table of the current group stays in the first-level cache. Keys of earlier groups are only stored, at 4 bytes
/// each if their other bits are 32 at most, 8 bytes for a group, and one bit for every possible group. If a group recurs,
/// all keys move to an `IntegerKeySet`.
struct GroupedKeySet {
  private let memberBits: UInt64
  private var seenGroups: [UInt64] = []
  private var group = UInt64.max
  /// The keys of the current group; leftover keys of other groups count as empty.
  private var slots = [UInt64](repeating: .max, count: 64)
  private var members = 0
  /// The low bits of all keys, in one word or two.
  private var written = StoredWords()
  /// Each group but the current one, and how many keys it has.
  private var groups = StoredWords()
  /// All keys, once a group has recurred, or if too many groups are possible.
  private var ungrouped: IntegerKeySet?

  private let seed: HashSeed
  private let memory: KeyMemory

  /// With more, the bits would take more than a megabyte.
  private static let mostGroupBits = 23

  init(groupBits: Int, memberBits: Int, seed: HashSeed, memory: KeyMemory) {
    self.seed = seed
    self.memory = memory
    self.memberBits = UInt64(memberBits)
    // Only an empty slot may have all bits set.
    if groupBits > Self.mostGroupBits || groupBits + memberBits >= UInt64.bitWidth {
      ungrouped = IntegerKeySet(seed: seed, memory: memory)
    } else {
      seenGroups = [UInt64](repeating: 0, count: (1 << groupBits + 63) / 64)
    }
  }

  var count: Int { ungrouped?.count ?? written.count / wordsOfMember }

  private var wordsOfMember: Int { memberBits > 32 ? 2 : 1 }

  mutating func insert(_ key: UInt64) -> Bool {
    guard ungrouped == nil, key &>> memberBits == group || begin(key &>> memberBits) else {
      return ungrouped?.insert(key) ?? false
    }
    let slot = slot(of: key)
    guard slots[slot] != key else { return false }
    slots[slot] = key
    members += 1
    if members * 2 > slots.count { grow() }
    written.append(UInt32(truncatingIfNeeded: key), memory)
    if memberBits > 32 {
      let member = key & ~(UInt64.max &<< memberBits)
      written.append(UInt32(truncatingIfNeeded: member &>> 32), memory)
    }
    return true
  }

  /// If a key belongs to an earlier group, all keys move to an `IntegerKeySet`, as if that group had recurred.
  mutating func contains(_ key: UInt64) -> Bool {
    if ungrouped == nil {
      let next = key &>> memberBits
      if next == group { return slots[slot(of: key)] == key }
      guard seenGroups[Int(next / 64)] & 1 << (next % 64) != 0 else { return false }
      ungroup()
    }
    return ungrouped?.ordinal(of: key) != nil
  }

  /// Begins another group; returns false if it recurs, and all keys have moved.
  private mutating func begin(_ next: UInt64) -> Bool {
    let (word, bit) = (Int(next / 64), UInt64(1) << (next % 64))
    guard seenGroups[word] & bit == 0 else {
      ungroup()
      return false
    }
    seenGroups[word] |= bit
    endGroup()
    group = next
    members = 0
    return true
  }

  private mutating func endGroup() {
    guard members > 0 else { return }
    groups.append(UInt32(truncatingIfNeeded: group), memory)
    groups.append(UInt32(truncatingIfNeeded: members), memory)
  }

  /// The slot of `key`, or the empty one where it belongs.
  private func slot(of key: UInt64) -> Int {
    var slot = Int(truncatingIfNeeded: seed.hash(of: key)) & (slots.count - 1)
    while slots[slot] != key, slots[slot] &>> memberBits == group {
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }

  private mutating func grow() {
    let bytes = slots.count * 8
    guard memory.grow(from: bytes, to: bytes * 2) else { return }
    let old = exchange(&slots, with: [UInt64](repeating: .max, count: slots.count * 2))
    for key in old where key &>> memberBits == group { slots[slot(of: key)] = key }
  }

  /// Moves all keys to an `IntegerKeySet`, unless that would exceed the memory limit.
  private mutating func ungroup() {
    endGroup()
    let count = count
    let before = written.bytes + groups.bytes
    guard memory.grow(from: before, to: IntegerKeySet.bytes(for: count + 1)) else { return }
    var keys = IntegerKeySet(capacity: count + 1, seed: seed, memory: memory)
    var place = 0
    for index in stride(from: 0, to: groups.count, by: 2) {
      let high = UInt64(groups[index]) &<< memberBits
      for _ in 0..<groups[index + 1] {
        var key = high | UInt64(written[place])
        if memberBits > 32 { key |= UInt64(written[place + 1]) &<< 32 }
        _ = keys.insert(key)
        place += wordsOfMember
      }
    }
    written = StoredWords()
    groups = StoredWords()
    ungrouped = keys
  }
}

/// Words in pieces, so that growing copies nothing.
private struct StoredWords {
  private var pieces: [[UInt32]] = []
  private(set) var count = 0

  private static let pieceCount = 64 << 10

  var bytes: Int { pieces.count * Self.pieceCount * 4 }

  subscript(_ index: Int) -> UInt32 { pieces[index / Self.pieceCount][index % Self.pieceCount] }

  /// Adds a word, unless that would exceed the memory limit.
  mutating func append(_ word: UInt32, _ memory: KeyMemory) {
    if count == pieces.count * Self.pieceCount {
      guard memory.grow(from: 0, to: Self.pieceCount * 4) else { return }
      pieces.append([])
      pieces[pieces.count - 1].reserveCapacity(Self.pieceCount)
    }
    pieces[pieces.count - 1].append(word)
    count += 1
  }
}
