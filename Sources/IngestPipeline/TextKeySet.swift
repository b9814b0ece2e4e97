/// A set of byte strings: their bytes in one arena, found by an open-addressing table.
///
/// A key takes its own bytes, 4 for its end, and 8 for each slot of a table that is at most three
/// quarters full. Keys are compared by bytes, as SQLite compares them. A key's ordinal is the number
/// of keys that were added before it.
struct TextKeySet {
  private var arena: [UInt8] = []
  private var ends: [UInt32] = []
  /// Each slot has the ordinal plus one in its low half, 0 if it is empty, and the hash in its high.
  private var slots = [UInt64](repeating: 0, count: 16)

  /// The number of keys.
  var count: Int { ends.count }

  /// The bits that hold any ordinal.
  var ordinalBits: Int { Int.bitWidth - ends.count.leadingZeroBitCount }

  /// Adds a key; returns false if it was there.
  mutating func insert(_ key: Span<UInt8>) -> Bool {
    let hash = Self.hash(key)
    let slot = place(of: key, hash: hash)
    guard slots[slot] == 0 else { return false }
    for index in key.indices { arena.append(key[index]) }
    ends.append(UInt32(arena.count))
    slots[slot] = hash << 32 | UInt64(ends.count)
    if ends.count * 4 > slots.count * 3 { grow() }
    return true
  }

  /// Returns the key's ordinal, or nil if it is not in the set.
  func ordinal(of key: Span<UInt8>) -> Int? {
    let entry = slots[place(of: key, hash: Self.hash(key))]
    return entry == 0 ? nil : Int(entry & 0xffff_ffff) - 1
  }

  /// The slot that holds `key`, or the empty one where it belongs.
  private func place(of key: Span<UInt8>, hash: UInt64) -> Int {
    var slot = Int(hash) & (slots.count - 1)
    while true {
      let entry = slots[slot]
      if entry == 0 || (entry >> 32 == hash && isEqual(key, at: Int(entry & 0xffff_ffff) - 1)) {
        return slot
      }
      slot = (slot + 1) & (slots.count - 1)
    }
  }

  private func isEqual(_ key: Span<UInt8>, at ordinal: Int) -> Bool {
    let start = ordinal == 0 ? 0 : Int(ends[ordinal - 1])
    guard Int(ends[ordinal]) - start == key.count else { return false }
    for index in key.indices where key[index] != arena[start + index] { return false }
    return true
  }

  /// FNV-1a (Fowler, Noll, Vo) in 64 bits, folded to 32.
  private static func hash(_ key: Span<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for index in key.indices { hash = (hash ^ UInt64(key[index])) &* 0x100_0000_01b3 }
    return (hash ^ hash >> 32) & 0xffff_ffff
  }

  private mutating func grow() {
    let old = exchange(&slots, with: [UInt64](repeating: 0, count: slots.count * 2))
    for entry in old where entry != 0 {
      var slot = Int(entry >> 32) & (slots.count - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = entry
    }
  }
}
