import SQLiteSwiftly

/// The rules for the rows of a helper's table, computed once.
struct RowRules {
  let columnCount: Int
  /// The column whose values SQLite chooses if a model has none; nil if there is none.
  let chosenColumn: Int?
  /// The only column of the primary key; nil unless there is exactly one.
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
