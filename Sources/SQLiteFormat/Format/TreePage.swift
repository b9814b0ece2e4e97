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
  func finish(lastChild: Int, in bytes: inout ByteBuffer) {
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
