import Platform
import Text

/// Reads the records of a tree in order, page by page, and trusts nothing in the file
/// (<https://www.sqlite.org/fileformat2.html#b_tree_pages>).
struct TreeCursor: ~Copyable {
  enum Kind {
    /// The rows of a table, by rowid: its records are in the leaves.
    case rowids
    /// Records that are their own keys, in pages of all levels.
    case keys
    /// An index as it was loaded: there are no free bytes among its cells.
    case packedKeys
  }

  /// A page on the path from the root to the record.
  private struct Level {
    /// Its position among the bytes.
    let start: Int
    /// The position of its header in the page.
    var header = 0
    let isLeaf: Bool
    let cells: Int
    /// The number of visited cells of a leaf, or visited children of another page.
    var visited = 0
    /// Whether the record after the last visited child is next.
    var hasRecordNext = false
    /// The number of bytes of the cells read so far.
    var cellBytes = 0

    var pointersEnd: Int { pointers + 2 * cells }
    var pointers: Int {
      header + (isLeaf ? TreePage.leafHeaderBytes : TreePage.interiorHeaderBytes)
    }
  }

  /// The maximum number of levels of a tree: there are at most four billion pages, and each has at least two children.
  private static let maximumLevels = 33

  private let kind: Kind
  private let descriptor: Int32
  private let header: DatabaseHeader
  private let payloads: PayloadLayout
  private let longestRecord: Int
  private var window = PageWindow()
  private var overflowWindow = PageWindow()
  /// The root, until it has been read.
  private var root: Int?
  private var page: Level
  private var parents: [Level] = []
  private var pagesRead = 0

  /// A page of each level, followed by a record that does not fit into one.
  private(set) var bytes: ByteBuffer
  /// The position of the record among the bytes, until the next call of `next()`.
  private(set) var record = 0..<0
  /// The rowid of the record, in a tree of rowids.
  private(set) var rowid: Int64 = 0

  /// Prepares to read a tree whose records have at most `longestRecord` bytes; the caller keeps the descriptor.
  ///
  /// While SQLite writes to the file, the header must be an earlier one: it is written before the pages that it counts.
  init(
    _ descriptor: Int32, within earlierHeader: DatabaseHeader? = nil, _ kind: Kind, root: Int,
    longestRecord: Int
  ) throws(DatabaseError) {
    header = try mapError(as: DatabaseError.file) { () throws(FileError) in
      let header =
        if let earlierHeader { earlierHeader } else { try DatabaseHeader(of: descriptor) }
      // The limit for pages that refer to one another in a circle.
      guard try fileSize(of: descriptor) >= header.pages * header.pageBytes else {
        throw FileError(code: damagedFile)
      }
      return header
    }
    self.descriptor = descriptor
    self.kind = kind
    self.longestRecord = longestRecord
    payloads = PayloadLayout(usableBytes: header.usableBytes, isTableLeaf: kind == .rowids)
    bytes = ByteBuffer(count: Self.maximumLevels * header.pageBytes)
    self.root = root
    page = Level(start: 0, isLeaf: true, cells: 0)
  }

  @inline(__always)
  mutating func next() throws(DatabaseError) -> Bool {
    if page.isLeaf && page.visited < page.cells {
      try readCell(page.visited)
      page.visited += 1
      return true
    }
    return try nextPage()
  }

  private mutating func nextPage() throws(DatabaseError) -> Bool {
    if let number = root.take() { page = try read(number, level: 0) }
    while true {
      if page.isLeaf ? page.visited < page.cells : page.hasRecordNext {
        page.hasRecordNext = false
        try readCell(page.isLeaf ? page.visited : page.visited - 1)
        page.visited += page.isLeaf ? 1 : 0
        return true
      }
      if !page.isLeaf && page.visited <= page.cells {
        let child = try child(page.visited)
        page.hasRecordNext = kind != .rowids && page.visited < page.cells
        page.visited += 1
        parents.append(page)
        page = try read(child, level: parents.count)
      } else {
        if kind == .packedKeys { try checkFreeBytes() }
        guard let parent = parents.popLast() else { return false }
        page = parent
      }
    }
  }

  private mutating func read(_ number: Int, level: Int) throws(DatabaseError) -> Level {
    guard level < Self.maximumLevels else { throw .damaged }
    try countPage()
    let source = try window.offset(of: number, in: header, descriptor)
    let start = level * header.pageBytes
    bytes.copy(source..<source + header.pageBytes, of: window.bytes, to: start)
    // The header of the database is in the first page.
    let own = number == 1 ? DatabaseHeader.bytes : 0
    let type = bytes[start + own]
    let isLeaf = type == (kind == .rowids ? TreePage.tableLeafType : TreePage.leafType)
    let interior = kind == .rowids ? TreePage.tableInteriorType : TreePage.interiorType
    guard isLeaf || type == interior else { throw .damaged }
    let page = Level(
      start: start, header: own, isLeaf: isLeaf,
      cells: bytes.number(UInt16.self, at: start + own + 3))
    guard page.pointersEnd <= header.usableBytes else { throw .damaged }
    return page
  }

  /// Limits the pages, since those that refer to one another in a circle would be read forever.
  private mutating func countPage() throws(DatabaseError) {
    pagesRead += 1
    guard pagesRead <= header.pages else { throw .damaged }
  }

  @inline(__always)
  private func offset(ofCell cell: Int) throws(DatabaseError) -> Int {
    let offset = bytes.number(UInt16.self, at: page.start + page.pointers + 2 * cell)
    guard offset >= page.pointersEnd, offset + 4 <= header.usableBytes else { throw .damaged }
    return page.start + offset
  }

  private func child(_ index: Int) throws(DatabaseError) -> Int {
    let offset = index < page.cells ? try offset(ofCell: index) : page.start + page.header + 8
    return bytes.number(UInt32.self, at: offset)
  }

  @inline(__always)
  private mutating func readCell(_ cell: Int) throws(DatabaseError) {
    let end = page.start + header.usableBytes
    let start = try offset(ofCell: cell)
    var offset = page.isLeaf ? start : start + 4
    guard let size = RecordFormat.varint(in: bytes, at: &offset), size >= 0 else { throw .damaged }
    if kind == .rowids {
      guard let number = RecordFormat.varint(in: bytes, at: &offset) else { throw .damaged }
      rowid = Int64(number)
    }
    let local = payloads.localBytes(size)
    let cellEnd = offset + local + (local < size ? 4 : 0)
    // Cells that share bytes would make more records than fit into a page. Each is at least as large as a free block.
    page.cellBytes += max(4, cellEnd - start)
    guard cellEnd <= end, page.cellBytes <= header.usableBytes - page.pointersEnd else {
      throw .damaged
    }
    if local == size {
      record = offset..<offset + size
    } else {
      try readLongRecord(at: offset, local: local, size: size)
    }
  }

  /// Assembles a record with overflow pages.
  private mutating func readLongRecord(at offset: Int, local: Int, size: Int) throws(DatabaseError)
  {
    guard size <= longestRecord else { throw .damaged }
    let start = Self.maximumLevels * header.pageBytes
    bytes.grow(to: start + size)
    bytes.move(offset..<offset + local, to: start)
    var next = bytes.number(UInt32.self, at: offset + local)
    var filled = local
    while filled < size {
      try countPage()
      let count = min(size - filled, header.usableBytes - 4)
      let source = try overflowWindow.offset(of: next, in: header, descriptor)
      next = overflowWindow.bytes.number(UInt32.self, at: source)
      bytes.copy(source + 4..<source + 4 + count, of: overflowWindow.bytes, to: start + filled)
      filled += count
    }
    guard next == 0 else { throw .damaged }
    record = start..<start + size
  }

  /// Checks the free bytes in a page's header: all are between the pointers and the cells.
  private func checkFreeBytes() throws(DatabaseError) {
    let content = bytes.number(UInt16.self, at: page.start + 5)
    // 65,536 is written as 0.
    let contentStart = content == 0 ? 65536 : content
    guard bytes.number(UInt16.self, at: page.start + 1) == 0, bytes[page.start + 7] == 0,
      contentStart >= page.pointersEnd,
      contentStart == header.usableBytes - page.cellBytes
    else { throw .damaged }
  }
}

/// Pages of a file, read with one call.
///
/// In a new file, the pages of a tree are adjacent, and so are its overflow pages. Otherwise only
/// the requested pages are read.
struct PageWindow: ~Copyable {
  private static let mostBytes = 1 << 20

  private(set) var bytes = ByteBuffer(count: 0)
  private var pages = 0..<0
  /// The number of pages to read at a time.
  private var count = 1

  /// The position of a page among the bytes, after reading it if necessary.
  @inline(__always)
  mutating func offset(
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
    let read = try mapError(
      bytes.read(range, from: descriptor, at: (number - 1) * header.pageBytes),
      as: DatabaseError.file)
    guard read == range.count else { throw .file(FileError(code: damagedFile)) }
    pages = number..<end
  }
}
