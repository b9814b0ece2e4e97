import SQLiteSwiftly

/// What every row of a helper's table is held to, worked out once for all of them.
struct RowRules {
  let columnCount: Int
  /// The column whose values SQLite chooses where a model has none; nil if it chooses none.
  let chosenColumn: Int?
  /// The one column of the primary key; nil if it has another number of them.
  let keyColumn: Int?
  /// The columns that must have a value.
  let requiredColumns: [Int]
  let hasRowids: Bool

  init(_ table: TableDescription, choosesKeys: Bool) {
    let chosen = choosesKeys ? table.rowidColumn : nil
    columnCount = table.columns.count
    chosenColumn = chosen
    keyColumn = table.primaryKey.count == 1 ? table.columnIndex(table.primaryKey[0]) : nil
    requiredColumns = table.columns.indices.filter {
      table.requires(table.columns[$0]) && $0 != chosen
    }
    hasRowids = !table.isWithoutRowid
  }
}
