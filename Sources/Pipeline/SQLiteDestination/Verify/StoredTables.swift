import SQLiteSwiftly

/// Where the tables of a database begin, and how they were created.
struct StoredTables {
  private struct Table {
    let name: String
    let root: Int
    let definition: String
  }

  private let tables: [Table]

  /// Reads the schema of a database.
  init(of connection: Connection) throws(SQLiteError) {
    tables = try connection.query(
      "SELECT name, rootpage, sql FROM main.sqlite_schema WHERE type = 'table'"
    ).map { row in
      Table(
        name: row[0].textValue ?? "", root: Int(row[1].integerValue ?? 0),
        definition: row[2].textValue ?? "")
    }
  }

  /// The number of the root page of a table; nil if there is none of that name.
  func root(of name: String) -> Int? { table(name)?.root }

  /// Whether a table was created by the statement that created that of `other`, so that the records of both
  /// consist of the same.
  func haveSameDefinition(of name: String, as other: StoredTables) -> Bool {
    guard let table = table(name), let otherTable = other.table(name) else { return false }
    return haveSameBytes(table.definition, otherTable.definition)
  }

  /// The number of the root page of a table that was created by a statement; nil if there is none such.
  func root(of name: String, createdBy definition: String) -> Int? {
    table(name).flatMap { haveSameBytes($0.definition, definition) ? $0.root : nil }
  }

  private func table(_ name: String) -> Table? {
    tables.first { haveSameBytes($0.name, name) }
  }
}
