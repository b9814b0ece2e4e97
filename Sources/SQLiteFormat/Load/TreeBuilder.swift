import Platform

/// Builds the tree of an index from the leaves up: entries arrive in order, and each page is written when it is full.
///
/// An entry that does not fit into a page moves to the level above, where it separates that page
/// from the next. No page may be empty, so the last entry that did not fit waits for another one;
/// if none follows, the entry before it moves up instead.
struct TreeBuilder: ~Copyable {
  /// The leaves, or the level above another one.
  private struct Level {
    var page: TreePage
    /// The bytes of a waiting cell, which did not fit; 0 if there is none.
    var waiting = 0
    var waitingChild = 0
  }

  private let layout: PayloadLayout
  private let pageBytes: Int
  private var levels: [Level] = []
  /// For each level a page, followed by its waiting cell.
  private var bytes = ByteBuffer(count: 0)
  private var pages: PageWriter
  private var overflow: PageWriter
  private var overflowPage: ByteBuffer

  /// Prepares to write a tree; `overflow` receives the parts that are too long for its pages.
  init(
    _ layout: PayloadLayout, pageBytes: Int, pages: consuming PageWriter,
    overflow: consuming PageWriter
  ) {
    self.layout = layout
    self.pageBytes = pageBytes
    self.pages = pages
    self.overflow = overflow
    overflowPage = ByteBuffer(count: pageBytes)
    addLevel()
  }

  /// Appends the next entry in order; there is room for some bytes before its record, and after it.
  @inline(__always)
  mutating func append(_ record: Range<Int>, of source: inout ByteBuffer) throws(FileError) {
    let local = layout.localBytes(record.count)
    var end = record.lowerBound + local
    guard local == record.count else {
      return try appendLong(record, local: local, of: &source)
    }
    let start = record.lowerBound - RecordFormat.varintBytes(record.count)
    _ = RecordFormat.put(varint: record.count, in: &source, at: start)
    // A cell is at least as large as a free block; its padding bytes are not read.
    while end - start < 4 {
      source[end] = 0
      end += 1
    }
    try append(start..<end, of: source, child: 0, level: 0)
  }

  /// Appends an entry with overflow pages; the bytes of its record are as before afterwards.
  private mutating func appendLong(
    _ record: Range<Int>, local: Int, of source: inout ByteBuffer
  ) throws(FileError) {
    let end = record.lowerBound + local
    let rest = UInt32(source.number(UInt32.self, at: end))
    defer { source.put(rest, at: end) }
    source.put(UInt32(try writeOverflow(end..<record.upperBound, of: source)), at: end)
    let start = record.lowerBound - RecordFormat.varintBytes(record.count)
    _ = RecordFormat.put(varint: record.count, in: &source, at: start)
    try append(start..<end + 4, of: source, child: 0, level: 0)
  }

  /// Completes the tree; returns the number of its root, and the ordinal after its last page.
  consuming func end() throws(FileError) -> (root: Int, end: Int) {
    var child = 0
    var level = 0
    while level < levels.count {
      if levels[level].waiting > 0 {
        let cellChild = levels[level].page.lastChild(in: bytes)
        let cell = levels[level].page.removeLast(from: &bytes)
        try endPage(level, lastChild: cellChild, parting: 0..<cell.count, of: cell)
        // The waiting cell is alone in the next page.
        let waiting = takeWaiting(level)
        let child = levels[level].waitingChild
        levels[level].page.append(0..<waiting.count, of: waiting, child: child, in: &bytes)
      }
      child = try write(level, lastChild: child)
      level += 1
    }
    try overflow.flush()
    try pages.flush()
    return (child, pages.next)
  }

  private mutating func addLevel() {
    let start = 2 * pageBytes * levels.count
    bytes.grow(to: start + 2 * pageBytes)
    levels.append(
      Level(
        page: TreePage(at: start, isLeaf: levels.isEmpty, usableBytes: layout.usableBytes)))
  }

  @inline(__always)
  private mutating func append(
    _ cell: Range<Int>, of source: borrowing ByteBuffer, child: Int, level: Int
  ) throws(FileError) {
    if levels[level].waiting == 0, levels[level].page.hasRoom(for: cell.count) {
      levels[level].page.append(cell, of: source, child: child, in: &bytes)
    } else {
      try appendToNextPage(cell, of: source, child: child, level: level)
    }
  }

  private mutating func appendToNextPage(
    _ cell: Range<Int>, of source: borrowing ByteBuffer, child: Int, level: Int
  ) throws(FileError) {
    if levels[level].waiting > 0 {
      let waiting = takeWaiting(level)
      try endPage(
        level, lastChild: levels[level].waitingChild, parting: 0..<waiting.count, of: waiting)
      levels[level].page.append(cell, of: source, child: child, in: &bytes)
    } else {
      levels[level].waiting = cell.count
      levels[level].waitingChild = child
      bytes.copy(cell, of: source, to: waitingStart(level))
    }
  }

  /// The position of the waiting cell, which has at most the bytes of a page.
  private func waitingStart(_ level: Int) -> Int { levels[level].page.start + pageBytes }

  private mutating func takeWaiting(_ level: Int) -> ByteBuffer {
    var cell = ByteBuffer(count: levels[level].waiting)
    let start = waitingStart(level)
    cell.copy(start..<start + cell.count, of: bytes, to: 0)
    levels[level].waiting = 0
    return cell
  }

  /// Writes the page of a level and begins the next one; `cell` separates the two in the level above.
  private mutating func endPage(
    _ level: Int, lastChild: Int, parting cell: Range<Int>, of source: borrowing ByteBuffer
  ) throws(FileError) {
    let number = try write(level, lastChild: lastChild)
    levels[level].page.restart(in: &bytes)
    if level + 1 == levels.count { addLevel() }
    // With a child it needs no padding.
    let size = Int(source[cell.lowerBound])
    let end = size < 3 ? cell.lowerBound + 1 + size : cell.upperBound
    try append(cell.lowerBound..<end, of: source, child: number, level: level + 1)
  }

  private mutating func write(_ level: Int, lastChild: Int) throws(FileError) -> Int {
    levels[level].page.writeHeader(lastChild: lastChild, in: &bytes)
    return try pages.append(bytes, at: levels[level].page.start)
  }

  /// Writes overflow pages, each of which begins with the number of the next
  /// (<https://www.sqlite.org/fileformat2.html#cell_payload_overflow_pages>); returns the first.
  private mutating func writeOverflow(
    _ rest: Range<Int>, of source: borrowing ByteBuffer
  ) throws(FileError) -> Int {
    var first: Int?
    var place = rest.lowerBound
    while place < rest.upperBound {
      let end = min(rest.upperBound, place + layout.usableBytes - 4)
      overflowPage.clear(0..<pageBytes)
      overflowPage.put(UInt32(end < rest.upperBound ? overflow.numberAfterNext : 0), at: 0)
      overflowPage.copy(place..<end, of: source, to: 4)
      let number = try overflow.append(overflowPage)
      first = first ?? number
      place = end
    }
    return first ?? 0
  }
}
