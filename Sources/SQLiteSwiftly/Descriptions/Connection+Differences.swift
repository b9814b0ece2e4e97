extension Connection {
  /// Returns how a table of the main database differs from its description; nothing if it does not.
  ///
  /// The order of columns is no difference, nor are the names of indexes.
  ///
  /// - Throws: `SQLiteError` with `misuse` when the description has faults, or an error of SQLite.
  public func differences(
    fromTable description: TableDescription
  ) throws(SQLiteError) -> [SchemaDifference] {
    try description.validate()
    guard let table = try schema(ofTable: description.name) else {
      var list = DifferenceList(table: description.name)
      list.compare(.table, nil, written(identifier: description.name))
      return list.differences
    }
    return table.differences(from: description.schema)
  }

  /// Returns how the main database differs from its description; nothing if it does not.
  ///
  /// All tables are compared, those of key unions included, and all views by their queries, in which
  /// only blanks and comments make no difference. Tables, views and triggers that are not described
  /// are differences, except for those of SQLite itself.
  ///
  /// - Throws: `SQLiteError` with `misuse` when a description has faults, or an error of SQLite.
  public func differences(
    from description: SchemaDescription
  ) throws(SQLiteError) -> [SchemaDifference] {
    try description.validate()
    let tables = description.tables + description.keyUnions.map(\.table)
    var list = DifferenceList()
    list.compare(
      .applicationID, try number("PRAGMA application_id"), "\(description.applicationID)")
    list.compare(.version, try number("PRAGMA user_version"), "\(description.version)")
    var differences = list.differences
    for table in tables { differences += try self.differences(fromTable: table) }
    differences += try viewDifferences(from: description.views)
    return differences
      + (try unexpected(tables: tables.map(\.name), views: description.views.map(\.name)))
  }

  private func number(_ query: SQL) throws(SQLiteError) -> String {
    "\(try value(of: query)?.integerValue ?? 0)"
  }

  private func viewDifferences(
    from views: [ViewDescription]
  ) throws(SQLiteError) -> [SchemaDifference] {
    var list = DifferenceList()
    for view in views {
      list.table = view.name
      let found = try value(
        of: """
          SELECT sql FROM main.sqlite_schema
          WHERE type = 'view' AND name = \(view.name) COLLATE NOCASE
          """)
      if let text = found?.textValue {
        list.compare(.query, viewQuery(text), viewQuery(try view.creation.text))
      } else {
        list.compare(.view, nil, written(identifier: view.name))
      }
    }
    return list.differences
  }

  /// The tables, views and triggers that are there and not expected.
  private func unexpected(
    tables: [String], views: [String]
  ) throws(SQLiteError) -> [SchemaDifference] {
    let known = [
      "table": Set(tables.map(foldedName)), "view": Set(views.map(foldedName)), "trigger": [],
    ]
    let rows = try query(
      """
      SELECT type, name, tbl_name FROM main.sqlite_schema
      WHERE type <> 'index' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type, name
      """)
    var list = DifferenceList()
    for row in rows {
      let (kind, name) = (row[0].textValue ?? "", row[1].textValue ?? "")
      guard let property = SchemaDifference.Property(rawValue: kind),
        !(known[kind]?.contains(foldedName(name)) ?? false)
      else { continue }
      list.table = row[2].textValue
      list.compare(property, written(identifier: name), nil)
    }
    return list.differences
  }
}

/// What follows the name in a `CREATE VIEW`, with one blank between its parts.
private func viewQuery(_ text: String) -> String {
  let tokens = SQLToken.tokens(of: text).drop { !$0.isKeyword("VIEW") }.dropFirst(2)
  // Without a list of columns the query is all there is.
  return (tokens.first?.isKeyword("AS") ?? false ? tokens.dropFirst() : tokens).joined
}
