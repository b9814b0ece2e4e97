/// A set of 64-bit keys that come in groups: keys with the same high bits are adjacent.
///
/// The table of the current group stays in the first-level cache. Keys of earlier groups are only stored, at 8 bytes
/// each and one bit for every possible group. If a group recurs, all keys move to an `IntegerKeySet`.
struct GroupedKeySet {
  private let memberBits: UInt64
  private var seenGroups: [UInt64] = []
  private var group = UInt64.max
  /// The keys of the current group; leftover keys of other groups count as empty.
  private var slots = [UInt64](repeating: .max, count: 64)
  private var members = 0
  /// All keys, in pieces, so that growing copies nothing.
  private var pieces: [[UInt64]] = []
  private var piece: [UInt64] = []
  /// All keys, once a group has recurred, or if too many groups are possible.
  private var ungrouped: IntegerKeySet?

  private let seed: HashSeed
  private let memory: KeyMemory

  private static let pieceCount = 32 << 10
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

  var count: Int { ungrouped?.count ?? pieces.count * Self.pieceCount + piece.count }

  mutating func insert(_ key: UInt64) -> Bool {
    guard ungrouped == nil, key &>> memberBits == group || begin(key &>> memberBits) else {
      return ungrouped?.insert(key) ?? false
    }
    let slot = slot(of: key)
    guard slots[slot] != key else { return false }
    slots[slot] = key
    members += 1
    if members * 2 > slots.count { grow() }
    write(key)
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
    group = next
    members = 0
    return true
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

  private mutating func write(_ key: UInt64) {
    if piece.count == Self.pieceCount { pieces.append(exchange(&piece, with: [])) }
    if piece.isEmpty {
      guard memory.grow(from: 0, to: Self.pieceCount * 8) else { return }
      piece.reserveCapacity(Self.pieceCount)
    }
    piece.append(key)
  }

  /// Moves all keys to an `IntegerKeySet`, unless that would exceed the memory limit.
  private mutating func ungroup() {
    let before = (pieces.count + 1) * Self.pieceCount * 8
    guard memory.grow(from: before, to: IntegerKeySet.bytes(for: count + 1)) else { return }
    var keys = IntegerKeySet(capacity: count + 1, seed: seed, memory: memory)
    for piece in pieces + [piece] {
      for key in piece { _ = keys.insert(key) }
    }
    pieces = []
    piece = []
    ungrouped = keys
  }
}
