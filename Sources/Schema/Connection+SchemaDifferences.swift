public import SQLiteSwiftly

extension Connection {
  /// Compares the main database with its description; empty if they match.
  ///
  /// All tables are compared, including those of key unions, and the queries of all views, ignoring blanks and
  /// comments. Tables, views and triggers that are not described are differences, except for SQLite's own and the table
  /// of migrations. A search is optional; if it exists, its view and index are compared.
  ///
  /// - Throws: `SQLiteError` with `misuse` if a description has faults, or an error of SQLite.
  public func differences(
    from description: SchemaDescription
  ) throws(SQLiteError) -> [SchemaDifference] {
    try description.validate()
    let tables = description.tables + description.allDerivedTables
    var list = DifferenceList()
    list.compare(
      .applicationID, "\(try value(of: .applicationID))", "\(description.applicationID)")
    list.compare(.version, "\(try value(of: .userVersion))", "\(description.version)")
    for table in tables { list.differences += try differences(fromTable: table) }
    let search = try search(in: description)
    let views = description.views + (search.map { [$0.view] } ?? [])
    try compare(views, &list)
    try compare(
      tables: tables.map(\.name) + (search?.tableNames ?? []), views: views.map(\.name), &list)
    return list.differences
  }

  package func search(
    in description: SchemaDescription
  ) throws(SQLiteError) -> SearchDescription? {
    guard let search = description.search, try hasSearch(search) else { return nil }
    return search
  }

  private func compare(
    _ views: [ViewDescription], _ list: inout DifferenceList
  ) throws(SQLiteError) {
    for view in views {
      list.table = view.name
      let found = try value(
        of: """
          SELECT sql FROM main.sqlite_schema
          WHERE type = 'view' AND name = \(view.name) COLLATE NOCASE
          """)
      guard let text = found?.textValue else {
        list.compare(.view, nil, written(identifier: view.name))
        continue
      }
      let expected = try view.creation.text
      if haveSameBytes(text, expected) { continue }
      // A query that cannot be compiled reads objects that do not exist.
      let (name, query) = (quoted(identifier: view.name), view.query.text)
      let programs = [name, "(\(query))"].map { source in
        try? program(of: SQL(generated: "SELECT * FROM \(source)"))
      }
      if programs[0] == nil || programs[0] != programs[1] {
        list.compare(.query, text, expected)
      }
    }
  }

  private func compare(
    tables: [String], views: [String], _ list: inout DifferenceList
  ) throws(SQLiteError) {
    let known = [
      "table": Set(tables.map(foldedName)), "view": Set(views.map(foldedName)), "trigger": [],
    ]
    let rows = try query(
      """
      SELECT type, name, tbl_name FROM main.sqlite_schema
      WHERE type <> 'index' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        AND name <> \(Self.tableOfMigrations) ORDER BY type, name
      """)
    for row in rows {
      let (kind, name) = (row[0].textValue ?? "", row[1].textValue ?? "")
      guard let property = SchemaDifference.Property(rawValue: kind),
        !(known[kind]?.contains(foldedName(name)) ?? false)
      else { continue }
      list.table = row[2].textValue
      list.compare(property, written(identifier: name), nil)
    }
  }
}
