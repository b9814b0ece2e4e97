extension Span<UInt8> {
  /// The eight bytes from `offset` as a big-endian number, padded with zeros.
  @inlinable @inline(__always)
  package func word(at offset: Int) -> UInt64 {
    guard offset <= count - 8 else {
      var word: UInt64 = 0
      for index in Swift.min(offset, count)..<Swift.min(offset + 8, count) {
        word |= UInt64(self[index]) << UInt64(8 * (7 - (index - offset)))
      }
      return word
    }
    // Any eight bytes are a valid integer, and the load is bounds-checked by the span.
    return unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self).bigEndian
  }
}
