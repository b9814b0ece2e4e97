import SQLiteSwiftly

extension CatalogCheck {
  /// The values that are not in the domain of their column.
  ///
  /// SQLite passes over the checks of a table on a connection that is only for reading.
  func valueFaults(on connection: Connection) throws(SQLiteError) -> [String] {
    var faults: [String] = []
    for table in schema.tables {
      let checked = table.columns.compactMap { column in
        column.checkExpression.map { (column: column, check: $0) }
      }
      guard !checked.isEmpty else { continue }
      let keys = table.rowNames.count
      let columns = table.rowNames + checked.map(\.column.name)
      let rows = try connection.query(
        SQL(
          generated: "SELECT \(list(columns)) FROM main.\(quoted(identifier: table.name)) WHERE "
            + checked.map { "NOT (\($0.check))" }.joined(separator: " OR ")
            + " LIMIT \(Self.mostFaults)"))
      for row in rows {
        for (value, (column, check)) in zip(row.dropFirst(keys), checked)
        where try connection.breaks(check, of: column, value) {
          faults.append(
            "\(place(in: table, row.prefix(keys))), column \(column.name): \(value.literal) was found, "
              + "and expected is \(check)")
        }
      }
    }
    return faults
  }

  /// The rows whose foreign keys have no parent.
  func referenceFaults(on connection: Connection) throws(SQLiteError) -> [String] {
    var faults: [String] = []
    for table in schema.tables {
      for key in table.foreignKeys {
        faults += try orphans(by: key, in: table, on: connection)
      }
    }
    return faults
  }

  private func orphans(
    by key: ForeignKeyDescription, in table: TableDescription, on connection: Connection
  ) throws(SQLiteError) -> [String] {
    // The rows are looked for only where a parent is missing.
    guard try connection.orphan(of: key, in: table.name, schema) != nil else { return [] }
    let columns = list(key.columns)
    let rows = try connection.query(
      SQL(
        generated: "SELECT \(list(table.rowNames)), \(columns) "
          + "FROM main.\(quoted(identifier: table.name)) "
          + "WHERE (\(columns)) IN (\(key.orphans(in: table.name).text)) "
          + "LIMIT \(Self.mostFaults)"))
    let names = key.columns.joined(separator: ", ")
    let parents = key.keyColumns.joined(separator: ", ")
    let (noun, expected) =
      key.columns.count == 1
      ? ("column", "a value of \(key.table).\(parents)")
      : ("columns", "those of a row of \(key.table) (\(parents))")
    return rows.map { row in
      let keys = row.prefix(table.rowNames.count)
      let found = row.dropFirst(keys.count).map(\.literal).joined(separator: ", ")
      return "\(place(in: table, keys)), \(noun) \(names): \(found) was found, and expected is "
        + expected
    }
  }

  private func place(in table: TableDescription, _ key: ArraySlice<SQLiteValue>) -> String {
    "\(table.name) (\(key.map(\.literal).joined(separator: ", ")))"
  }

  private func list(_ columns: [String]) -> String {
    columns.map(quoted(identifier:)).joined(separator: ", ")
  }
}

extension TableDescription {
  /// The columns by which a row is told: those of the key, or the number that SQLite has for it.
  fileprivate var rowNames: [String] { primaryKey.isEmpty ? ["rowid"] : primaryKey }
}

extension Connection {
  /// Whether a value does not meet the check of its column.
  fileprivate func breaks(
    _ check: String, of column: ColumnDescription, _ value: SQLiteValue
  ) throws(SQLiteError) -> Bool {
    let query = SQL(
      generated: "SELECT NOT (\(check)) FROM (SELECT \(value.literal) AS "
        + "\(quoted(identifier: column.name)))")
    return try self.value(of: query)?.integerValue == 1
  }
}
