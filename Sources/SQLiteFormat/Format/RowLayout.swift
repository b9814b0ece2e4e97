import SQLiteSwiftly

/// The contents of a table's records
/// (<https://www.sqlite.org/fileformat2.html#representation_of_sql_tables>).
struct RowLayout: Sendable {
  /// The values of a record, in order: without rowids, those of the key come first.
  let columns: [EntryLayout.Column]
  /// The number of values that sort the records; 0 in a table with rowids.
  let keyColumns: Int
  let hasRowids: Bool
  /// The index of the value that is the rowid; the record contains NULL in its place.
  let rowidColumn: Int?

  /// Finds the values of the records of a loaded table, which has no blobs.
  init(_ table: TableDescription) {
    let key = table.isWithoutRowid ? table.primaryKey : []
    let others = table.columns.map(\.name).filter { !key.hasName($0) }
    columns = (key + others).map { name in
      guard let column = EntryLayout.Column(name, of: table) else {
        preconditionFailure("rows of \(table.name) cannot be loaded")
      }
      return column
    }
    keyColumns = key.count
    hasRowids = !table.isWithoutRowid
    rowidColumn = table.keyIsRowid ? table.columnIndex(table.primaryKey[0]) : nil
  }
}
