import Fields
import Text

/// A set of byte strings in one arena, indexed by an open-addressing table that is at most half full.
///
/// A key takes 8 bytes, its own bytes, padded to a multiple of 8 and at least 16, and 16 to 32 bytes for slots. Its
/// ordinal is the number of keys added before it.
package struct TextKeySet {
  /// The entries in sequence: a word with the size in its high half and the ordinal in its low half, then the bytes, padded
  /// with zeros to whole words, and at least two.
  private var arena: [UInt64] = []
  /// The index of the entry plus one in the low half, 0 if empty, and the hash in the high half, so that a lookup
  /// usually reads one slot and one entry.
  private var slots = [UInt64](repeating: 0, count: 16)

  private let seed: HashSeed
  private let memory: KeyMemory

  package private(set) var count = 0

  package init(seed: HashSeed, memory: KeyMemory) {
    self.seed = seed
    self.memory = memory
  }

  package var bytes: Int { (arena.capacity + slots.count) * 8 }

  var ordinalBits: Int { Int.bitWidth - count.leadingZeroBitCount }

  package mutating func insert(_ key: Span<UInt8>) -> Bool { insert(0..<key.count, of: key) }

  package mutating func insert(_ range: Range<Int>, of bytes: Span<UInt8>) -> Bool {
    let key = Key(range, of: bytes, seed)
    let slot = slot(of: key, in: bytes)
    guard slots[slot] == 0, makeRoom(for: key.count) else { return false }
    slots[slot] = key.hash << 32 | UInt64(arena.count + 1)
    arena.append(UInt64(key.count) << 32 | UInt64(count))
    arena.append(key.first)
    arena.append(key.second)
    for start in stride(from: range.lowerBound + 16, to: range.upperBound, by: 8) {
      arena.append(bytes.word(at: start, count: min(8, range.upperBound - start)))
    }
    count += 1
    if count * 2 > slots.count { grow() }
    return true
  }

  /// Returns the ordinal of the key at `range` of `bytes`, which is added if missing; nil if the memory limit is exceeded.
  package mutating func ordinalInserting(_ range: Range<Int>, of bytes: Span<UInt8>) -> Int? {
    if let ordinal = ordinal(of: range, of: bytes) { return ordinal }
    return insert(range, of: bytes) ? count - 1 : nil
  }

  package func ordinal(of key: Span<UInt8>) -> Int? { ordinal(of: 0..<key.count, of: key) }

  package func ordinal(of range: Range<Int>, of bytes: Span<UInt8>) -> Int? {
    ordinal(of: Key(range, of: bytes, seed), in: bytes)
  }

  func ordinal(of key: Key, in bytes: Span<UInt8>) -> Int? {
    let slot = slots[slot(of: key, in: bytes)]
    return slot == 0 ? nil : Int(arena[entry(slot)] & 0xffff_ffff)
  }

  /// Looks up keys of at most 16 bytes in their first or second slot; the ordinals of others become `unknown`.
  ///
  /// There is no unpredictable branch on the data, so the reads of many keys overlap.
  func findMost(of keys: Span<Key>, _ ordinals: inout MutableSpan<UInt64>) {
    let slots = slots.span
    for key in 0..<keys.count {
      let index = Int(truncatingIfNeeded: keys[key].hash) & (slots.count - 1)
      let (slot, next) = (slots[index], slots[(index + 1) & (slots.count - 1)])
      ordinals[key] = (slot >> 32 == keys[key].hash ? slot : next) & 0xffff_ffff
    }
    let arena = arena.span
    for key in 0..<keys.count {
      let entry = Int(ordinals[key]) - 1
      guard entry >= 0, keys[key].count <= 16, keys[key].difference(arena, entry) == 0 else {
        ordinals[key] = Self.unknown
        continue
      }
      ordinals[key] = arena[entry] & 0xffff_ffff
    }
  }

  /// The ordinal of a key whose lookup is incomplete.
  package static var unknown: UInt64 { .max }

  private func firstSlot(_ hash: UInt64) -> Int {
    Int(truncatingIfNeeded: hash) & (slots.count - 1)
  }

  private func entry(_ slot: UInt64) -> Int { Int(slot & 0xffff_ffff) - 1 }

  /// The slot of the key, or the empty one where it belongs.
  private func slot(of key: Key, in bytes: Span<UInt8>) -> Int {
    var index = firstSlot(key.hash)
    while true {
      let slot = slots[index]
      if slot == 0 || (slot >> 32 == key.hash && isEqual(key, in: bytes, at: entry(slot))) {
        return index
      }
      index = (index + 1) & (slots.count - 1)
    }
  }

  private func isEqual(_ key: Key, in bytes: Span<UInt8>, at entry: Int) -> Bool {
    guard key.difference(arena.span, entry) == 0 else { return false }
    for offset in stride(from: 16, to: key.count, by: 8) {
      let word = bytes.word(at: key.start + offset, count: min(8, key.count - offset))
      guard arena[entry + 1 + offset / 8] == word else { return false }
    }
    return true
  }

  /// Reserves space for an entry of `bytes`; returns false if the memory limit is exceeded.
  private mutating func makeRoom(for bytes: Int) -> Bool {
    let needed = arena.count + 1 + Self.words(bytes)
    guard needed > arena.capacity else { return true }
    // The old and new arena exist at the same time; a large one grows by less, so that more keys fit.
    let growth = arena.capacity < Self.largeArena ? arena.capacity : arena.capacity / 4
    let capacity = max(needed, arena.capacity + growth, 64)
    guard memory.grow(from: arena.capacity * 8, to: capacity * 8) else { return false }
    arena.reserveCapacity(capacity)
    return true
  }

  /// Words: 32 MiB.
  private static let largeArena = 4 << 20

  private mutating func grow() {
    guard memory.grow(from: slots.count * 8, to: slots.count * 16) else { return }
    let old = exchange(&slots, with: [UInt64](repeating: 0, count: slots.count * 2))
    for slot in old where slot != 0 {
      var index = firstSlot(slot >> 32)
      while slots[index] != 0 { index = (index + 1) & (slots.count - 1) }
      slots[index] = slot
    }
  }
}

extension TextKeySet {
  /// A lookup key: a text's hash, its place in the surrounding bytes, and its first 16 bytes.
  struct Key {
    /// The low half of the hash; the high half is 0.
    let hash: UInt64
    let start: Int
    let count: Int
    let first: UInt64
    let second: UInt64

    /// Folded products mix the bytes, 16 or 8 at a time.
    @inline(always)
    init(_ range: Range<Int>, of bytes: Span<UInt8>, _ seed: HashSeed) {
      start = range.lowerBound
      count = range.count
      (first, second) = bytes.firstWords(at: range)
      var hash = (first ^ seed.first).foldedProduct(second ^ seed.second ^ UInt64(range.count))
      for start in stride(from: range.lowerBound + 16, to: range.upperBound, by: 8) {
        let word = bytes.word(at: start, count: min(8, range.upperBound - start))
        hash = (hash ^ word).foldedProduct(seed.third)
      }
      self.hash = hash & 0xffff_ffff
    }

    /// The differing bits of the key and an entry, in their sizes and first 16 bytes; 0 if there are none.
    @inline(always)
    fileprivate func difference(_ arena: Span<UInt64>, _ entry: Int) -> UInt64 {
      (arena[entry] >> 32 ^ UInt64(truncatingIfNeeded: count)) | (arena[entry + 1] ^ first)
        | (arena[entry + 2] ^ second)
    }

    init() { (hash, start, count, first, second) = (0, 0, 0, 0, 0) }
  }

  /// A word of the key with an ordinal, if all keys have `bytes` bytes.
  package func word(_ word: Int, ofKey ordinal: Int, bytes: Int) -> UInt64 {
    arena[ordinal * (1 + Self.words(bytes)) + 1 + word]
  }

  package func forEach(_ process: (Int, Span<UInt8>) -> Void) {
    var key: [UInt8] = []
    var entry = 0
    while entry < arena.count {
      let bytes = Int(arena[entry] >> 32)
      key.removeAll(keepingCapacity: true)
      for byte in 0..<bytes {
        key.append(UInt8(truncatingIfNeeded: arena[entry + 1 + byte / 8] >> UInt64(8 * (byte % 8))))
      }
      process(Int(arena[entry] & 0xffff_ffff), key.span)
      entry += 1 + Self.words(bytes)
    }
  }

  /// The words of a key of `bytes` bytes, without the word of its size and ordinal.
  private static func words(_ bytes: Int) -> Int { max(2, (bytes + 7) / 8) }
}
