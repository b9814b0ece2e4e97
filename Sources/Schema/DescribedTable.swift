package import SQLiteSwiftly

package struct DescribedTable: Sendable {
  package let name: String
  package let meaning: String?
  package let since: String?
  package let columns: [ColumnDescription]
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
  package var plainText: String { textValue ?? literal }
}
