package import Files
import Glibc

/// Writes the trees of indexes after the last page of a database that nobody uses meanwhile.
///
/// How many pages a tree takes is known once it is built, and several are built at a time. So each has its
/// place beyond the most pages that those before it can take, and is moved up to them in the end: the
/// file is the same whichever is done first. What is too long for a page is counted beforehand and comes
/// before all trees.
package struct IndexPages: Sendable {
  private let descriptor: Int32
  private let header: DatabaseHeader
  private let numbers: PageNumbers
  /// For each index, the ordinals where its overflow pages and its tree begin.
  private let firstOverflowPages: [Int]
  private let firstPages: [Int]

  /// An index that was written.
  package struct Tree: Sendable {
    /// The number of its root, where it was written.
    let root: Int
    /// The ordinals of its pages.
    let pages: Range<Int>
  }

  /// Finds places for the indexes in the file of `descriptor`, which stays the caller's.
  package init(
    for indexes: CollectedIndexes, in descriptor: Int32
  ) throws(FileError) {
    let indexes = indexes.indexes
    self.descriptor = descriptor
    header = try DatabaseHeader(of: descriptor)
    numbers = PageNumbers(pageBytes: header.pageBytes)
    var next = numbers.ordinal(header.pages) + 1
    var (overflow, pages) = ([Int](), [Int]())
    for index in indexes {
      overflow.append(next)
      next += index.sizes.overflowPages
    }
    for index in indexes {
      pages.append(next)
      next += index.sizes.mostPages
    }
    (firstOverflowPages, firstPages) = (overflow, pages)
  }

  /// Merges the runs of one of the indexes and writes its tree, on the calling thread.
  ///
  /// - Parameters:
  ///   - place: which of the indexes it is.
  ///   - indexes: those that places were found for.
  ///   - uses: what the entries are added up by, if they are.
  /// - Returns: Its tree, and the statistics of its entries.
  /// - Throws: `DatabaseError`.
  /// - Complexity: O(n log r) comparisons for n entries in r runs; memory for some megabytes of runs that
  ///   are read ahead, and a page for each level of the tree.
  package func write(
    _ place: Int, of indexes: CollectedIndexes, addingUpBy uses: OwnerUses? = nil
  ) throws(DatabaseError) -> (tree: Tree, results: AggregateResults?) {
    let index = indexes.indexes[place]
    var merge = RunMerge(index.runs, longestKey: index.longestKey)
    var encoder = RecordEncoder(index.layout, longestKey: index.longestKey)
    var tree = TreeBuilder(
      index.sizes.layout, pageBytes: header.pageBytes,
      pages: PageWriter(descriptor, numbers, first: firstPages[place]),
      overflow: PageWriter(descriptor, numbers, first: firstOverflowPages[place]))
    var unique = UniqueKeys()
    var aggregation = uses.map { Aggregation($0) }
    do throws(FileError) {
      while try merge.next(indexes.file) {
        guard let record = encoder.encode(merge.key, of: merge.buffer) else {
          throw FileError(code: damagedFile)
        }
        if let end = encoder.uniqueEnd {
          unique.add(merge.key.lowerBound..<end, of: merge.buffer)
          if unique.hasDuplicate { break }
        }
        try tree.append(record, of: &encoder.bytes)
        guard aggregation?.add(merge.key, of: merge.buffer) ?? true else {
          throw FileError(code: damagedFile)
        }
      }
      if !unique.hasDuplicate {
        let (root, end) = try tree.finish()
        let results = aggregation.take()?.finish()
        return (Tree(root: root, pages: firstPages[place]..<end), results)
      }
    } catch {
      throw .file(error)
    }
    throw .duplicate
  }

  /// Moves the trees together, and says in the header what the file has now.
  ///
  /// - Parameter trees: those of all indexes, in their order.
  /// - Returns: The numbers of their roots.
  /// - Throws: `FileError` if a page cannot be read or written.
  package func finish(_ trees: [Tree]) throws(FileError) -> [Int] {
    guard let first = trees.first else { return [] }
    var next = first.pages.lowerBound
    var roots: [Int] = []
    for tree in trees {
      let distance = tree.pages.lowerBound - next
      if distance > 0 { try move(tree.pages, by: distance) }
      roots.append(numbers.number(numbers.ordinal(tree.root) - distance))
      next += tree.pages.count
    }
    let pages = numbers.number(next - 1)
    guard endFile(descriptor, after: pages * header.pageBytes) else {
      throw FileError(code: errno)
    }
    try header.write(pages: pages, to: descriptor)
    return roots
  }

  /// Moves the pages of a tree towards the beginning of the file.
  private func move(_ pages: Range<Int>, by distance: Int) throws(FileError) {
    var writer = PageWriter(descriptor, numbers, first: pages.lowerBound - distance)
    var page = ByteBuffer(count: header.pageBytes)
    for ordinal in pages {
      let count = try page.read(
        0..<header.pageBytes, from: descriptor, at: numbers.offset(ordinal))
      guard count == page.count else { throw FileError(code: EIO) }
      if page[0] == TreePage.interiorType {
        try moveChildren(in: &page, of: pages, by: distance)
      }
      _ = try writer.append(page)
    }
    try writer.flush()
  }

  /// Changes the numbers of the children of a page, which are among `pages`.
  ///
  /// - Throws: `FileError`, with `damagedFile` if they are not, so that this is not the page that was
  ///   written.
  private func moveChildren(
    in page: inout ByteBuffer, of pages: Range<Int>, by distance: Int
  ) throws(FileError) {
    let cells = page.number(UInt16.self, at: 3)
    guard TreePage.interiorHeaderBytes + 2 * cells <= page.count else {
      throw FileError(code: damagedFile)
    }
    for cell in 0...cells {
      let pointer = TreePage.interiorHeaderBytes + 2 * cell
      let place = cell == cells ? 8 : page.number(UInt16.self, at: pointer)
      guard place + 4 <= page.count else { throw FileError(code: damagedFile) }
      let child = numbers.ordinal(page.number(UInt32.self, at: place))
      guard pages.contains(child) else { throw FileError(code: damagedFile) }
      page.put(UInt32(numbers.number(child - distance)), at: place)
    }
  }
}

/// Finds keys that come a second time, one right after the other.
private struct UniqueKeys: ~Copyable {
  private var last = ByteBuffer(count: 0)
  private var count = -1
  private(set) var hasDuplicate = false

  mutating func add(_ key: Range<Int>, of bytes: borrowing ByteBuffer) {
    hasDuplicate = count == key.count && bytes.areEqual(key, to: 0..<count, of: last)
    last.grow(to: key.count)
    last.copy(key, of: bytes, to: 0)
    count = key.count
  }
}
