/// A set of byte strings in one arena, found by an open-addressing table.
///
/// A key takes 8 bytes for its size and ordinal, its own bytes, filled up to a multiple of 8, and 8
/// for each slot of a table that is at most half full: 16 to 32. Keys are compared by bytes, as
/// SQLite compares them. A key's ordinal is the number of keys that were added before it.
struct TextKeySet {
  /// One entry behind the other: the size in the high half of a word and the ordinal in its low
  /// half, then the bytes, and zeros up to a whole word.
  private var arena: [UInt64] = []
  /// Each slot has the place of its entry plus one in its low half, 0 if empty, and the hash in its
  /// high half.
  ///
  /// So as a rule one slot and one entry are read to find a key.
  private var slots = [UInt64](repeating: 0, count: 16)

  /// The number of keys.
  private(set) var count = 0

  /// The bits that hold any ordinal.
  var ordinalBits: Int { Int.bitWidth - count.leadingZeroBitCount }

  /// Adds a key; returns false if it was there.
  mutating func insert(_ key: Span<UInt8>) -> Bool { insert(0..<key.count, of: key) }

  /// Adds the key at `place` of `bytes`; returns false if it was there.
  mutating func insert(_ place: Range<Int>, of bytes: Span<UInt8>) -> Bool {
    let hash = Self.hash(place, of: bytes)
    let slot = slot(of: place, of: bytes, hash: hash)
    guard slots[slot] == 0 else { return false }
    slots[slot] = hash << 32 | UInt64(arena.count + 1)
    arena.append(UInt64(place.count) << 32 | UInt64(count))
    for start in stride(from: place.lowerBound, to: place.upperBound, by: 8) {
      arena.append(bytes.word(at: start, count: min(8, place.upperBound - start)))
    }
    count += 1
    if count * 2 > slots.count { grow() }
    return true
  }

  /// Returns the key's ordinal, or nil if it is not in the set.
  func ordinal(of key: Span<UInt8>) -> Int? { ordinal(of: 0..<key.count, of: key) }

  /// Returns the ordinal of the key at `place` of `bytes`, or nil if it is not in the set.
  func ordinal(of place: Range<Int>, of bytes: Span<UInt8>) -> Int? {
    let slot = slots[slot(of: place, of: bytes, hash: Self.hash(place, of: bytes))]
    return slot == 0 ? nil : Int(arena[Int(slot & 0xffff_ffff) - 1] & 0xffff_ffff)
  }

  /// The slot that holds the key, or the empty one where it belongs.
  private func slot(of place: Range<Int>, of bytes: Span<UInt8>, hash: UInt64) -> Int {
    var index = Int(hash) & (slots.count - 1)
    while true {
      let slot = slots[index]
      if slot == 0
        || (slot >> 32 == hash && isEqual(place, of: bytes, at: Int(slot & 0xffff_ffff) - 1))
      {
        return index
      }
      index = (index + 1) & (slots.count - 1)
    }
  }

  private func isEqual(_ place: Range<Int>, of bytes: Span<UInt8>, at entry: Int) -> Bool {
    guard arena[entry] >> 32 == UInt64(place.count) else { return false }
    var entry = entry
    for start in stride(from: place.lowerBound, to: place.upperBound, by: 8) {
      entry += 1
      let word = bytes.word(at: start, count: min(8, place.upperBound - start))
      guard arena[entry] == word else { return false }
    }
    return true
  }

  /// Mixes in eight bytes at a time by a product whose halves are folded together, as wyhash does
  /// (<https://github.com/wangyi-fudan/wyhash>).
  private static func hash(_ place: Range<Int>, of bytes: Span<UInt8>) -> UInt64 {
    var hash = UInt64(place.count)
    for start in stride(from: place.lowerBound, to: place.upperBound, by: 8) {
      hash ^= bytes.word(at: start, count: min(8, place.upperBound - start))
      let product = hash.multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
      hash = product.high ^ product.low
    }
    return hash & 0xffff_ffff
  }

  private mutating func grow() {
    let old = exchange(&slots, with: [UInt64](repeating: 0, count: slots.count * 2))
    for slot in old where slot != 0 {
      var index = Int(slot >> 32) & (slots.count - 1)
      while slots[index] != 0 { index = (index + 1) & (slots.count - 1) }
      slots[index] = slot
    }
  }
}
