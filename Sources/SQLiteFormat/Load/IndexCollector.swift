package import Platform
package import SQLiteSwiftly

/// An index whose entries are all in sorted runs.
package struct CollectedIndex: Sendable {
  /// The index of its table.
  package let table: Int
  /// Its position among the table's unique keys, other indexes and primary key.
  package let place: Int
  package let checksum: EntryChecksum
  let layout: EntryLayout
  let runs: [SpillFile.Run]
  /// The form of the entries in the runs; nil for keys.
  let packing: PackedLayout?
  let sizes: EntrySizes
  let longestKey: Int

  package var bytes: Int { runs.reduce(0) { $0 + $1.bytes } }

  /// The checksum of the index in a finished file, as for a `KeyIndex`.
  ///
  /// With the header of the time when the index was written, SQLite may write elsewhere in the file meanwhile.
  package func storedChecksum(
    in descriptor: Int32, _ header: DatabaseHeader? = nil, root: Int
  ) throws(DatabaseError) -> EntryChecksum {
    try layout.storedChecksum(
      in: descriptor, header, .packedKeys, root: root, longestKey: longestKey)
  }
}

package final class CollectedIndexes: Sendable {
  package let indexes: [CollectedIndex]
  let file: SpillFile

  fileprivate init(_ indexes: [CollectedIndex], _ file: consuming SpillFile) {
    self.indexes = indexes
    self.file = file
  }
}

/// Collects the entries of all indexes as rows arrive, one table after the other; memory holds a
/// run of about 1 or 2 MB for each index of a table, and the keys of tables that others refer to, with their ranks.
package struct IndexCollector: ~Copyable, Sendable {
  private let usableBytes: Int
  private var file: SpillFile
  private var table = -1
  private var parents: ParentKeys
  private var collecting: [IndexEntries] = []
  private var collected: [CollectedIndex] = []

  /// Prepares indexes of tables, for the database of `descriptor`, which must have at least one page.
  package init(
    of tables: [TableDescription], for descriptor: Int32, spillingTo file: consuming SpillFile
  ) throws(FileError) {
    usableBytes = try DatabaseHeader(of: descriptor).usableBytes
    parents = ParentKeys(of: tables)
    self.file = file
  }

  /// Begins a table without rows; `withKey` includes the index of its primary key.
  package mutating func begin(table index: Int, withKey: Bool = false) {
    table = index
    collecting = []
    let table = parents.tables[index]
    parents.begin(table: index)
    for place in 0..<table.keyIndexPlace {
      let layout = EntryLayout(
        ofIndexOn: table.indexColumns(place), isUnique: place < table.uniqueKeys.count, in: table)
      if let layout { collect(place, layout) }
    }
    if withKey, let key = KeyIndex(of: table) { collect(table.keyIndexPlace, key.layout) }
  }

  private mutating func collect(_ place: Int, _ layout: EntryLayout) {
    let packing = PackedLayout(layout) { parents.values(ofColumn: $0) }
    collecting.append(IndexEntries(place, layout, packing, usableBytes: usableBytes))
  }

  package mutating func add(_ batch: borrowing RowBatch) throws(FileError) {
    parents.add(batch)
    for index in collecting { try index.add(batch, parents.ranks, spilling: &file) }
  }

  package mutating func finishTable() throws(FileError) {
    parents.finishTable()
    for index in collecting {
      collected.append(try index.end(table: table, spilling: &file))
    }
    collecting = []
  }

  package consuming func result() throws(FileError) -> CollectedIndexes {
    try file.flush()
    return CollectedIndexes(collected, file)
  }
}

/// SQLite's index for the primary key of a table with rowids, unless the key is the rowid.
package struct KeyIndex: Sendable {
  /// Its name (<https://www.sqlite.org/fileformat2.html#intschema>).
  package let name: String
  let layout: EntryLayout

  /// Finds the index of a table; nil if there is none, or if its entries have no checksum.
  package init?(of table: TableDescription) {
    guard !table.isWithoutRowid, !table.keyIsRowid, !table.primaryKey.isEmpty,
      let layout = EntryLayout(ofIndexOn: table.primaryKey, isUnique: true, in: table)
    else { return nil }
    name = table.indexName(table.keyIndexPlace)
    self.layout = layout
  }

  /// The checksum of the index in a finished file, which is damaged if its entries are out of
  /// order; memory holds a page of each level, and the longest entry.
  package func storedChecksum(
    in descriptor: Int32, root: Int, longestRow: Int
  ) throws(DatabaseError) -> EntryChecksum {
    try layout.storedChecksum(in: descriptor, nil, .keys, root: root, longestKey: longestRow)
  }
}

extension EntryLayout {
  fileprivate func storedChecksum(
    in descriptor: Int32, _ header: DatabaseHeader?, _ kind: TreeCursor.Kind, root: Int,
    longestKey: Int
  ) throws(DatabaseError) -> EntryChecksum {
    // The serial type of a text, or an integer, may have some more bytes than in a key.
    var entries = try TreeCursor(
      descriptor, within: header, kind, root: root,
      longestRecord: longestKey + 16 * (columns.count + 1))
    var check = RecordCheck(self)
    while try entries.next() {
      guard check.add(entries.record, of: entries.bytes) else { throw .damaged }
    }
    return check.checksum
  }
}

/// The entries of an index of the current table: packed ones, until one does not fit, and then keys.
///
/// It is on the heap so that an array can hold it, and owned by one `IndexCollector`.
final class IndexEntries: @unchecked Sendable {
  private let place: Int
  private let layout: EntryLayout
  private let usableBytes: Int
  private var packed: PackedRuns?
  private var keys: SortedRuns?

  init(_ place: Int, _ layout: EntryLayout, _ packing: PackedLayout?, usableBytes: Int) {
    self.place = place
    self.layout = layout
    self.usableBytes = usableBytes
    if let packing {
      packed = PackedRuns(packing, usableBytes: usableBytes)
    } else {
      keys = SortedRuns(layout, usableBytes: usableBytes)
    }
  }

  func add(
    _ batch: borrowing RowBatch, _ ranks: RowRanks, spilling file: inout SpillFile
  ) throws(FileError) {
    let fitting = try packed?.add(batch, ranks, spilling: &file) ?? 0
    guard fitting < batch.rows else { return }
    if let packed = packed.take() { keys = try SortedRuns(layout, continuing: packed, in: &file) }
    try keys?.add(batch, from: fitting, spilling: &file)
  }

  /// Ends the index, which then has no more entries.
  func end(table: Int, spilling file: inout SpillFile) throws(FileError) -> CollectedIndex {
    var packing: PackedLayout?
    let (runs, totals, longestKey): ([SpillFile.Run], EntryTotals, Int)
    if var packed = packed.take() {
      try packed.spill(to: &file)
      packing = packed.layout
      (runs, totals, longestKey) = (packed.runs, packed.totals, packed.layout.longestKey)
    } else {
      var keys = keys.take() ?? SortedRuns(layout, usableBytes: usableBytes)
      try keys.spillRest(to: &file)
      (runs, totals, longestKey) = (keys.runs, keys.totals, keys.longestKey)
    }
    return CollectedIndex(
      table: table, place: place, checksum: totals.checksum, layout: layout, runs: runs,
      packing: packing, sizes: totals.sizes, longestKey: longestKey)
  }
}
