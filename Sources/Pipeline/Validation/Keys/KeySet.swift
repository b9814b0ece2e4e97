package struct KeySet {
  let isText: Bool
  var integers: IntegerKeySet
  var texts: TextKeySet

  init(isText: Bool, seed: HashSeed, memory: KeyMemory) {
    self.isText = isText
    integers = IntegerKeySet(seed: seed, memory: memory)
    texts = TextKeySet(seed: seed, memory: memory)
  }

  var bytes: Int { integers.bytes + texts.bytes }

  var ordinalBits: Int { isText ? texts.ordinalBits : integers.ordinalBits }

  /// Adds a key in the encoding of `StoredKey`; returns false if it exists.
  package mutating func insert(stored key: Span<UInt8>) -> Bool {
    isText ? texts.insert(key) : integers.insert(key.word(at: 0, count: 8))
  }

  func contains(stored key: Span<UInt8>) -> Bool {
    isText
      ? texts.ordinal(of: key) != nil
      : integers.ordinal(of: key.word(at: 0, count: 8)) != nil
  }
}

/// A set of 64-bit keys in an open-addressing table, at most three quarters full; ordinals change when it grows.
package struct IntegerKeySet {
  /// A slot holds its key plus one, so that 0 means empty; the largest key, which becomes 0, is stored separately.
  private var slots: [UInt64]
  private var occupied = 0
  private var hasLargest = false
  private let seed: HashSeed
  private let memory: KeyMemory

  package init(capacity: Int = 12, seed: HashSeed, memory: KeyMemory) {
    self.seed = seed
    self.memory = memory
    slots = [UInt64](repeating: 0, count: Self.slots(for: capacity))
  }

  private static func slots(for keys: Int) -> Int {
    var count = 16
    while keys * 4 > count * 3 { count *= 2 }
    return count
  }

  package static func bytes(for keys: Int) -> Int { slots(for: keys) * 8 }

  package var bytes: Int { slots.count * 8 }

  package var count: Int { occupied + (hasLargest ? 1 : 0) }

  var ordinalBits: Int { slots.count.trailingZeroBitCount + 1 }

  package mutating func insert(_ key: UInt64) -> Bool {
    let stored = key &+ 1
    guard stored != 0 else {
      defer { hasLargest = true }
      return !hasLargest
    }
    let slot = place(of: stored)
    guard slots[slot] == 0 else { return false }
    slots[slot] = stored
    occupied += 1
    if occupied * 4 > slots.count * 3 { grow() }
    return true
  }

  package func ordinal(of key: UInt64) -> Int? {
    let stored = key &+ 1
    guard stored != 0 else { return hasLargest ? slots.count : nil }
    let slot = place(of: stored)
    return slots[slot] == 0 ? nil : slot
  }

  /// The slot of `stored`, or the empty one where it belongs.
  private func place(of stored: UInt64) -> Int {
    var slot = Int(truncatingIfNeeded: seed.hash(of: stored)) & (slots.count - 1)
    while slots[slot] != 0, slots[slot] != stored { slot = (slot + 1) & (slots.count - 1) }
    return slot
  }

  private mutating func grow() {
    guard memory.grow(from: bytes, to: bytes * 2) else { return }
    let old = exchange(&slots, with: [UInt64](repeating: 0, count: slots.count * 2))
    for stored in old where stored != 0 { slots[place(of: stored)] = stored }
  }
}
