import Files

/// Reads the entries of an index back from a finished file, page by page.
///
/// It knows no more of the file than its format, and trusts nothing in it.
package struct IndexReader: ~Copyable {
  /// The most levels that a tree can have: there are four billion pages at most, and each has two
  /// children at least.
  private static let mostLevels = 33

  private let descriptor: Int32
  private let header: DatabaseHeader
  private let layout: PayloadLayout
  private var window: PageWindow
  private var overflowWindow: PageWindow
  /// The page of each level that is being read.
  private var pages: ByteBuffer
  /// A record that does not fit into a page.
  private var longRecord = ByteBuffer(count: 0)
  /// More bytes than a record of the index has.
  private var mostRecordBytes = 0
  private var pagesRead = 0

  /// Prepares to read the file of `descriptor`, which stays the caller's.
  ///
  /// - Throws: `IndexError` if its header cannot be read.
  package init(_ descriptor: Int32) throws(IndexError) {
    self.descriptor = descriptor
    do throws(FileError) {
      header = try DatabaseHeader(of: descriptor)
    } catch {
      throw .file(error)
    }
    layout = PayloadLayout(usableBytes: header.usableBytes)
    window = PageWindow(header)
    overflowWindow = PageWindow(header)
    pages = ByteBuffer(count: Self.mostLevels * header.pageBytes)
  }

  /// Reads an index.
  ///
  /// - Parameters:
  ///   - index: what it must consist of.
  ///   - root: the number of its root page.
  /// - Returns: The sum of its entries.
  /// - Throws: `IndexError`: `damaged` if it is no index, or if an entry does not come after the one
  ///   before it.
  /// - Complexity: O(n); memory for a page of each level, and for the longest entry.
  package mutating func checksum(
    of index: CollectedIndex, root: Int
  ) throws(IndexError) -> EntryChecksum {
    pagesRead = 0
    // The serial type of a text, and an integer, can take some bytes more than they do in a key.
    mostRecordBytes = index.longestKey + 16 * (index.layout.columns.count + 1)
    var entries = EntryCheck(index.layout)
    try read(root, level: 0, &entries)
    return entries.checksum
  }

  private mutating func read(
    _ number: Int, level: Int, _ entries: inout EntryCheck
  ) throws(IndexError) {
    // Pages that refer to one another in a circle would be read for ever.
    pagesRead += 1
    guard level < Self.mostLevels, pagesRead <= header.pages else { throw .damaged }
    let start = level * header.pageBytes
    try load(number, to: start)
    let isLeaf = pages[start] == TreePage.leafType
    guard isLeaf || pages[start] == TreePage.interiorType else { throw .damaged }
    let headerBytes = isLeaf ? TreePage.leafHeaderBytes : TreePage.interiorHeaderBytes
    let cells = pages.number(UInt16.self, at: start + 3)
    guard headerBytes + 2 * cells <= header.usableBytes else { throw .damaged }
    var cellBytes = 0
    for cell in 0..<cells {
      var place = pages.number(UInt16.self, at: start + headerBytes + 2 * cell)
      guard place >= headerBytes, place + 4 <= header.usableBytes else { throw .damaged }
      if !isLeaf {
        try read(pages.number(UInt32.self, at: start + place), level: level + 1, &entries)
        place += 4
      }
      let size = try add(at: place, inPageAt: start, &entries)
      cellBytes += isLeaf ? layout.cellBytes(size) : 4 + layout.entryBytes(size)
    }
    try checkFreeBytes(inPageAt: start, headerBytes + 2 * cells, cellBytes)
    if !isLeaf {
      try read(pages.number(UInt32.self, at: start + 8), level: level + 1, &entries)
    }
  }

  /// Checks what a page's header says of its free bytes: all are between the pointers and the cells.
  private func checkFreeBytes(
    inPageAt start: Int, _ pointersEnd: Int, _ cellBytes: Int
  ) throws(IndexError) {
    let content = pages.number(UInt16.self, at: start + 5)
    // 65,536 is written as 0.
    let contentStart = content == 0 ? 65536 : content
    guard pages.number(UInt16.self, at: start + 1) == 0, pages[start + 7] == 0,
      contentStart >= pointersEnd, contentStart == header.usableBytes - cellBytes
    else { throw .damaged }
  }

  /// Adds the entry whose cell is at `place` of a page.
  ///
  /// - Returns: The bytes of its record.
  @inline(__always)
  private mutating func add(
    at place: Int, inPageAt start: Int, _ entries: inout EntryCheck
  ) throws(IndexError) -> Int {
    let end = start + header.usableBytes
    var place = start + place
    guard let size = RecordFormat.varint(in: pages, at: &place), size >= 0 else {
      throw .damaged
    }
    let local = layout.localBytes(size)
    guard place + local <= end else { throw .damaged }
    if local == size {
      guard entries.add(place..<place + size, of: pages) else { throw .damaged }
    } else {
      try readLongRecord(at: place, local: local, size: size, pageEnd: end)
      guard entries.add(0..<size, of: longRecord) else { throw .damaged }
    }
    return size
  }

  /// Puts together a record of which some is in overflow pages.
  private mutating func readLongRecord(
    at place: Int, local: Int, size: Int, pageEnd: Int
  ) throws(IndexError) {
    guard size <= mostRecordBytes, place + local + 4 <= pageEnd else {
      throw .damaged
    }
    longRecord.grow(to: size)
    longRecord.copy(place..<place + local, of: pages, to: 0)
    var next = pages.number(UInt32.self, at: place + local)
    var filled = local
    while filled < size {
      let count = min(size - filled, header.usableBytes - 4)
      let start = try overflowWindow.place(of: next, in: header, descriptor)
      next = overflowWindow.bytes.number(UInt32.self, at: start)
      longRecord.copy(start + 4..<start + 4 + count, of: overflowWindow.bytes, to: filled)
      filled += count
    }
    guard next == 0 else { throw .damaged }
  }

  /// Copies a page to `place` of those of the levels.
  private mutating func load(_ number: Int, to place: Int) throws(IndexError) {
    let start = try window.place(of: number, in: header, descriptor)
    pages.copy(start..<start + header.pageBytes, of: window.bytes, to: place)
  }
}

/// Pages that were read with one call.
private struct PageWindow: ~Copyable {
  /// The bytes that are read at a time; the leaves of an index follow one another in a new file, and so
  /// do its overflow pages.
  private static let mostBytes = 1 << 20

  private(set) var bytes: ByteBuffer
  private var pages = 0..<0

  init(_ header: DatabaseHeader) {
    bytes = ByteBuffer(count: max(Self.mostBytes, header.pageBytes))
  }

  /// Makes sure that a page is there.
  ///
  /// - Returns: Its place among the bytes.
  @inline(__always)
  mutating func place(
    of number: Int, in header: DatabaseHeader, _ descriptor: Int32
  ) throws(IndexError) -> Int {
    if !pages.contains(number) { try read(number, of: header, descriptor) }
    return (number - pages.lowerBound) * header.pageBytes
  }

  private mutating func read(
    _ number: Int, of header: DatabaseHeader, _ descriptor: Int32
  ) throws(IndexError) {
    guard number > 0, number <= header.pages else { throw .damaged }
    let count = min(bytes.count / header.pageBytes, header.pages - number + 1)
    let range = 0..<count * header.pageBytes
    do throws(FileError) {
      let read = try bytes.read(range, from: descriptor, at: (number - 1) * header.pageBytes)
      guard read == range.count else { throw FileError(code: damagedFile) }
    } catch {
      throw .file(error)
    }
    pages = number..<number + count
  }
}
