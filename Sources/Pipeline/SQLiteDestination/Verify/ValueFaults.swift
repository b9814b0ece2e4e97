package import SQLiteSwiftly

extension Connection {
  /// Finds the values of a table, in at most `limit` rows, that are not in the domain of their column.
  ///
  /// SQLite can check this as well, but not over a read-only connection, and not for a single table.
  package func valueFaults(
    in table: TableDescription, atMost limit: Int
  ) throws(SQLiteError) -> [String] {
    let checked = table.columns.compactMap { column in
      column.checkExpression.map { (column: column, check: $0) }
    }
    var faults: [String] = []
    for first in stride(from: 0, to: checked.count, by: Self.maximumChecks) {
      let some = checked[first..<min(first + Self.maximumChecks, checked.count)]
      faults += try valueFaults(in: table, some, atMost: limit)
    }
    return faults
  }

  /// The maximum number of checks in one query: SQLite limits the depth of expressions to 1000, and columns to 2000.
  private static let maximumChecks = 500

  private func valueFaults(
    in table: TableDescription, _ checked: ArraySlice<(column: ColumnDescription, check: String)>,
    atMost limit: Int
  ) throws(SQLiteError) -> [String] {
    let keys = table.rowNames.count
    let query = SQL(
      generated: "SELECT \(table.list(table.rowNames + checked.map(\.column.name))) "
        + "FROM main.\(quoted(identifier: table.name)) WHERE "
        + checked.map { "NOT (\($0.check))" }.joined(separator: " OR ") + " LIMIT \(limit)")
    var faults: [String] = []
    // A row at a time, since each may be as long as the file.
    try forEachRow(of: query) { row throws(SQLiteError) in
      let key = try row.values(in: 0..<keys)
      for (place, (column, check)) in checked.enumerated() {
        let value = try row.value(at: keys + place)
        guard try breaks(check, of: column, value) else { continue }
        faults.append(
          "\(table.location(of: key[...])), column \(column.name): expected \(check), "
            + "found \(value.shownLiteral)")
      }
    }
    return faults
  }

  private func breaks(
    _ check: String, of column: ColumnDescription, _ value: SQLiteValue
  ) throws(SQLiteError) -> Bool {
    try self.value(
      of: """
        SELECT NOT (\(sql: SQL(generated: check))) FROM (SELECT \(value) AS \(identifier: column.name))
        """)?.integerValue == 1
  }
}

extension TableDescription {
  /// The columns that identify a row: those of the key, or the rowid.
  package var rowNames: [String] { primaryKey.isEmpty ? ["rowid"] : primaryKey }

  package func location(of key: ArraySlice<SQLiteValue>) -> String {
    "\(name) (\(key.map(\.shownLiteral).joined(separator: ", ")))"
  }
}

extension Row {
  package func values(in columns: Range<Int>) throws(SQLiteError) -> [SQLiteValue] {
    var values: [SQLiteValue] = []
    for column in columns { values.append(try value(at: column)) }
    return values
  }
}

extension SQLiteValue {
  private static let shownBytes = 200

  /// The literal as shown in messages: only the beginning of a long one, and the number of its bytes.
  package var shownLiteral: String {
    let literal = literal
    guard literal.utf8.count > Self.shownBytes else { return literal }
    let start = String(decoding: literal.utf8.prefix(Self.shownBytes), as: UTF8.self)
    return "\(start)… (\(literal.utf8.count) bytes)"
  }
}
