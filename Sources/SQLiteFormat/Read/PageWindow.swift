import Files

/// Pages of a file, read with one call.
///
/// In a new file, the pages of a tree are adjacent, and so are its overflow pages. Otherwise only
/// the requested pages are read.
struct PageWindow: ~Copyable {
  private static let mostBytes = 1 << 20

  /// Memory for the largest read.
  private(set) var bytes = ByteBuffer(count: 0)
  private var pages = 0..<0
  /// The number of pages to read at a time.
  private var count = 1

  /// Reads a page unless it is in memory, and returns its position among the bytes.
  @inline(__always)
  mutating func place(
    of number: Int, in header: DatabaseHeader, _ descriptor: Int32
  ) throws(DatabaseError) -> Int {
    if !pages.contains(number) { try read(number, of: header, descriptor) }
    return (number - pages.lowerBound) * header.pageBytes
  }

  private mutating func read(
    _ number: Int, of header: DatabaseHeader, _ descriptor: Int32
  ) throws(DatabaseError) {
    guard number > 0, number <= header.pages else { throw .damaged }
    let isNext = pages.upperBound..<pages.upperBound + count ~= number
    count = isNext ? min(2 * count, Self.mostBytes / header.pageBytes) : max(1, count / 4)
    let end = min(number + count, header.pages + 1)
    let range = 0..<(end - number) * header.pageBytes
    bytes.grow(to: range.count)
    do throws(FileError) {
      let read = try bytes.read(range, from: descriptor, at: (number - 1) * header.pageBytes)
      guard read == range.count else { throw FileError(code: damagedFile) }
    } catch {
      throw .file(error)
    }
    pages = number..<end
  }
}
