extension TableSchema {
  /// Returns how this table differs from another one in what pragmas say, its name left aside.
  ///
  /// Neither the order of columns, keys and indexes nor the names of indexes are differences.
  func differences(from expected: TableSchema) -> [SchemaDifference] {
    var list = DifferenceList(table: expected.name)
    list.compare(.option, isStrict ? "STRICT" : nil, expected.isStrict ? "STRICT" : nil)
    list.compare(
      .option, isWithoutRowid ? "WITHOUT ROWID" : nil,
      expected.isWithoutRowid ? "WITHOUT ROWID" : nil)
    for column in expected.columns {
      let found = columns.first { haveSameBytes($0.name, column.name) }
      list.column = column.name
      list.compare(.column, found.map(\.writtenName), column.writtenName)
      guard let found else { continue }
      list.compare(found, column)
    }
    for column in columns
    where !expected.columns.contains(where: { haveSameBytes($0.name, column.name) }) {
      list.column = column.name
      list.compare(.column, column.writtenName, nil)
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
}

extension ColumnSchema {
  fileprivate var writtenName: String { written(identifier: name) }
}

extension [String] {
  fileprivate var listed: String { "(" + joined(separator: ", ") + ")" }
}

/// Collects differences; of texts by bytes, since equal Swift strings can be two texts to SQLite.
struct DifferenceList {
  /// The table, or the view, that is being compared.
  var table: String?
  /// The column that is being compared.
  var column: String?
  private(set) var differences: [SchemaDifference] = []

  init(table: String? = nil) { self.table = table }

  /// Compares what a table has at most once.
  mutating func compare(
    _ property: SchemaDifference.Property, _ found: String?, _ expected: String?
  ) {
    guard found.map({ Array($0.utf8) }) != expected.map({ Array($0.utf8) }) else { return }
    differences.append(
      SchemaDifference(
        table: table, column: column, property: property, expected: expected, found: found))
  }

  /// Compares what a table can have several of, in any order.
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

  /// Compares columns of one name.
  fileprivate mutating func compare(_ found: ColumnSchema, _ expected: ColumnSchema) {
    compare(.type, found.type, expected.type)
    compare(
      .nullability, found.isNullable ? "NULL" : "NOT NULL",
      expected.isNullable ? "NULL" : "NOT NULL")
    compare(.defaultValue, found.defaultValue, expected.defaultValue)
  }
}
