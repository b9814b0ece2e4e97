extension Connection {
  /// Compares a table of the main database with its description; empty if they match.
  ///
  /// The described table is created in a database in memory, and the results of pragmas are
  /// compared. If they match, the programs that insert a row are compared as well, which reveals
  /// every check and collation. The order of columns and the names of indexes do not matter; the
  /// order of checks and keys in the SQL of a table can.
  ///
  /// ```swift
  /// for difference in try connection.differences(fromTable: sets) {
  ///   messages.append(difference.description)
  /// }
  /// ```
  ///
  /// - Throws: `SQLiteError` with `misuse` if the description has faults, or an error of SQLite.
  public func differences(
    fromTable description: TableDescription
  ) throws(SQLiteError) -> [SchemaDifference] {
    try description.validate()
    var list = DifferenceList(table: description.name)
    guard let found = try schema(ofTable: description.name) else {
      list.compare(.table, nil, written(identifier: description.name))
      return list.differences
    }
    let model = try Connection.inMemory()
    try model.createTable(describedBy: description)
    guard let expected = try model.schema(ofTable: description.name) else { return [] }
    let differences = found.differences(from: expected)
    guard differences.isEmpty, !haveSameBytes(found.sql, expected.sql) else { return differences }
    let creation = try description.inOrder(of: found).creation
    if try insertion(into: found, SQL(generated: found.sql)) != insertion(into: found, creation) {
      list.compare(.definition, found.sql, expected.sql)
    }
    return list.differences
  }
}

extension TableDescription {
  /// The same table, with the names, columns and foreign keys in the spelling and order of `table`,
  /// which has them all.
  fileprivate func inOrder(of table: TableSchema) -> TableDescription {
    let order = { (key: ForeignKeyDescription) in
      table.foreignKeys.firstIndex {
        haveSameBytes($0.table, key.table) && haveSameBytes($0.columns, key.columns)
          && haveSameBytes($0.keyColumns, key.keyColumns)
      } ?? 0
    }
    return TableDescription(
      table.name, columns: table.columns.compactMap { columnIndex($0.name).map { columns[$0] } },
      primaryKey: primaryKey, uniqueKeys: uniqueKeys,
      foreignKeys: foreignKeys.sorted { order($0) < order($1) }, indexes: indexes,
      isStrict: isStrict, isWithoutRowid: isWithoutRowid)
  }
}
