package import SQLiteSwiftly
package import Schema

/// An addition to the description that would load the data reported by a warning.
package enum DescriptionChange: Equatable, Sendable {
  case column(ColumnDescription, ofTable: String)
  case table(TableDescription, SourceDescription)
}
