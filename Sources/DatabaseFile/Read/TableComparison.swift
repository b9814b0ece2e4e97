import SQLiteSwiftly

/// Goes through the rows of an older table beside those of a new one, both sorted by the same key, and counts
/// what differs.
///
/// Most rows are the same byte for byte, and nothing is looked up in them.
struct TableComparison: ~Copyable {
  private let layout: TableLayout
  private var old: TreeCursor
  private var hasOld: Bool
  private var oldValues: RecordValues
  private var newValues: RecordValues
  /// The NULLs of rows that are not the same byte for byte, for each value of a record.
  private var oldNulls: [Int]
  private var newNulls: [Int]
  private var differences: RowDifferences

  /// - Throws: `DatabaseError` if the older table cannot be read.
  init(
    _ layout: TableLayout, _ kind: TreeCursor.Kind, _ table: StoredTable, longestRecord: Int
  ) throws(DatabaseError) {
    var old = try TreeCursor(
      table.descriptor, kind, root: table.root, longestRecord: longestRecord)
    let hasOld = try old.next()
    self.old = old
    self.hasOld = hasOld
    self.layout = layout
    let count = layout.columns.count
    oldValues = RecordValues(count: count)
    newValues = oldValues
    oldNulls = [Int](repeating: 0, count: count)
    newNulls = oldNulls
    differences = RowDifferences(columns: 0)
  }

  /// Adds the next row of the new table.
  ///
  /// - Throws: `DatabaseError` if the older table cannot be read.
  @inline(__always)
  mutating func add(_ new: borrowing TreeCursor) throws(DatabaseError) {
    differences.rowsAfter += 1
    if hasOld, old.rowid == new.rowid, new.bytes.areEqual(new.record, to: old.record, of: old.bytes)
    {
      differences.commonKeys += 1
      try nextOld()
    } else {
      try addOther(new)
    }
  }

  private mutating func nextOld() throws(DatabaseError) {
    differences.rowsBefore += 1
    hasOld = try old.next()
  }

  /// Adds a row that differs from the older one that is next.
  private mutating func addOther(_ new: borrowing TreeCursor) throws(DatabaseError) {
    guard newValues.find(in: new.record, of: new.bytes) else { throw .damaged }
    newValues.countNulls(in: &newNulls)
    while hasOld {
      try findOldValues()
      let order = oldOrder(new)
      guard order <= 0 else { return }
      oldValues.countNulls(in: &oldNulls)
      if order == 0 {
        differences.commonKeys += 1
        if hasChanged(new) { differences.changedKeys += 1 }
        return try nextOld()
      }
      try nextOld()
    }
  }

  private mutating func findOldValues() throws(DatabaseError) {
    guard oldValues.find(in: old.record, of: old.bytes) else { throw .damaged }
  }

  /// How the key of the older row is sorted against that of the new one.
  private func oldOrder(_ new: borrowing TreeCursor) -> Int {
    if layout.hasRowids { return old.rowid < new.rowid ? -1 : old.rowid == new.rowid ? 0 : 1 }
    for index in 0..<layout.keyColumns {
      let order = oldValues.order(index, in: old.bytes, newValues, in: new.bytes)
      if order != 0 { return order }
    }
    return 0
  }

  private func hasChanged(_ new: borrowing TreeCursor) -> Bool {
    for index in layout.keyColumns..<layout.columns.count
    where oldValues.order(index, in: old.bytes, newValues, in: new.bytes) != 0 {
      return true
    }
    return false
  }

  /// Ends with the rows that the older table has after all others.
  ///
  /// - Parameter nulls: for each value of a record, how many are NULL in the new table.
  /// - Returns: What differs.
  /// - Throws: `DatabaseError` if the older table cannot be read.
  consuming func finish(nulls: [Int]) throws(DatabaseError) -> RowDifferences {
    while hasOld {
      try findOldValues()
      oldValues.countNulls(in: &oldNulls)
      try nextOld()
    }
    let others = (layout.keyColumns..<layout.columns.count).filter { $0 != layout.rowidColumn }
    differences.nullsAfter = others.map { nulls[$0] }
    differences.nullsBefore = others.map { nulls[$0] - newNulls[$0] + oldNulls[$0] }
    return differences
  }
}
