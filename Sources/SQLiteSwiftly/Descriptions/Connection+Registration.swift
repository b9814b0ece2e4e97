extension Connection {
  /// Adds indexes to the schema whose trees are in the file already.
  ///
  /// It is written to `sqlite_schema` itself (<https://www.sqlite.org/pragma.html#pragma_writable_schema>),
  /// as `CREATE INDEX` does.
  ///
  /// - Parameter indexes: for each, its table, its place among the unique keys of that table and, after
  ///   them, its other indexes, and the number of its root page.
  /// - Throws: `SQLiteError`, as when the name of an index is taken, after which the file is of no use.
  package func register(
    _ indexes: [(table: TableDescription, place: Int, root: Int)]
  ) throws(SQLiteError) {
    for (table, place, root) in indexes {
      let creation = table.indexCreations[place]
      // SQLite looks at the name of an index when it is to create one, and not when it reads the schema.
      _ = try prepare(creation)
      try execute("PRAGMA writable_schema = ON")
      try execute(
        """
        INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql)
        VALUES ('index', \(table.indexName(place)), \(table.name), \(root), \(creation.text))
        """)
      // Reads the schema again, and refuses what it makes no sense of.
      try execute("PRAGMA writable_schema = RESET")
      _ = try query("SELECT count(*) FROM sqlite_schema")
    }
  }
}
