package import SQLiteSwiftly
package import Schema

/// An addition to the description of the dumps that would load what a warning reports.
package enum DescriptionChange: Equatable, Sendable {
  case column(ColumnDescription, ofTable: String)
  /// A table, with the file that has its dump.
  case table(TableDescription, SourceDescription)
}
