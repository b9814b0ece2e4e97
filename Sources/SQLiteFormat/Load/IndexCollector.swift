package import Files
package import SQLiteSwiftly

/// An index whose entries are all in sorted runs.
package struct CollectedIndex: Sendable {
  /// The index of its table.
  package let table: Int
  /// Its position among the table's unique keys, other indexes and primary key.
  package let place: Int
  package let checksum: EntryChecksum
  let layout: EntryLayout
  let runs: [SortedRuns.Run]
  let sizes: EntrySizes
  let longestKey: Int

  /// The number of spilled bytes.
  package var bytes: Int { runs.reduce(0) { $0 + $1.bytes } }
}

/// Indexes whose entries are all in sorted runs, with the file of the runs.
package final class CollectedIndexes: Sendable {
  package let indexes: [CollectedIndex]
  let file: SpillFile

  fileprivate init(_ indexes: [CollectedIndex], _ file: consuming SpillFile) {
    self.indexes = indexes
    self.file = file
  }
}

/// Collects the entries of all indexes as rows arrive, one table after the other.
///
/// Memory holds one run for each index of a table, about 2 MB.
package struct IndexCollector: ~Copyable, Sendable {
  private let usableBytes: Int
  private var file: SpillFile
  private var table = -1
  /// The indexes of the current table.
  private var collecting: [Collecting] = []
  /// The indexes of the finished tables.
  private var collected: [CollectedIndex] = []

  /// An index of the current table, on the heap so that an array can hold it; owned by the
  /// collector alone.
  private final class Collecting: @unchecked Sendable {
    let place: Int
    var runs: SortedRuns

    init(_ place: Int, _ runs: consuming SortedRuns) {
      self.place = place
      self.runs = runs
    }
  }

  /// Prepares indexes for the database of `descriptor`, which must have at least one page.
  package init(
    for descriptor: Int32, spillingTo file: consuming SpillFile
  ) throws(FileError) {
    usableBytes = try DatabaseHeader(of: descriptor).usableBytes
    self.file = file
  }

  /// Begins a table without rows; `withKey` includes the index of its primary key.
  package mutating func begin(table index: Int, _ table: TableDescription, withKey: Bool = false) {
    self.table = index
    collecting = []
    for place in 0..<table.keyIndexPlace {
      let layout = EntryLayout(
        ofIndexOn: table.indexColumns(place), isUnique: place < table.uniqueKeys.count, in: table)
      if let layout { collect(place, layout) }
    }
    if withKey, let key = KeyIndex(of: table) { collect(table.keyIndexPlace, key.layout) }
  }

  private mutating func collect(_ place: Int, _ layout: EntryLayout) {
    collecting.append(Collecting(place, SortedRuns(layout, usableBytes: usableBytes)))
  }

  /// Collects the entries of rows of the table.
  package mutating func add(_ batch: borrowing RowBatch) throws(FileError) {
    for index in collecting { try index.runs.add(batch, spilling: &file) }
  }

  /// Finishes the table.
  package mutating func finishTable() throws(FileError) {
    for index in collecting {
      try index.runs.finish(spilling: &file)
      collected.append(
        CollectedIndex(
          table: table, place: index.place, checksum: index.runs.checksum,
          layout: index.runs.layout, runs: index.runs.runs, sizes: index.runs.sizes,
          longestKey: index.runs.longestKey))
    }
    collecting = []
  }

  /// Finishes all tables.
  package consuming func finish() throws(FileError) -> CollectedIndexes {
    try file.finish()
    return CollectedIndexes(collected, file)
  }
}
