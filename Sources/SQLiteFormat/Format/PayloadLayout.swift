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
