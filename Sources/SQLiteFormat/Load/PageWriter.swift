import Files

/// Writes consecutive pages, many with one call.
struct PageWriter: ~Copyable {
  private static let bufferBytes = 1 << 20

  private let descriptor: Int32
  private let numbers: PageNumbers
  private(set) var next: Int
  private var buffer: ByteBuffer
  private var bufferedPages = 0

  /// Prepares to write to the file of `descriptor`, which the caller keeps, starting at `first`.
  init(_ descriptor: Int32, _ numbers: PageNumbers, first: Int) {
    self.descriptor = descriptor
    self.numbers = numbers
    next = first
    let pages = max(1, Self.bufferBytes / numbers.pageBytes)
    buffer = ByteBuffer(count: pages * numbers.pageBytes)
  }

  var numberAfterNext: Int { numbers.number(next + 1) }

  /// Writes the page at `place` of `bytes`, possibly later, and returns its number.
  mutating func append(_ bytes: borrowing ByteBuffer, at place: Int = 0) throws(FileError) -> Int {
    if (bufferedPages + 1) * numbers.pageBytes > buffer.count { try flush() }
    buffer.copy(
      place..<place + numbers.pageBytes, of: bytes, to: bufferedPages * numbers.pageBytes)
    bufferedPages += 1
    next += 1
    return numbers.number(next - 1)
  }

  /// Writes the buffered pages.
  mutating func flush() throws(FileError) {
    var written = 0
    while written < bufferedPages {
      let ordinal = next - bufferedPages + written
      let count = numbers.adjacentPages(from: ordinal, of: bufferedPages - written)
      let bytes = written * numbers.pageBytes..<(written + count) * numbers.pageBytes
      try descriptor.writeAll(buffer.span(bytes), at: numbers.offset(ordinal))
      written += count
    }
    bufferedPages = 0
  }
}
