extension TableSchema {
  /// Ignores the names of tables and indexes, and the order of columns, keys and indexes.
  func differences(from expected: TableSchema) -> [SchemaDifference] {
    var list = DifferenceList(table: expected.name)
    for (option, path) in [("STRICT", \TableSchema.isStrict), ("WITHOUT ROWID", \.isWithoutRowid)] {
      list.compare(
        .option, self[keyPath: path] ? option : nil, expected[keyPath: path] ? option : nil)
    }
    for column in expected.columns + columns.filter({ expected.column($0.name) == nil }) {
      let (found, target) = (self.column(column.name), expected.column(column.name))
      list.column = column.name
      let name = written(identifier: column.name)
      list.compare(.column, found.map { _ in name }, target.map { _ in name })
      guard let found, let target else { continue }
      list.compare(.type, found.type, target.type)
      list.compare(.nullability, found.nullability, target.nullability)
      list.compare(.defaultValue, found.defaultValue, target.defaultValue)
    }
    list.column = nil
    list.compare(.primaryKey, primaryKeyText, expected.primaryKeyText)
    list.compare(.uniqueKey, uniqueKeys.map(\.listed), expected.uniqueKeys.map(\.listed))
    list.compare(
      .foreignKey, foreignKeys.map(\.description), expected.foreignKeys.map(\.description))
    list.compare(.index, indexes.map(\.description), expected.indexes.map(\.description))
    return list.differences
  }

  private var primaryKeyText: String? { primaryKey.isEmpty ? nil : primaryKey.listed }

  private func column(_ name: String) -> ColumnSchema? {
    columns.first { haveSameBytes($0.name, name) }
  }
}

extension ColumnSchema {
  fileprivate var nullability: String { isNullable ? "NULL" : "NOT NULL" }
}

extension [String] {
  fileprivate var listed: String { "(" + joined(separator: ", ") + ")" }
}

/// Texts are compared by bytes, since equal Swift strings can differ in SQLite.
package struct DifferenceList {
  package var table: String?
  var column: String?
  package var differences: [SchemaDifference] = []

  package init(table: String? = nil) { self.table = table }

  package mutating func compare(
    _ property: SchemaDifference.Property, _ found: String?, _ expected: String?
  ) {
    guard found.map({ Array($0.utf8) }) != expected.map({ Array($0.utf8) }) else { return }
    differences.append(
      SchemaDifference(
        table: table, column: column, property: property, expected: expected, found: found))
  }

  mutating func compare(
    _ property: SchemaDifference.Property, _ found: [String], _ expected: [String]
  ) {
    var others = found
    for text in expected {
      let match = others.firstIndex { haveSameBytes($0, text) }
      compare(property, match.map { others.remove(at: $0) }, text)
    }
    for text in others { compare(property, text, nil) }
  }
}
