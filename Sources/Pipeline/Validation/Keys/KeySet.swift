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
