import Glibc
package import Platform
package import SQLiteSwiftly

/// Writes the trees of indexes into a database.
///
/// The size of a tree is known only once it is built, several are built at a time, and meanwhile the database may grow.
/// So the fewest pages that a tree can have are reserved in the database, and the rest, a few in a thousand unless one
/// entry is far longer than most, is written to a separate file, after the most that the trees before it can have, and
/// copied at the end: the database does not depend on the order of completion. Overflow pages are counted beforehand.
package final class IndexPages: Sendable {
  private let descriptor: Int32
  private let numbers: PageNumbers
  /// The file without a name that holds the rest of the trees until it is copied.
  let rests: Int32
  /// The ordinals of each index: of its first overflow page, its reserved pages, and the first page of the rest.
  ///
  /// The rest has the same places in the other file, after those of all that is reserved.
  private let places: [(overflow: Int, reserved: Range<Int>, rest: Int)]

  package struct Tree: Sendable {
    /// The page number of its root, before the rest is moved.
    let root: Int
    let reserved: Range<Int>
    let rest: Range<Int>
  }

  /// Reserves regions for the indexes; the caller keeps the descriptor of the database, which
  /// nothing else may use now; later SQLite may write to it, if it reads the header again first.
  package init(
    for indexes: CollectedIndexes, in descriptor: Int32, restsIn folder: String
  ) throws(FileError) {
    let indexes = indexes.indexes
    let header = try DatabaseHeader(of: descriptor)
    self.descriptor = descriptor
    numbers = PageNumbers(pageBytes: header.pageBytes)
    let first = numbers.ordinal(header.pages) + 1
    var nextOverflow = first
    var next = first + indexes.reduce(0) { $0 + $1.sizes.overflowPages }
    var nextRest = next + indexes.reduce(0) { $0 + $1.sizes.leastPages }
    let end = nextRest
    var places: [(overflow: Int, reserved: Range<Int>, rest: Int)] = []
    for sizes in indexes.map(\.sizes) {
      places.append((nextOverflow, next..<next + sizes.leastPages, nextRest))
      nextOverflow += sizes.overflowPages
      next += sizes.leastPages
      nextRest += sizes.maximumPages - sizes.leastPages
    }
    self.places = places
    rests = try unnamedFile(in: folder)
    if end > first { try grow(header, to: numbers.number(end - 1)) }
  }

  deinit { close(rests) }

  /// Merges the runs of one index and writes its tree; shows the entries to an observer, in order and in batches.
  ///
  /// - Complexity: O(n log r) comparisons for n entries in r runs; memory for some megabytes of
  ///   runs that are read ahead, and a page for each level of the tree.
  package func write(
    _ place: Int, of indexes: CollectedIndexes, observer: ((borrowing RowBatch) -> Void)? = nil
  ) throws(DatabaseError) -> Tree {
    let index = indexes.indexes[place]
    let (overflow, reserved, rest) = places[place]
    var tree = TreeBuilder(
      index.sizes.layout, pageBytes: numbers.pageBytes,
      pages: PageWriter(
        descriptor, numbers, first: reserved.lowerBound,
        continuing: (end: reserved.upperBound, descriptor: rests, first: rest)),
      overflow: PageWriter(descriptor, numbers, first: overflow))
    var observed = EntryBatch(index.layout, longestKey: index.longestKey)
    do throws(FileError) {
      let areUnique =
        if let packing = index.packing {
          try Self.append(index, packing, from: indexes.file, to: &tree, &observed, observer)
        } else {
          try Self.append(index, from: indexes.file, to: &tree, &observed, observer)
        }
      if areUnique {
        let (root, end) = try tree.end()
        observer?(observed.take())
        // SQLite would find a page that is reserved, but not used.
        guard end >= reserved.upperBound else { throw FileError(code: damagedFile) }
        return Tree(root: root, reserved: reserved, rest: rest..<max(rest, end))
      }
    } catch {
      throw .file(error)
    }
    throw .duplicate
  }

  /// Appends the entries of an index with keys; false if two keys are equal that must not be.
  private static func append(
    _ index: CollectedIndex, from file: borrowing SpillFile, to tree: inout TreeBuilder,
    _ observed: inout EntryBatch, _ observer: ((borrowing RowBatch) -> Void)?
  ) throws(FileError) -> Bool {
    var merge = RunMerge(index.runs, longestKey: index.longestKey)
    var encoder = RecordEncoder(index.layout, longestKey: index.longestKey)
    var unique = UniqueKeys()
    while try merge.next(file) {
      guard let record = encoder.encode(merge.key, of: merge.buffer) else {
        throw FileError(code: damagedFile)
      }
      if let end = encoder.uniqueEnd {
        unique.add(merge.key.lowerBound..<end, of: merge.buffer)
        if unique.hasDuplicate { return false }
      }
      try tree.append(record, of: &encoder.bytes)
      guard let observer else { continue }
      guard observed.append(merge.key, of: merge.buffer) else {
        throw FileError(code: damagedFile)
      }
      if observed.isFull { observer(observed.take()) }
    }
    return true
  }

  /// The same for packed entries.
  private static func append(
    _ index: CollectedIndex, _ packing: PackedLayout, from file: borrowing SpillFile,
    to tree: inout TreeBuilder, _ observed: inout EntryBatch,
    _ observer: ((borrowing RowBatch) -> Void)?
  ) throws(FileError) -> Bool {
    var merge = PackedMerge(index.runs)
    var records = PackedRecords(packing)
    let uniqueFields = index.layout.uniqueColumns
    var last: UInt64?
    while let entry = try merge.next(file) {
      let common = last.map { packing.commonFields(entry, $0) } ?? 0
      last = entry
      if uniqueFields > 0, common >= uniqueFields, !packing.hasNull(entry, fields: uniqueFields) {
        return false
      }
      guard let record = records.encode(entry, sharing: common) else {
        throw FileError(code: damagedFile)
      }
      try tree.append(record, of: &records.bytes)
      guard let observer else { continue }
      guard observed.append(entry, of: packing, sharing: common) else {
        throw FileError(code: damagedFile)
      }
      if observed.isFull { observer(observed.take()) }
    }
    return true
  }

  /// Copies the rest of the trees to the end of the database, which nothing else may use now, and updates its
  /// header; returns the numbers of their roots.
  package func append(_ written: [Tree]) throws(FileError) -> [Int] {
    guard !written.isEmpty else { return [] }
    let header = try DatabaseHeader(of: descriptor)
    var writer = PageWriter(descriptor, numbers, first: numbers.ordinal(header.pages) + 1)
    var roots: [Int] = []
    for tree in written {
      let root = numbers.ordinal(tree.root)
      let distance = tree.rest.contains(root) ? writer.next - tree.rest.lowerBound : 0
      roots.append(numbers.number(root + distance))
      try copyRest(of: tree, to: &writer)
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

  private func copyRest(of tree: Tree, to writer: inout PageWriter) throws(FileError) {
    let distance = writer.next - tree.rest.lowerBound
    var page = ByteBuffer(count: numbers.pageBytes)
    for ordinal in tree.rest {
      guard
        try page.read(0..<numbers.pageBytes, from: rests, at: numbers.offset(ordinal))
          == numbers.pageBytes
      else { throw FileError(code: EIO) }
      if page[0] == TreePage.interiorType { try moveChildren(of: &page, in: tree, by: distance) }
      _ = try writer.append(page)
    }
  }

  /// Changes the numbers of the children in the rest of the tree; throws "damaged" if any is in no part of it.
  private func moveChildren(
    of page: inout ByteBuffer, in tree: Tree, by distance: Int
  ) throws(FileError) {
    let cells = page.number(UInt16.self, at: 3)
    guard TreePage.interiorHeaderBytes + 2 * cells <= numbers.pageBytes else {
      throw FileError(code: damagedFile)
    }
    for cell in 0...cells {
      let pointer = TreePage.interiorHeaderBytes + 2 * cell
      let offset = cell == cells ? 8 : page.number(UInt16.self, at: pointer)
      guard offset + 4 <= numbers.pageBytes else { throw FileError(code: damagedFile) }
      let child = numbers.ordinal(page.number(UInt32.self, at: offset))
      if tree.reserved.contains(child) { continue }
      guard tree.rest.contains(child) else { throw FileError(code: damagedFile) }
      page.put(UInt32(numbers.number(child + distance)), at: offset)
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

  /// Where the pages are written that follow those before `end`.
  typealias Continuation = (end: Int, descriptor: Int32, first: Int)

  private var descriptor: Int32
  private var continuation: Continuation?
  private let numbers: PageNumbers
  private(set) var next: Int
  private var buffer: ByteBuffer
  private var bufferedPages = 0

  /// Prepares to write to the file of `descriptor`, which the caller keeps, starting at `first`.
  init(
    _ descriptor: Int32, _ numbers: PageNumbers, first: Int, continuing: Continuation? = nil
  ) {
    self.descriptor = descriptor
    continuation = continuing
    self.numbers = numbers
    next = first
    let pages = max(1, Self.bufferBytes / numbers.pageBytes)
    buffer = ByteBuffer(count: pages * numbers.pageBytes)
  }

  var numberAfterNext: Int { numbers.number(next + 1) }

  /// Writes the page at `offset` of `bytes`, possibly later, and returns its number.
  mutating func append(_ bytes: borrowing ByteBuffer, at offset: Int = 0) throws(FileError) -> Int {
    if let continuation, next == continuation.end {
      try flush()
      (descriptor, next) = (continuation.descriptor, continuation.first)
      self.continuation = nil
    }
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
