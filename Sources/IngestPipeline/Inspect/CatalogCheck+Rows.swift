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
      let keys = table.primaryKey.count
      let columns = table.primaryKey + checked.map(\.column.name)
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
    // Each distinct value is looked up once; the rows are looked for only where one is missing.
    guard try connection.value(of: key.orphans(in: table.name)) != nil else { return [] }
    let column = quoted(identifier: key.columns[0])
    let rows = try connection.query(
      SQL(
        generated: "SELECT \(list(table.primaryKey + [key.columns[0]])) "
          + "FROM main.\(quoted(identifier: table.name)) "
          + "WHERE \(column) IS NOT NULL AND \(column) NOT IN "
          + "(SELECT \(quoted(identifier: key.keyColumns[0])) "
          + "FROM main.\(quoted(identifier: key.table))) LIMIT \(Self.mostFaults)"))
    return rows.map { row in
      let keys = row.prefix(table.primaryKey.count)
      return "\(place(in: table, keys)), column \(key.columns[0]): \(row[keys.count].literal) was "
        + "found, and expected is a value of \(key.table).\(key.keyColumns[0])"
    }
  }

  private func place(in table: TableDescription, _ key: ArraySlice<SQLiteValue>) -> String {
    "\(table.name) (\(key.map(\.literal).joined(separator: ", ")))"
  }

  private func list(_ columns: [String]) -> String {
    columns.map(quoted(identifier:)).joined(separator: ", ")
  }
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
