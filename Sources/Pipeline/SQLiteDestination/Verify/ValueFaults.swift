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
    let rows = try query(
      SQL(
        generated: "SELECT \(table.list(table.rowNames + checked.map(\.column.name))) "
          + "FROM main.\(quoted(identifier: table.name)) WHERE "
          + checked.map { "NOT (\($0.check))" }.joined(separator: " OR ") + " LIMIT \(limit)"))
    var faults: [String] = []
    for row in rows {
      for (value, (column, check)) in zip(row.dropFirst(keys), checked)
      where try breaks(check, of: column, value) {
        faults.append(
          "\(table.place(of: row.prefix(keys))), column \(column.name): expected \(check), "
            + "found \(value.literal)")
      }
    }
    return faults
  }

  private func breaks(
    _ check: String, of column: ColumnDescription, _ value: SQLiteValue
  ) throws(SQLiteError) -> Bool {
    let query = SQL(
      generated: "SELECT NOT (\(check)) FROM (SELECT \(value.literal) AS "
        + "\(quoted(identifier: column.name)))")
    return try self.value(of: query)?.integerValue == 1
  }
}

extension TableDescription {
  /// The columns that identify a row: those of the key, or the rowid.
  package var rowNames: [String] { primaryKey.isEmpty ? ["rowid"] : primaryKey }

  package func place(of key: ArraySlice<SQLiteValue>) -> String {
    "\(name) (\(key.map(\.literal).joined(separator: ", ")))"
  }
}
