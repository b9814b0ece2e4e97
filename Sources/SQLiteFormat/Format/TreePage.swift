/// A page of an index's tree, filled from its end towards its beginning, among the bytes of all
/// levels (<https://www.sqlite.org/fileformat2.html#b_tree_pages>); unwritten bytes are zero.
struct TreePage: Sendable {
  /// The first byte of a leaf page; inner pages have another.
  static let leafType: UInt8 = 0x0a
  static let interiorType: UInt8 = 0x02
  /// The first byte of a leaf page in a table with rowids.
  static let tableLeafType: UInt8 = 0x0d
  static let tableInteriorType: UInt8 = 0x05
  static let leafHeaderBytes = 8
  static let interiorHeaderBytes = 12

  let start: Int
  private let isLeaf: Bool
  private let usableBytes: Int
  private(set) var cells = 0
  /// The start of the cells in the page, the last one first.
  private var contentStart: Int
  private var lastCellBytes = 0

  init(at start: Int, isLeaf: Bool, usableBytes: Int) {
    self.start = start
    self.isLeaf = isLeaf
    self.usableBytes = usableBytes
    contentStart = usableBytes
  }

  private var headerBytes: Int { isLeaf ? Self.leafHeaderBytes : Self.interiorHeaderBytes }
  private var childBytes: Int { isLeaf ? 0 : 4 }

  /// Whether a cell of that many bytes fits, in addition to the number of a child.
  @inline(__always)
  func hasRoom(for cell: Int) -> Bool {
    contentStart - cell - childBytes >= headerBytes + 2 * (cells + 1)
  }

  /// Appends the cell at `cell` of `source`; the entries of the page `child` sort before it.
  @inline(__always)
  mutating func append(
    _ cell: Range<Int>, of source: borrowing ByteBuffer, child: Int, in bytes: inout ByteBuffer
  ) {
    contentStart -= cell.count + childBytes
    if !isLeaf { bytes.put(UInt32(child), at: start + contentStart) }
    bytes.copy(cell, of: source, to: start + contentStart + childBytes)
    bytes.put(UInt16(truncatingIfNeeded: contentStart), at: start + headerBytes + 2 * cells)
    lastCellBytes = cell.count + childBytes
    cells += 1
  }

  func lastChild(in bytes: borrowing ByteBuffer) -> Int {
    isLeaf ? 0 : bytes.number(UInt32.self, at: start + contentStart)
  }

  /// Removes the last cell, which is possible once, and returns it without its child.
  mutating func removeLast(from bytes: inout ByteBuffer) -> ByteBuffer {
    let place = start + contentStart..<start + contentStart + lastCellBytes
    var cell = ByteBuffer(count: lastCellBytes - childBytes)
    cell.copy(place.dropFirst(childBytes), of: bytes, to: 0)
    bytes.clear(place)
    cells -= 1
    bytes.put(UInt16(0), at: start + headerBytes + 2 * cells)
    contentStart += lastCellBytes
    lastCellBytes = 0
    return cell
  }

  /// Writes the header; the entries of the page `lastChild` sort after the last cell.
  func writeHeader(lastChild: Int, in bytes: inout ByteBuffer) {
    bytes[start] = isLeaf ? Self.leafType : Self.interiorType
    bytes.put(UInt16(cells), at: start + 3)
    // 65,536 is written as 0.
    bytes.put(UInt16(truncatingIfNeeded: contentStart), at: start + 5)
    if !isLeaf { bytes.put(UInt32(lastChild), at: start + 8) }
  }

  /// Empties the page to fill the next one.
  mutating func restart(in bytes: inout ByteBuffer) {
    bytes.clear(start..<start + usableBytes)
    cells = 0
    contentStart = usableBytes
    lastCellBytes = 0
  }
}

/// SQLite's division of a cell's payload between a page and overflow pages
/// (<https://www.sqlite.org/fileformat2.html#b_tree_pages>).
struct PayloadLayout: Sendable {
  /// The bytes of a page without those reserved at its end.
  let usableBytes: Int
  /// The maximum size of a payload that is stored entirely in the page.
  let maximumLocal: Int
  private let leastLocal: Int

  init(usableBytes: Int, isTableLeaf: Bool = false) {
    self.usableBytes = usableBytes
    maximumLocal = isTableLeaf ? usableBytes - 35 : (usableBytes - 12) * 64 / 255 - 23
    leastLocal = (usableBytes - 12) * 32 / 255 - 23
  }

  @inline(__always)
  func localBytes(_ payload: Int) -> Int {
    if payload <= maximumLocal { return payload }
    let local = leastLocal + (payload - leastLocal) % (usableBytes - 4)
    return local <= maximumLocal ? local : leastLocal
  }

  /// The number of overflow pages of a payload; each begins with the number of the next.
  @inline(__always)
  func overflowPages(_ payload: Int) -> Int {
    if payload <= maximumLocal { return 0 }
    return (payload - localBytes(payload) + usableBytes - 5) / (usableBytes - 4)
  }

  /// The bytes of a leaf cell: the size of the payload, its local part, and the number of the first
  /// overflow page; at least those of a free block.
  @inline(__always)
  func cellBytes(_ payload: Int) -> Int { max(4, entryBytes(payload)) }

  /// The bytes of a cell above the leaves, without the number of its child.
  @inline(__always)
  func entryBytes(_ payload: Int) -> Int {
    let local = localBytes(payload)
    return RecordFormat.varintBytes(payload) + local + (local < payload ? 4 : 0)
  }
}

/// The size of an index's entries in its pages, added up before they are written.
struct EntrySizes: Sendable {
  let layout: PayloadLayout
  private(set) var overflowPages = 0
  private var cellBytes = 0
  private var largestCell = 0

  init(usableBytes: Int) { layout = PayloadLayout(usableBytes: usableBytes) }

  @inline(__always)
  mutating func add(payload: Int) {
    // Includes the pointer to the cell.
    let cell = layout.cellBytes(payload) + 2
    cellBytes += cell
    largestCell = max(largestCell, cell)
    overflowPages += layout.overflowPages(payload)
  }

  /// No tree of these entries has fewer pages, without overflow pages.
  ///
  /// Its leaves are full, and above them is one entry less than there are leaves, each at most as large as the largest.
  var leastPages: Int {
    let leaf = layout.usableBytes - 8 + largestCell
    return max(1, (cellBytes + largestCell + leaf - 1) / leaf)
  }

  /// The maximum number of pages of the tree, without overflow pages.
  ///
  /// A page is full when the next cell does not fit, so its free space is smaller than the largest
  /// cell. A page above the leaves has four more bytes in each cell, and one child more than cells.
  var maximumPages: Int {
    var pages = cellBytes / (layout.usableBytes - 12 - largestCell) + 2
    var level = pages
    while level > 1 {
      level = level / ((layout.usableBytes - 12) / (largestCell + 4) + 1) + 2
      pages += level
      if level <= 3 { break }
    }
    return pages + 3
  }
}
