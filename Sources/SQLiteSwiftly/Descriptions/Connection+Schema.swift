extension Connection {
  /// Reads how a table of the main database is defined.
  ///
  /// Much of it comes from pragmas (<https://www.sqlite.org/pragma.html#pragma_table_xinfo>); checks
  /// are read from the text that SQLite keeps of the `CREATE TABLE`.
  ///
  /// - Parameter name: the table's name; the case of ASCII letters does not matter.
  /// - Returns: The table, or nil if there is none of that name. A view is none.
  /// - Throws: `SQLiteError`, as when the database is locked.
  public func schema(ofTable name: String) throws(SQLiteError) -> TableSchema? {
    let found = try query(
      """
      SELECT list.name, list.strict, list.wr, stored.sql
      FROM pragma_table_list AS list LEFT JOIN main.sqlite_schema AS stored
        ON stored.type = 'table' AND stored.name = list.name
      WHERE list.schema = 'main' AND list.type <> 'view' AND list.name = \(name) COLLATE NOCASE
      """)
    guard let table = found.first, let name = table[0].textValue else { return nil }
    let isWithoutRowid = table[2] == .integer(1)
    let columns = try columnRows(ofTable: name)
    let names = columns.compactMap { $0[0].textValue }
    let text = TableText(table[3].textValue ?? "", columnNames: names)
    let indexes = try indexes(ofTable: name, columnNames: names)
    let storedKey = indexes.first { $0.origin == "pk" }?.schema.terms
    // A primary key without an index of its own is the rowid, which is never NULL.
    let keyIsRowid = !isWithoutRowid && storedKey == nil
    return TableSchema(
      name: name,
      columns: columns.map {
        ColumnSchema($0, text, neverNull: keyIsRowid && $0[4] != .integer(0))
      },
      primaryKey: storedKey
        ?? columns.filter { $0[4] != .integer(0) }
        .map { written(identifier: $0[0].textValue ?? "") },
      uniqueKeys: indexes.filter(\.isUniqueKey).map(\.schema.terms),
      foreignKeys: try foreignKeys(ofTable: name),
      indexes: indexes.filter { $0.origin != "pk" && !$0.isUniqueKey }.map(\.schema),
      checks: text.constraints.checks, clauses: text.constraints.clauses,
      isStrict: table[1] == .integer(1), isWithoutRowid: isWithoutRowid)
  }

  /// The name, type, "not null", default and place in the primary key of each column.
  private func columnRows(ofTable name: String) throws(SQLiteError) -> [[SQLiteValue]] {
    try query(
      """
      SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_xinfo(\(name), 'main')
      WHERE hidden <> 1 ORDER BY cid
      """)
  }

  /// An index, and what it was made for.
  private struct Index {
    let schema: IndexSchema
    /// `c` for a `CREATE INDEX`, `u` for a `UNIQUE` constraint, `pk` for a primary key.
    let origin: String

    var isUniqueKey: Bool { origin != "pk" && schema.isUnique && schema.condition == nil }
  }

  private func indexes(
    ofTable name: String, columnNames: [String]
  ) throws(SQLiteError) -> [Index] {
    let rows = try query(
      """
      SELECT list.name, list."unique", list.origin, stored.sql
      FROM pragma_index_list(\(name), 'main') AS list LEFT JOIN main.sqlite_schema AS stored
        ON stored.type = 'index' AND stored.name = list.name
      ORDER BY list.seq DESC
      """)
    return try rows.map { row throws(SQLiteError) in
      let index = row[0].textValue ?? ""
      let text = row[3].textValue.map { IndexText($0, columnNames: columnNames) }
      let terms = try query(
        """
        SELECT name, coll, "desc" FROM pragma_index_xinfo(\(index), 'main')
        WHERE "key" ORDER BY seqno
        """)
      return Index(
        schema: IndexSchema(
          name: index,
          terms: terms.enumerated().map { place, term in
            Self.term(term, expression: text?.terms.dropFirst(place).first ?? "")
          },
          isUnique: row[1] == .integer(1), condition: text?.condition),
        origin: row[2].textValue ?? "")
    }
  }

  /// A term of an index as SQL has it; `expression` is its text, for one that is no column.
  private static func term(_ row: [SQLiteValue], expression: String) -> String {
    let direction = row[2] == .integer(1) ? " DESC" : ""
    guard let column = row[0].textValue else { return expression + direction }
    let collation = row[1].textValue?.uppercased() ?? "BINARY"
    return written(identifier: column) + (collation == "BINARY" ? "" : " COLLATE \(collation)")
      + direction
  }

  private func foreignKeys(ofTable name: String) throws(SQLiteError) -> [ForeignKeySchema] {
    let rows = try query(
      """
      SELECT id, "table", "from", "to", on_delete, on_update
      FROM pragma_foreign_key_list(\(name), 'main') ORDER BY id DESC, seq
      """)
    var keys: [ForeignKeySchema] = []
    var first = rows.startIndex
    while first < rows.endIndex {
      let end = rows[first...].firstIndex { $0[0] != rows[first][0] } ?? rows.endIndex
      let parent = rows[first][1].textValue ?? ""
      var keyColumns = rows[first..<end].compactMap { $0[3].textValue }
      if keyColumns.isEmpty {
        keyColumns = try columnRows(ofTable: parent)
          .filter { $0[4] != .integer(0) }
          .sorted { ($0[4].integerValue ?? 0) < ($1[4].integerValue ?? 0) }
          .compactMap { $0[0].textValue }
      }
      keys.append(
        ForeignKeySchema(
          columns: rows[first..<end].compactMap { $0[2].textValue }, table: parent,
          keyColumns: keyColumns, onDelete: rows[first][4].textValue ?? "",
          onUpdate: rows[first][5].textValue ?? ""))
      first = end
    }
    return keys
  }
}

extension ColumnSchema {
  /// Makes the column of a row of `pragma_table_xinfo`.
  fileprivate init(_ row: [SQLiteValue], _ text: TableText, neverNull: Bool) {
    name = row[0].textValue ?? ""
    type = row[1].textValue ?? ""
    isNullable = row[2] == .integer(0) && !neverNull
    defaultValue = row[3].textValue.flatMap(normalizedDefault)
    let definition = text.columns[Array(name.utf8)] ?? TableText.Definition()
    let checks = definition.checks
    check =
      checks.count > 1
      ? checks.map { "(\($0))" }.joined(separator: " AND ") : checks.first
    clauses = definition.clauses
  }
}
