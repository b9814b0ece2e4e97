extension Connection {
  /// Returns how a table of the main database differs from its description; nothing if it does not.
  ///
  /// The table of the description is made in a database in memory, and what pragmas say of the two is
  /// compared. If that is the same, so must be what SQLite would do to insert a row: that shows every
  /// check and collation. The order of columns is no difference, nor are the names of indexes; that of
  /// checks and keys in the text of a table can be.
  ///
  /// ```swift
  /// for difference in try connection.differences(fromTable: sets) {
  ///   messages.append(difference.description)
  /// }
  /// ```
  ///
  /// - Throws: `SQLiteError` with `misuse` when the description has faults, or an error of SQLite.
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
  /// The same table as another one that has all of it writes its name and orders its columns and foreign
  /// keys.
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
