package import SQLiteSwiftly

/// A table or view as documented for its readers.
package struct DescribedTable: Sendable {
  /// The name of the table or view.
  package let name: String
  /// The meaning of a row.
  package let meaning: String?
  /// The first year or month with rows.
  package let since: String?
  /// The columns.
  package let columns: [ColumnDescription]
  /// The table; nil for a view.
  package let table: TableDescription?

  package init(_ table: TableDescription) {
    name = table.name
    meaning = table.meaning
    since = table.since
    columns = table.columns
    self.table = table
  }

  package init(_ view: ViewDescription) {
    name = view.name
    meaning = view.meaning
    since = nil
    columns = view.columns
    table = nil
  }

  /// Whether a column may be NULL.
  package func mayBeNull(_ column: ColumnDescription) -> Bool {
    table.map { !$0.requires(column) } ?? column.isNullable
  }
}

extension SchemaDescription {
  /// All tables and views, in the order in which they are described.
  package var describedTables: [DescribedTable] {
    (tables + allDerivedTables).map(DescribedTable.init) + views.map(DescribedTable.init)
  }
}

extension ColumnDescription {
  /// The allowed values besides NULL, for readers; nil if all values of the type are allowed.
  package var domainText: String? {
    if domain != nil { return expectation }
    if type == .boolean { return "0 or 1" }
    return knownValues.isEmpty ? nil : knownValues.joined(separator: ", ") + "; others are possible"
  }
}

extension ColumnDescription.DataType {
  /// The type's name.
  package var name: String {
    switch self {
    case .integer: "integer"
    case .real: "real"
    case .text: "text"
    case .blob: "blob"
    case .boolean: "boolean"
    }
  }
}

extension SQLiteValue {
  /// The value as plain text, without quotes.
  package var plainText: String { textValue ?? literal }
}
