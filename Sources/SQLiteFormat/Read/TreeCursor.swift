import Files

/// Goes through the records of a tree in its order, page by page, and trusts nothing in the file
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

  /// A page on the way from the root to the record.
  private struct Level {
    /// Its place among the bytes.
    let start: Int
    let isLeaf: Bool
    let cells: Int
    /// Of a leaf the cells, of another page the children that were visited.
    var visited = 0
    /// Whether the record after the child that was visited last comes next.
    var hasRecordNext = false
    /// The bytes of the cells that were read.
    var cellBytes = 0

    var pointersEnd: Int { pointers + 2 * cells }
    var pointers: Int { isLeaf ? TreePage.leafHeaderBytes : TreePage.interiorHeaderBytes }
  }

  /// The most levels that a tree can have: there are four billion pages at most, and each has two
  /// children at least.
  private static let mostLevels = 33

  private let kind: Kind
  private let descriptor: Int32
  private let header: DatabaseHeader
  private let payloads: PayloadLayout
  private let longestRecord: Int
  private var window = PageWindow()
  private var overflowWindow = PageWindow()
  /// The root, until it was read.
  private var root: Int?
  private var page: Level
  private var parents: [Level] = []
  private var pagesRead = 0

  /// A page of each level and, after them, a record that does not fit into one.
  private(set) var bytes: ByteBuffer
  /// The place of the record among the bytes, until the next one is asked for.
  private(set) var record = 0..<0
  /// The rowid of the record, in a tree of rowids.
  private(set) var rowid: Int64 = 0

  /// Prepares to read a tree, none of whose records may have more than `longestRecord` bytes; the
  /// descriptor stays the caller's.
  init(
    _ descriptor: Int32, _ kind: Kind, root: Int, longestRecord: Int
  ) throws(DatabaseError) {
    let header: DatabaseHeader
    do throws(FileError) {
      header = try DatabaseHeader(of: descriptor)
      // Pages that refer to one another are read until it has been that many.
      guard try fileSize(of: descriptor) >= header.pages * header.pageBytes else {
        throw FileError(code: damagedFile)
      }
    } catch {
      throw .file(error)
    }
    self.header = header
    self.descriptor = descriptor
    self.kind = kind
    self.longestRecord = longestRecord
    payloads = PayloadLayout(usableBytes: header.usableBytes, isTableLeaf: kind == .rowids)
    bytes = ByteBuffer(count: Self.mostLevels * header.pageBytes)
    self.root = root
    page = Level(start: 0, isLeaf: true, cells: 0)
  }

  /// Goes on to the next record; false if there is none.
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

  /// Reads a page to where those of its level are.
  private mutating func read(_ number: Int, level: Int) throws(DatabaseError) -> Level {
    guard level < Self.mostLevels else { throw .damaged }
    try countPage()
    let source = try window.place(of: number, in: header, descriptor)
    let start = level * header.pageBytes
    bytes.copy(source..<source + header.pageBytes, of: window.bytes, to: start)
    let isLeaf = bytes[start] == (kind == .rowids ? TreePage.tableLeafType : TreePage.leafType)
    let interior = kind == .rowids ? TreePage.tableInteriorType : TreePage.interiorType
    guard isLeaf || bytes[start] == interior else { throw .damaged }
    let page = Level(
      start: start, isLeaf: isLeaf, cells: bytes.number(UInt16.self, at: start + 3))
    guard page.pointersEnd <= header.usableBytes else { throw .damaged }
    return page
  }

  /// Pages that refer to one another in a circle would be read for ever.
  private mutating func countPage() throws(DatabaseError) {
    pagesRead += 1
    guard pagesRead <= header.pages else { throw .damaged }
  }

  @inline(__always)
  private func place(ofCell cell: Int) throws(DatabaseError) -> Int {
    let place = bytes.number(UInt16.self, at: page.start + page.pointers + 2 * cell)
    guard place >= page.pointersEnd, place + 4 <= header.usableBytes else { throw .damaged }
    return page.start + place
  }

  private func child(_ index: Int) throws(DatabaseError) -> Int {
    let place = index < page.cells ? try place(ofCell: index) : page.start + 8
    return bytes.number(UInt32.self, at: place)
  }

  @inline(__always)
  private mutating func readCell(_ cell: Int) throws(DatabaseError) {
    let end = page.start + header.usableBytes
    let start = try place(ofCell: cell)
    var place = page.isLeaf ? start : start + 4
    guard let size = RecordFormat.varint(in: bytes, at: &place), size >= 0 else {
      throw .damaged
    }
    if kind == .rowids {
      guard let number = RecordFormat.varint(in: bytes, at: &place) else { throw .damaged }
      rowid = Int64(number)
    }
    let local = payloads.localBytes(size)
    let cellEnd = place + local + (local < size ? 4 : 0)
    // Cells that share their bytes would make more records than a page has room for. None is smaller than a
    // free block.
    page.cellBytes += max(4, cellEnd - start)
    guard cellEnd <= end, page.cellBytes <= header.usableBytes - page.pointersEnd else {
      throw .damaged
    }
    if local == size {
      record = place..<place + size
    } else {
      try readLongRecord(at: place, local: local, size: size)
    }
  }

  /// Puts together a record of which some is in overflow pages.
  private mutating func readLongRecord(
    at place: Int, local: Int, size: Int
  ) throws(DatabaseError) {
    guard size <= longestRecord else { throw .damaged }
    let start = Self.mostLevels * header.pageBytes
    bytes.grow(to: start + size)
    bytes.move(place..<place + local, to: start)
    var next = bytes.number(UInt32.self, at: place + local)
    var filled = local
    while filled < size {
      try countPage()
      let count = min(size - filled, header.usableBytes - 4)
      let source = try overflowWindow.place(of: next, in: header, descriptor)
      next = overflowWindow.bytes.number(UInt32.self, at: source)
      bytes.copy(
        source + 4..<source + 4 + count, of: overflowWindow.bytes, to: start + filled)
      filled += count
    }
    guard next == 0 else { throw .damaged }
    record = start..<start + size
  }

  /// Checks what a page's header says of its free bytes: all are between the pointers and the cells.
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
