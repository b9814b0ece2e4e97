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
  /// overflow page.
  ///
  /// A cell in SQLite is at least as large as a free block.
  @inline(__always)
  func cellBytes(_ payload: Int) -> Int { max(4, entryBytes(payload)) }

  /// The bytes of a cell above the leaves, without the number of its child.
  @inline(__always)
  func entryBytes(_ payload: Int) -> Int {
    let local = localBytes(payload)
    return RecordFormat.varintBytes(payload) + local + (local < payload ? 4 : 0)
  }
}
