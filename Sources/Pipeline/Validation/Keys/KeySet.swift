/// The keys of one table, or of one unique key of it: integers or byte strings.
package struct KeySet {
  /// Whether a key is a byte string.
  let isText: Bool
  private var integers: IntegerKeySet
  private(set) var texts: TextKeySet

  /// The bytes that it takes.
  var bytes: Int { integers.bytes + texts.bytes }

  init(isText: Bool, seed: HashSeed, memory: KeyMemory) {
    self.isText = isText
    integers = IntegerKeySet(seed: seed, memory: memory)
    texts = TextKeySet(seed: seed, memory: memory)
  }

  var ordinalBits: Int { isText ? texts.ordinalBits : integers.ordinalBits }

  /// Adds a key; returns false if it was there.
  mutating func insert(_ key: UInt64) -> Bool { integers.insert(key) }

  /// Adds a key; returns false if it was there.
  mutating func insert(_ key: Span<UInt8>) -> Bool { texts.insert(key) }

  /// Adds the key at `place` of `bytes`; returns false if it was there.
  mutating func insert(_ place: Range<Int>, of bytes: Span<UInt8>) -> Bool {
    texts.insert(place, of: bytes)
  }

  /// Returns the key's ordinal, or nil if it is not in the set.
  func ordinal(of key: UInt64) -> Int? { integers.ordinal(of: key) }

  /// Returns the key's ordinal, or nil if it is not in the set.
  func ordinal(of key: Span<UInt8>) -> Int? { texts.ordinal(of: key) }

  /// Returns the ordinal of the key at `place` of `bytes`, or nil if it is not in the set.
  func ordinal(of place: Range<Int>, of bytes: Span<UInt8>) -> Int? {
    texts.ordinal(of: place, of: bytes)
  }

  /// Adds a key as `StoredKey` reads it; returns false if it was there.
  package mutating func insert(stored key: Span<UInt8>) -> Bool {
    isText ? texts.insert(key) : integers.insert(key.word(at: 0, count: 8))
  }

  /// Whether a key is there, as `StoredKey` reads it.
  func contains(stored key: Span<UInt8>) -> Bool {
    isText
      ? texts.ordinal(of: key) != nil
      : integers.ordinal(of: key.word(at: 0, count: 8)) != nil
  }
}
