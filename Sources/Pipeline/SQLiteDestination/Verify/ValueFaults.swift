package import SQLiteSwiftly

extension Connection {
  /// Finds the values of a table, in `limit` rows at most, that are not in the domain of their column.
  ///
  /// SQLite says so as well, but not on a connection that is only for reading, and not for one table
  /// alone.
  package func valueFaults(
    in table: TableDescription, atMost limit: Int
  ) throws(SQLiteError) -> [String] {
    let checked = table.columns.compactMap { column in
      column.checkExpression.map { (column: column, check: $0) }
    }
    var faults: [String] = []
    for first in stride(from: 0, to: checked.count, by: Self.mostChecks) {
      let some = checked[first..<min(first + Self.mostChecks, checked.count)]
      faults += try valueFaults(in: table, some, atMost: limit)
    }
    return faults
  }

  /// The most checks of one query: an expression of SQLite is at most 1000 deep, and a row has at most 2000 columns.
  private static let mostChecks = 500

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
          "\(table.place(of: row.prefix(keys))), column \(column.name): \(value.literal) was found, "
            + "and expected is \(check)")
      }
    }
    return faults
  }

  /// Whether a value does not meet the check of its column.
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
  /// The columns by which a row is told: those of the key, or the number that SQLite has for it.
  package var rowNames: [String] { primaryKey.isEmpty ? ["rowid"] : primaryKey }

  /// A row, as it is called in messages.
  package func place(of key: ArraySlice<SQLiteValue>) -> String {
    "\(name) (\(key.map(\.literal).joined(separator: ", ")))"
  }
}
