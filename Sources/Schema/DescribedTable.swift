package import SQLiteSwiftly

/// A table or a view as its readers are told of it.
package struct DescribedTable: Sendable {
  /// The name of the table or view.
  package let name: String
  /// What a row is, in words.
  package let meaning: String?
  /// Since when there are rows.
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
  /// What values it has besides NULL, in words; nil if any of its type can be there.
  package var domainInWords: String? {
    if domain != nil { return expectation }
    if type == .boolean { return "0 or 1" }
    return knownValues.isEmpty ? nil : knownValues.joined(separator: ", ") + "; others may come"
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
  /// The value as a person would write it, without quotes.
  package var plainText: String { textValue ?? literal }
}
