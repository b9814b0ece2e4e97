package import Files

/// The header of a database (<https://www.sqlite.org/fileformat2.html#the_database_header>).
package struct DatabaseHeader {
  private static let bytes = 100

  package let pageBytes: Int
  /// Bytes of a page without those that are reserved at its end.
  let usableBytes: Int
  package let pages: Int
  package let changeCounter: UInt32
  package let applicationID: UInt32
  /// The number of the SQLite that wrote the file last.
  package let libraryVersion: Int
  /// The versions of the format for those who write and who read; 2 is a write-ahead log.
  package let formatVersions: (write: UInt8, read: UInt8)
  /// Whether its pages can be read, and appended to, without SQLite.
  private let isPlain: Bool

  /// Reads the header of a file, whatever is in it; nil if it is not that of a database.
  package init?(ofAny descriptor: Int32) throws(FileError) {
    var bytes = ByteBuffer(count: Self.bytes)
    // The first 16 bytes are "SQLite format 3" and a zero.
    guard try bytes.read(0..<Self.bytes, from: descriptor, at: 0) == Self.bytes,
      bytes.word(at: 0) == 0x5351_4c69_7465_2066, bytes.word(at: 8) == 0x6f72_6d61_7420_3300
    else { return nil }
    let size = bytes.number(UInt16.self, at: 16)
    pageBytes = size == 1 ? 65536 : size
    usableBytes = pageBytes - Int(bytes[20])
    pages = bytes.number(UInt32.self, at: 28)
    changeCounter = UInt32(bytes.number(UInt32.self, at: 24))
    applicationID = UInt32(bytes.number(UInt32.self, at: 68))
    libraryVersion = bytes.number(UInt32.self, at: 96)
    formatVersions = (bytes[18], bytes[19])
    // What is in a write-ahead log is not in the file (19). In a file with pointer maps (52), each page would
    // need an entry; texts of another encoding (56) would be read as UTF-8; a page count (28) that is not
    // of this change (92) says nothing.
    isPlain =
      bytes[19] == 1 && bytes.number(UInt32.self, at: 56) == 1 && pageBytes >= 512
      && pageBytes & (pageBytes - 1) == 0 && usableBytes >= 480
      && bytes.number(UInt32.self, at: 52) == 0
      && bytes.number(UInt32.self, at: 92) == Int(changeCounter)
  }

  /// Reads the header of a file whose pages are to be read, or appended to, without SQLite; it is damaged if
  /// they cannot be.
  init(of descriptor: Int32) throws(FileError) {
    guard let header = try Self(ofAny: descriptor), header.isPlain else {
      throw FileError(code: damagedFile)
    }
    self = header
  }

  /// Says in the file that it has that many pages now, and that it has changed.
  func write(pages: Int, to descriptor: Int32) throws(FileError) {
    var bytes = ByteBuffer(count: 8)
    bytes.put(changeCounter &+ 1, at: 0)
    bytes.put(UInt32(pages), at: 4)
    try descriptor.writeAll(bytes.span(0..<8), at: 24)
    try descriptor.writeAll(bytes.span(0..<4), at: 92)
  }
}
