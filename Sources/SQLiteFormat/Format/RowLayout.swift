import SQLiteSwiftly

/// What the records of a table consist of
/// (<https://www.sqlite.org/fileformat2.html#representation_of_sql_tables>).
struct RowLayout: Sendable {
  /// The values of a record, in their order: without rowids, those of the key come first.
  let columns: [EntryLayout.Column]
  /// The values that the records are sorted by; 0 in a table with rowids.
  let keyColumns: Int
  let hasRowids: Bool
  /// Which of the values is the rowid itself; its place in a record is there, and is NULL.
  let rowidColumn: Int?

  /// Finds the values of the records of a table that rows are loaded into, which has no blobs.
  init(_ table: TableDescription) {
    let key = table.isWithoutRowid ? table.primaryKey : []
    let others = table.columns.map(\.name).filter { !key.hasName($0) }
    columns = (key + others).map { name in
      guard let column = EntryLayout.Column(name, of: table) else {
        preconditionFailure("rows of \(table.name) are not loaded")
      }
      return column
    }
    keyColumns = key.count
    hasRowids = !table.isWithoutRowid
    rowidColumn = table.keyIsRowid ? table.columnIndex(table.primaryKey[0]) : nil
  }
}
