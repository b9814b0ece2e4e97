package import SQLiteSwiftly

/// What could be added to the description of the dumps, so that what a notice tells of would be loaded.
package enum DescriptionChange: Equatable, Sendable {
  /// A column of a table.
  case column(ColumnDescription, ofTable: String)
  /// A table, with the file that has its dump.
  case table(TableDescription)
}
