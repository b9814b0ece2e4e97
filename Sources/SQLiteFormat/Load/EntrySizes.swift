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
