package import SQLiteSwiftly

package struct StoredTables {
  private let tables: [(name: String, root: Int, definition: String)]

  package init(of connection: Connection) throws(SQLiteError) {
    tables = try connection.query(
      "SELECT name, rootpage, sql FROM main.sqlite_schema WHERE type = 'table'"
    ).map { row in
      (row[0].textValue ?? "", Int(row[1].integerValue ?? 0), row[2].textValue ?? "")
    }
  }

  /// The root page of a table; nil if there is none of that name, or if another statement created it, so that its records
  /// may have other columns.
  package func root(of name: String, createdBy definition: String? = nil) -> Int? {
    guard let table = tables.first(where: { haveSameBytes($0.name, name) }) else { return nil }
    return haveSameBytes(table.definition, definition ?? table.definition) ? table.root : nil
  }
}

extension SQLiteError {
  static let logBesideFile = SQLiteError(
    .cannotOpen, "a write-ahead log is beside the file; remove it if it is not yours")
}

extension Connection {
  /// Refuses a write-ahead log, which another user can place beside the file, also after that was checked by its name.
  package func checkHasNoLog() throws(SQLiteError) {
    guard try value(of: "PRAGMA journal_mode")?.textValue == "wal" else { return }
    throw .logBesideFile
  }

  /// Reads a finished file over its own connection.
  package static func reading<Result>(
    _ path: String, _ body: (Connection) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    let connection = try Connection(
      path, opening: .readOnly, busyTimeout: CatalogWriter.busyTimeout)
    let result = try body(connection)
    try connection.close()
    return result
  }
}
