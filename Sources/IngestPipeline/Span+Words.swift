extension Span<UInt8> {
  /// Returns the `count` bytes from `start` on, 1 to 8 of them, as a number whose lowest byte is the
  /// first.
  @inline(always)
  func word(at start: Int, count length: Int) -> UInt64 {
    assert(1...8 ~= length)
    guard start <= count - 8 else { return lastWord(at: start, count: length) }
    // Any eight bytes are a valid integer, and the load is checked against the span's bounds. What
    // does not belong to the text is masked out.
    let word = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self)
    return word.littleEndian & UInt64.max &>> UInt64(truncatingIfNeeded: 64 - 8 * length)
  }

  private func lastWord(at start: Int, count length: Int) -> UInt64 {
    var word: UInt64 = 0
    for index in (start..<start + length).reversed() { word = word << 8 | UInt64(self[index]) }
    return word
  }
}
