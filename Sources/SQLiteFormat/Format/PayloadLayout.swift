/// How SQLite divides the payload of a cell between a page and overflow pages
/// (<https://www.sqlite.org/fileformat2.html#b_tree_pages>).
struct PayloadLayout: Sendable {
  /// Bytes of a page without those that are reserved at its end.
  let usableBytes: Int
  /// The most bytes of a payload that is in the page as a whole.
  let mostLocal: Int
  private let leastLocal: Int

  init(usableBytes: Int, isTableLeaf: Bool = false) {
    self.usableBytes = usableBytes
    mostLocal = isTableLeaf ? usableBytes - 35 : (usableBytes - 12) * 64 / 255 - 23
    leastLocal = (usableBytes - 12) * 32 / 255 - 23
  }

  @inline(__always)
  func localBytes(_ payload: Int) -> Int {
    if payload <= mostLocal { return payload }
    let local = leastLocal + (payload - leastLocal) % (usableBytes - 4)
    return local <= mostLocal ? local : leastLocal
  }

  /// The overflow pages of a payload, each of which begins with the number of the next.
  @inline(__always)
  func overflowPages(_ payload: Int) -> Int {
    if payload <= mostLocal { return 0 }
    return (payload - localBytes(payload) + usableBytes - 5) / (usableBytes - 4)
  }

  /// The bytes of a leaf's cell: the size of the payload, its local part, and the number of the first
  /// overflow page.
  ///
  /// SQLite lets no cell be smaller than a free block.
  @inline(__always)
  func cellBytes(_ payload: Int) -> Int { max(4, entryBytes(payload)) }

  /// The bytes of a cell above the leaves without the number of its child.
  @inline(__always)
  func entryBytes(_ payload: Int) -> Int {
    let local = localBytes(payload)
    return RecordFormat.varintBytes(payload) + local + (local < payload ? 4 : 0)
  }
}
