extension Span<UInt8> {
  /// Returns the `count` bytes from `start`, at most 8, as a little-endian number.
  @inline(__always)
  package func word(at start: Int, count length: Int) -> UInt64 {
    assert(0...8 ~= length)
    guard start <= count - 8 else { return lastWord(at: start, count: length) }
    // Any eight bytes are a valid integer, and the bounds of the span were checked. Bytes after the text are masked out.
    let word = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self)
    return word.littleEndian & Self.mask(length)
  }

  /// The first 16 bytes at `place`, without a branch on the size of a text, which the processor could not predict.
  @inline(always)
  func firstWords(at place: Range<Int>) -> (first: UInt64, second: UInt64) {
    let (start, length) = (place.lowerBound, place.count)
    guard start <= count - 16 else {
      return (
        lastWord(at: start, count: Swift.min(8, length)),
        lastWord(at: start + 8, count: Swift.min(8, length - 8))
      )
    }
    let bytes = unsafe bytes
    let first = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self)
    let second = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: start + 8, as: UInt64.self)
    return (
      first.littleEndian & Self.mask(Swift.min(8, length)),
      second.littleEndian & Self.mask(Swift.min(8, Swift.max(0, length - 8)))
    )
  }

  /// A word with all bits of its `count` lowest bytes set.
  private static func mask(_ count: Int) -> UInt64 {
    (1 << UInt64(truncatingIfNeeded: 8 * count)) &- 1
  }

  private func lastWord(at start: Int, count length: Int) -> UInt64 {
    var word: UInt64 = 0
    for index in stride(from: start + length - 1, through: start, by: -1) {
      word = word << 8 | UInt64(self[index])
    }
    return word
  }
}
