extension Connection {
  /// The table in which the migrations of `SQLiteSwiftlyData` are remembered; no description has it.
  package static let tableOfMigrations = "sqliteswiftly_migrations"

  /// Returns the definition of a table, as reported by SQLite's pragmas
  /// (<https://www.sqlite.org/pragma.html#pragma_table_xinfo>).
  ///
  /// - Parameters:
  ///   - name: the table's name; the case of ASCII letters does not matter.
  ///   - database: the database that has it: `main`, `temp` for temporary tables, or the name of an attached one.
  /// - Returns: The table, or nil if there is no table of that name. Views do not count.
  /// - Throws: `SQLiteError`, for example if the database is locked or does not exist.
  public func schema(
    ofTable name: String, inDatabase database: String = "main"
  ) throws(SQLiteError) -> TableSchema? { try schema(of: name, isView: false, in: database) }

  /// Returns the definition of a view: its columns with their types, and its SQL.
  ///
  /// Only a column that is one of a table has a type.
  ///
  /// - Parameters: as for a table.
  /// - Returns: The view, or nil if no view has that name.
  /// - Throws: `SQLiteError` as for a table, and if the view refers to what does not exist.
  public func schema(
    ofView name: String, inDatabase database: String = "main"
  ) throws(SQLiteError) -> TableSchema? { try schema(of: name, isView: true, in: database) }

  private func schema(
    of name: String, isView: Bool, in database: String
  ) throws(SQLiteError) -> TableSchema? {
    guard !distrustsSchema else {
      guard !isView, areSameName(database, "main") else { return nil }
      let found = try untrustedTables().first { areSameName($0[0].textValue ?? "", name) }
      return try found.map { table throws(SQLiteError) in
        try schema(of: [table[0], table[2], table[1], table[3]], isView: false, in: database)
      }
    }
    let found = try query(
      """
      SELECT list.name, list.strict, list.wr, stored.sql
      FROM pragma_table_list AS list LEFT JOIN \(identifier: database).sqlite_schema AS stored
        ON stored.type = \(isView ? "view" : "table") AND stored.name = list.name
      WHERE list.schema = \(database) COLLATE NOCASE AND (list.type = 'view') = \(isView)
        AND list.name = \(name) COLLATE NOCASE
      """)
    return try found.first.map { table throws(SQLiteError) in
      try schema(of: table, isView: isView, in: database)
    }
  }

  /// Reads a row with the name of a table or view, "strict", "without rowid" and definition.
  private func schema(
    of table: [SQLiteValue], isView: Bool, in database: String
  ) throws(SQLiteError) -> TableSchema {
    let name = table[0].textValue ?? ""
    let isWithoutRowid = table[2] == .integer(1)
    let columns = try columnRows(of: name, database)
    let indexes = isView ? [] : try indexes(ofTable: name, database)
    let storedKey = indexes.first { $0.origin == "pk" }?.terms
    // A primary key without its own index is the rowid, which is never NULL.
    let keyIsRowid = !isView && !isWithoutRowid && storedKey == nil
    return TableSchema(
      name: name,
      columns: columns.map {
        ColumnSchema(
          name: $0[0].textValue ?? "", type: $0[1].textValue ?? "",
          isNullable: $0[2] == .integer(0) && !(keyIsRowid && $0[4] != .integer(0)),
          defaultValue: $0[3].textValue.flatMap { $0.lowercased() == "null" ? nil : $0 })
      },
      primaryKey: storedKey
        ?? columns.filter { $0[4] != .integer(0) }
        .map { written(identifier: $0[0].textValue ?? "") },
      uniqueKeys: indexes.filter(\.isUniqueKey).map(\.terms),
      foreignKeys: isView ? [] : try foreignKeys(ofTable: name, database),
      indexes: indexes.filter { $0.origin != "pk" && !$0.isUniqueKey }.map(\.schema),
      isStrict: table[1] == .integer(1), isWithoutRowid: isWithoutRowid,
      sql: table[3].textValue ?? "")
  }

  /// The name, type, "not null", default and key position of each column.
  private func columnRows(
    of name: String, _ database: String
  ) throws(SQLiteError) -> [[SQLiteValue]] {
    try query(
      """
      SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_xinfo(\(name), \(database))
      WHERE hidden <> 1 ORDER BY cid
      """)
  }

  private struct Index {
    let schema: IndexSchema
    /// `c` for a `CREATE INDEX`, `u` for a `UNIQUE` constraint, `pk` for a primary key.
    let origin: String

    var terms: [String] { schema.terms.compactMap(\.self) }
    var isUniqueKey: Bool {
      origin != "pk" && schema.isUnique && !schema.isPartial && terms.count == schema.terms.count
    }
  }

  private func indexes(
    ofTable name: String, _ database: String
  ) throws(SQLiteError) -> [Index] {
    let rows = try query(
      """
      SELECT list.name, list."unique", list.origin, list.partial, stored.sql
      FROM pragma_index_list(\(name), \(database)) AS list
        LEFT JOIN \(identifier: database).sqlite_schema AS stored
        ON stored.type = 'index' AND stored.name = list.name
      ORDER BY list.seq DESC
      """)
    return try rows.map { row throws(SQLiteError) in
      let index = row[0].textValue ?? ""
      let terms = try query(
        """
        SELECT name, coll, "desc" FROM pragma_index_xinfo(\(index), \(database))
        WHERE "key" ORDER BY seqno
        """)
      return Index(
        schema: IndexSchema(
          name: index, terms: terms.map(Self.term), isUnique: row[1] == .integer(1),
          isPartial: row[3] == .integer(1), sql: row[4].textValue),
        origin: row[2].textValue ?? "")
    }
  }

  /// A term of an index as in SQL; nil unless it is a column.
  private static func term(_ row: [SQLiteValue]) -> String? {
    guard let column = row[0].textValue else { return nil }
    let collation = row[1].textValue?.uppercased() ?? "BINARY"
    return written(identifier: column) + (collation == "BINARY" ? "" : " COLLATE \(collation)")
      + (row[2] == .integer(1) ? " DESC" : "")
  }

  private func foreignKeys(
    ofTable name: String, _ database: String
  ) throws(SQLiteError) -> [ForeignKeySchema] {
    let rows = try query(
      """
      SELECT id, "table", "from", "to", on_delete, on_update
      FROM pragma_foreign_key_list(\(name), \(database)) ORDER BY id DESC, seq
      """)
    var keys: [ForeignKeySchema] = []
    var first = rows.startIndex
    while first < rows.endIndex {
      let end = rows[first...].firstIndex { $0[0] != rows[first][0] } ?? rows.endIndex
      let parent = rows[first][1].textValue ?? ""
      var keyColumns = rows[first..<end].compactMap { $0[3].textValue }
      if keyColumns.isEmpty {
        keyColumns = try columnRows(of: parent, database)
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

  /// The longest default of a column that counts as stored, in bytes of SQL.
  private static let longestDefault = 100

  /// The ordinary tables of the main database, or the one with a name; compiles nothing that the schema defines.
  package func ordinaryTables(named name: String? = nil) throws(SQLiteError) -> [OrdinaryTable] {
    // The pragma is evaluated only for rows with a page: for a view, it would compile the view.
    let rows = try query(
      """
      SELECT stored.name, columns.name, columns.type, columns."notnull", columns.pk, columns.hidden,
        length(columns.dflt_value)
      FROM main.sqlite_schema AS stored CROSS JOIN pragma_table_xinfo(stored.name, 'main') AS columns
      WHERE stored.type = 'table' AND stored.rootpage > 0
        AND (\(name) IS NULL OR stored.name = \(name) COLLATE NOCASE)
      ORDER BY stored.rowid, columns.cid
      """)
    var tables: [OrdinaryTable] = []
    for row in rows {
      let name = row[0].textValue ?? ""
      if tables.last.map({ haveSameBytes($0.name, name) }) != true {
        tables.append(OrdinaryTable(name: name))
      }
      tables[tables.count - 1].columns.append(
        OrdinaryTable.Column(
          name: row[1].textValue ?? "", type: row[2].textValue ?? "",
          isNullable: row[3] == .integer(0), keyPlace: Int(row[4].integerValue ?? 0),
          isStored: row[5] == .integer(0)
            && (row[6].integerValue ?? 0) <= Int64(Self.longestDefault)))
    }
    return tables
  }

  /// The tables in which a check of the indexes computes expressions of the schema.
  package func tablesWithComputedIndexes() throws(SQLiteError) -> [String] {
    try query(
      """
      SELECT DISTINCT stored.name
      FROM main.sqlite_schema AS stored CROSS JOIN pragma_index_list(stored.name, 'main') AS list
        CROSS JOIN pragma_index_xinfo(list.name, 'main') AS term
      WHERE stored.type = 'table' AND stored.rootpage > 0 AND (list.partial OR term.cid = -2)
      """, as: String.self)
  }

  /// A query for the names of the tables in which the virtual tables of SQLite store their contents:
  /// those of FTS5, FTS3, FTS4 and R*Tree.
  package static let shadowTables: SQL = """
    SELECT stored.name || '_' || ending.column1 FROM main.sqlite_schema AS stored,
      (VALUES ('data'), ('idx'), ('content'), ('docsize'), ('config'), ('segments'), ('segdir'),
        ('stat'), ('node'), ('rowid'), ('parent')) AS ending
    WHERE stored.type = 'table' AND coalesce(stored.rootpage, 0) = 0
    """

  /// The name, "without rowid" (`wr`), "strict" and definition of all ordinary tables of the main
  /// database, as in `pragma_table_list`.
  ///
  /// That pragma compiles each view, with the views that it selects from: in an untrusted schema,
  /// they can be nested so that this takes memory or a level of the stack without bound. Here the
  /// tables are created in a database of their own; neither flag is set if that fails.
  func untrustedTables() throws(SQLiteError) -> [[SQLiteValue]] {
    let stored = try query(
      """
      SELECT name, sql FROM main.sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY rowid
      """)
    let model = try Connection.inMemory()
    for row in stored { try? model.execute(SQL(generated: row[1].textValue ?? "")) }
    let flags = Dictionary(
      try model.query("SELECT name, wr, strict FROM pragma_table_list WHERE schema = 'main'").map {
        (foldedName($0[0].textValue ?? ""), Array($0[1...]))
      }, uniquingKeysWith: { first, _ in first })
    return stored.map { row in
      [row[0]] + (flags[foldedName(row[0].textValue ?? "")] ?? [0, 0]) + [row[1]]
    }
  }

  /// Adds indexes to the schema whose trees already exist in the file.
  ///
  /// The entries are written to `sqlite_schema` itself (<https://www.sqlite.org/pragma.html#pragma_writable_schema>),
  /// as `CREATE INDEX` writes them. A table created without the index of its primary key gets the key as well.
  ///
  /// Each index has its place among the table's unique keys, other indexes and primary key, and the number of its root
  /// page. After an error, for example if an index name exists already, the file is unusable.
  package func register(
    _ indexes: [(table: TableDescription, place: Int, root: Int)]
  ) throws(SQLiteError) {
    var names: Set<[UInt8]> = []
    // SQLite checks the name of an index when it creates it, not when it reads the schema.
    for (table, place, _) in indexes where place != table.keyIndexPlace {
      let (name, creation) = (table.indexName(place), table.indexCreation(place))
      // This checks against the schema, but not against the previous indexes in the list.
      _ = try prepare(creation)
      guard names.insert(foldedName(name)).inserted else {
        throw SQLiteError(.error, "index \(name) already exists", sql: creation.text)
      }
    }
    try execute("PRAGMA writable_schema = ON")
    for (table, place, root) in indexes {
      let isKey = place == table.keyIndexPlace
      if isKey {
        try execute(
          "UPDATE sqlite_schema SET sql = \(table.creation.text) WHERE type = 'table' AND name = \(table.name)"
        )
      }
      try execute(
        """
        INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql) VALUES ('index', \(table.indexName(place)),
          \(table.name), \(root), \(isKey ? nil : table.indexCreation(place).text))
        """)
    }
    // Reads the schema again; an invalid one is an error.
    try execute("PRAGMA writable_schema = RESET")
    _ = try query("SELECT count(*) FROM sqlite_schema")
  }
}

/// A table whose rows are stored as they are: neither a view nor a virtual table.
package struct OrdinaryTable: Sendable {
  package struct Column: Sendable {
    package let name: String
    package let type: String
    package let isNullable: Bool
    /// The position in the primary key, from 1; 0 if the column is not in it.
    package let keyPlace: Int
    /// Whether its values are stored, and not computed.
    ///
    /// SQLite computes a generated column, and a default takes the place of a value in each row
    /// that is older than the column: a long one would make a large table of a small file.
    package let isStored: Bool
  }

  package let name: String
  package fileprivate(set) var columns: [Column] = []
  package var isStored: Bool { columns.allSatisfy(\.isStored) }
}
