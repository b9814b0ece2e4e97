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

extension Connection {
  /// The longest default of a column that counts as stored, in bytes of SQL.
  private static let longestDefault = 100

  /// The ordinary tables of the main database, or the one with a name; without compiling anything
  /// that the schema defines.
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
}
