import Platform

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
    buffer.copy(place..<place + numbers.pageBytes, of: bytes, to: bufferedPages * numbers.pageBytes)
    bufferedPages += 1
    next += 1
    return numbers.number(next - 1)
  }

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

/// The numbers of the pages available to a tree, counted from 0.
///
/// The page at the first byte after a gibibyte is never used, since SQLite locks that byte
/// (<https://www.sqlite.org/fileformat2.html#the_lock_byte_page>).
struct PageNumbers: Sendable {
  let pageBytes: Int
  private let lockPage: Int

  init(pageBytes: Int) {
    self.pageBytes = pageBytes
    lockPage = (1 << 30) / pageBytes + 1
  }

  @inline(__always)
  func number(_ ordinal: Int) -> Int { ordinal + 1 < lockPage ? ordinal + 1 : ordinal + 2 }

  func ordinal(_ number: Int) -> Int { number < lockPage ? number - 1 : number - 2 }

  func offset(_ ordinal: Int) -> Int { (number(ordinal) - 1) * pageBytes }

  /// The number of pages, at most `count`, that are adjacent in the file from `ordinal`.
  func adjacentPages(from ordinal: Int, of count: Int) -> Int {
    let beforeLock = lockPage - 1 - ordinal
    return beforeLock > 0 ? min(count, beforeLock) : count
  }
}
