import Glibc
package import Platform

/// The header of a database (<https://www.sqlite.org/fileformat2.html#the_database_header>).
package struct DatabaseHeader: Sendable {
  static let bytes = 100

  package let pageBytes: Int
  /// The bytes of a page without those reserved at its end.
  let usableBytes: Int
  package private(set) var pages: Int
  package let changeCounter: UInt32
  package let applicationID: UInt32
  /// The version number of the SQLite library that last wrote the file.
  package let libraryVersion: Int
  /// The format versions for writers and readers; 2 means a write-ahead log.
  package let formatVersions: (write: UInt8, read: UInt8)
  /// Whether its pages can be read and appended without SQLite.
  private let isPlain: Bool
  /// Whether its trees can be read without SQLite, and its texts are in UTF-8.
  private let hasReadableTrees: Bool
  private let hasCountOfPages: Bool

  /// Reads the header of any file; nil if it is not a database.
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
    // The file lacks the contents of a write-ahead log (19). In a file with pointer maps (52), each page would need an
    // entry; texts in another encoding (56) would be read as UTF-8; a page count (28) from a change other than the last
    // (92) is invalid. An empty file has no encoding yet; SQLite reads only these bits of it.
    hasReadableTrees =
      bytes[19] <= 2 && bytes[59] & 3 <= 1 && pageBytes >= 512 && pageBytes & (pageBytes - 1) == 0
      && usableBytes >= 480
    hasCountOfPages = bytes.number(UInt32.self, at: 92) == Int(changeCounter)
    isPlain =
      hasReadableTrees && bytes[19] == 1 && bytes.number(UInt32.self, at: 56) == 1
      && bytes.number(UInt32.self, at: 52) == 0 && hasCountOfPages
  }

  /// Reads the header of a database of any origin whose trees are only to be read; nil if they cannot be.
  init?(ofReadable descriptor: Int32) throws(FileError) {
    guard let header = try Self(ofAny: descriptor), header.hasReadableTrees else { return nil }
    self = header
    if !hasCountOfPages || pages == 0 { pages = try fileSize(of: descriptor) / pageBytes }
  }

  /// Reads the header of a file whose pages are to be read or appended without SQLite, or throws "damaged".
  package init(of descriptor: Int32) throws(FileError) {
    guard let header = try Self(ofAny: descriptor), header.isPlain else {
      throw FileError(code: damagedFile)
    }
    self = header
  }

  /// Writes the new number of pages, and marks the file as changed.
  func write(pages: Int, to descriptor: Int32) throws(FileError) {
    var bytes = ByteBuffer(count: 8)
    bytes.put(changeCounter &+ 1, at: 0)
    bytes.put(UInt32(pages), at: 4)
    try descriptor.writeAll(bytes.span(0..<8), at: 24)
    try descriptor.writeAll(bytes.span(0..<4), at: 92)
  }
}

/// The `errno` value for a file with invalid contents: EUCLEAN, Linux's "Structure needs cleaning".
package let damagedFile = EUCLEAN

/// The reason why an index cannot be loaded, or a file cannot be read.
package enum DatabaseError: Error, Equatable {
  case file(FileError)
  /// Two rows have the same unique key.
  case duplicate
  /// The pages are not a valid index or table.
  case damaged
}
