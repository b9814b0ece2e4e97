import Glibc
package import Platform
package import SQLiteSwiftly

/// Writes the trees of indexes, and appends them to a database.
///
/// The size of a tree is known only once it is built, several are built at a time, and meanwhile the database may grow.
/// So each has its region in a separate file, after the maximum size of the trees before it, and is copied at the end:
/// the database does not depend on the order of completion. Overflow pages are counted beforehand and precede
/// everything else added to the database.
package final class IndexPages: Sendable {
  private static let copiedBytes = 1 << 20

  private let descriptor: Int32
  private let numbers: PageNumbers
  /// The file without a name that holds the trees until they are copied.
  let trees: Int32
  /// For each index, the ordinals of its first overflow page in the database, and of its tree in the other file.
  private let firstOverflowPages: [Int]
  private let firstPages: [Int]

  package struct Tree: Sendable {
    /// The page number of its root in that file.
    let root: Int
    let pages: Range<Int>
  }

  /// Reserves regions for the indexes; the caller keeps the descriptor of the database, which
  /// nothing else may use now; later SQLite may write to it, if it reads the header again first.
  package init(
    for indexes: CollectedIndexes, in descriptor: Int32, treesIn folder: String
  ) throws(FileError) {
    let indexes = indexes.indexes
    let header = try DatabaseHeader(of: descriptor)
    self.descriptor = descriptor
    numbers = PageNumbers(pageBytes: header.pageBytes)
    let first = numbers.ordinal(header.pages) + 1
    var nextOverflow = first
    var next = 0
    var (overflow, pages) = ([Int](), [Int]())
    for index in indexes {
      overflow.append(nextOverflow)
      nextOverflow += index.sizes.overflowPages
      pages.append(next)
      next += index.sizes.maximumPages
    }
    (firstOverflowPages, firstPages) = (overflow, pages)
    trees = try unnamedFile(in: folder)
    if nextOverflow > first { try grow(header, to: numbers.number(nextOverflow - 1)) }
  }

  deinit { close(trees) }

  /// Merges the runs of one index and writes its tree; shows the entries to an observer, in order and in batches.
  ///
  /// - Complexity: O(n log r) comparisons for n entries in r runs; memory for some megabytes of
  ///   runs that are read ahead, and a page for each level of the tree.
  package func write(
    _ place: Int, of indexes: CollectedIndexes, observer: ((consuming RowBatch) -> Void)? = nil
  ) throws(DatabaseError) -> Tree {
    let index = indexes.indexes[place]
    var merge = RunMerge(index.runs, index.packing, longestKey: index.longestKey)
    var encoder = RecordEncoder(index.layout, longestKey: index.longestKey)
    var tree = TreeBuilder(
      index.sizes.layout, pageBytes: numbers.pageBytes,
      pages: PageWriter(trees, numbers, first: firstPages[place]),
      overflow: PageWriter(descriptor, numbers, first: firstOverflowPages[place]))
    var unique = UniqueKeys()
    var observed = EntryBatch(index.layout, longestKey: index.longestKey)
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
        guard let observer else { continue }
        guard observed.append(merge.key, of: merge.buffer) else {
          throw FileError(code: damagedFile)
        }
        if observed.isFull { observer(observed.take()) }
      }
      if !unique.hasDuplicate {
        let (root, end) = try tree.end()
        observer?(observed.take())
        return Tree(root: root, pages: firstPages[place]..<end)
      }
    } catch {
      throw .file(error)
    }
    throw .duplicate
  }

  /// Copies the trees to the end of the database, which nothing else may use now, and updates its
  /// header; returns the numbers of their roots.
  package func append(_ written: [Tree]) throws(FileError) -> [Int] {
    guard !written.isEmpty else { return [] }
    let header = try DatabaseHeader(of: descriptor)
    var writer = PageWriter(descriptor, numbers, first: numbers.ordinal(header.pages) + 1)
    var roots: [Int] = []
    for tree in written {
      let distance = writer.next - tree.pages.lowerBound
      roots.append(numbers.number(numbers.ordinal(tree.root) + distance))
      try copy(tree.pages, to: &writer)
    }
    try writer.flush()
    try grow(header, to: numbers.number(writer.next - 1))
    return roots
  }

  private func grow(_ header: DatabaseHeader, to pages: Int) throws(FileError) {
    guard endFile(descriptor, after: pages * numbers.pageBytes) else {
      throw FileError(code: errno)
    }
    try header.write(pages: pages, to: descriptor)
  }

  private func copy(_ pages: Range<Int>, to writer: inout PageWriter) throws(FileError) {
    let distance = writer.next - pages.lowerBound
    let most = max(1, Self.copiedBytes / numbers.pageBytes)
    var buffer = ByteBuffer(count: most * numbers.pageBytes)
    var ordinal = pages.lowerBound
    while ordinal < pages.upperBound {
      let count = numbers.adjacentPages(from: ordinal, of: min(most, pages.upperBound - ordinal))
      let bytes = 0..<count * numbers.pageBytes
      guard
        try buffer.read(bytes, from: trees, at: numbers.offset(ordinal)) == bytes.count
      else { throw FileError(code: EIO) }
      for page in 0..<count {
        let start = page * numbers.pageBytes
        if buffer[start] == TreePage.interiorType {
          try moveChildren(ofPageAt: start, in: &buffer, of: pages, by: distance)
        }
        _ = try writer.append(buffer, at: start)
      }
      ordinal += count
    }
  }

  /// Changes the numbers of the children of the page at `start`; throws "damaged" if they are not among `pages`.
  private func moveChildren(
    ofPageAt start: Int, in bytes: inout ByteBuffer, of pages: Range<Int>, by distance: Int
  ) throws(FileError) {
    let cells = bytes.number(UInt16.self, at: start + 3)
    guard TreePage.interiorHeaderBytes + 2 * cells <= numbers.pageBytes else {
      throw FileError(code: damagedFile)
    }
    for cell in 0...cells {
      let pointer = start + TreePage.interiorHeaderBytes + 2 * cell
      let offset = cell == cells ? 8 : bytes.number(UInt16.self, at: pointer)
      guard offset + 4 <= numbers.pageBytes else { throw FileError(code: damagedFile) }
      let child = numbers.ordinal(bytes.number(UInt32.self, at: start + offset))
      guard pages.contains(child) else { throw FileError(code: damagedFile) }
      bytes.put(UInt32(numbers.number(child + distance)), at: start + offset)
    }
  }
}

/// Detects duplicate keys, which are adjacent.
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

/// Writes consecutive pages, many with one call.
struct PageWriter: ~Copyable {
  private static let bufferBytes = 1 << 20

  private let descriptor: Int32
  private let numbers: PageNumbers
  private(set) var next: Int
  private var buffer: ByteBuffer
  private var bufferedPages = 0

  /// Prepares to write to the file of `descriptor`, which the caller keeps, starting at `first`.
  init(_ descriptor: Int32, _ numbers: PageNumbers, first: Int) {
    self.descriptor = descriptor
    self.numbers = numbers
    next = first
    let pages = max(1, Self.bufferBytes / numbers.pageBytes)
    buffer = ByteBuffer(count: pages * numbers.pageBytes)
  }

  var numberAfterNext: Int { numbers.number(next + 1) }

  /// Writes the page at `offset` of `bytes`, possibly later, and returns its number.
  mutating func append(_ bytes: borrowing ByteBuffer, at offset: Int = 0) throws(FileError) -> Int {
    if (bufferedPages + 1) * numbers.pageBytes > buffer.count { try flush() }
    buffer.copy(
      offset..<offset + numbers.pageBytes, of: bytes, to: bufferedPages * numbers.pageBytes)
    bufferedPages += 1
    next += 1
    return numbers.number(next - 1)
  }

  mutating func flush() throws(FileError) {
    var written = 0
    while written < bufferedPages {
      let ordinal = next - bufferedPages + written
      let count = numbers.adjacentPages(from: ordinal, of: bufferedPages - written)
      let bytes = written * numbers.pageBytes..<(written + count) * numbers.pageBytes
      try descriptor.writeAll(buffer.span(bytes), at: numbers.offset(ordinal))
      written += count
    }
    bufferedPages = 0
  }
}

/// The numbers of the pages available to a tree, counted from 0.
///
/// The page at the first byte after a gibibyte is never used, since SQLite locks that byte
/// (<https://www.sqlite.org/fileformat2.html#the_lock_byte_page>).
struct PageNumbers: Sendable {
  let pageBytes: Int
  private let lockPage: Int

  init(pageBytes: Int) {
    self.pageBytes = pageBytes
    lockPage = (1 << 30) / pageBytes + 1
  }

  @inline(__always)
  func number(_ ordinal: Int) -> Int { ordinal + 1 < lockPage ? ordinal + 1 : ordinal + 2 }

  func ordinal(_ number: Int) -> Int { number < lockPage ? number - 1 : number - 2 }

  func offset(_ ordinal: Int) -> Int { (number(ordinal) - 1) * pageBytes }

  /// The number of pages, at most `count`, that are adjacent in the file from `ordinal`.
  func adjacentPages(from ordinal: Int, of count: Int) -> Int {
    let beforeLock = lockPage - 1 - ordinal
    return beforeLock > 0 ? min(count, beforeLock) : count
  }
}
