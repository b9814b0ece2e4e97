extension Connection {
  /// Adds indexes to the schema whose trees are in the file already.
  ///
  /// They are written to `sqlite_schema` itself (<https://www.sqlite.org/pragma.html#pragma_writable_schema>),
  /// as `CREATE INDEX` does.
  ///
  /// A table that was created without the index of its primary key gets the key with it.
  ///
  /// - Parameter indexes: for each, its table, its place among the unique keys of that table, its other indexes and
  ///   its primary key, and the number of its root page.
  /// - Throws: `SQLiteError`, as when the name of an index is taken, after which the file is of no use.
  /// - Complexity: O(indexes): SQLite reads the schema once, whatever it comes to.
  package func register(
    _ indexes: [(table: TableDescription, place: Int, root: Int)]
  ) throws(SQLiteError) {
    try checkCreations(of: indexes)
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
    // Reads the schema again, and refuses what it makes no sense of.
    try execute("PRAGMA writable_schema = RESET")
    _ = try query("SELECT count(*) FROM sqlite_schema")
  }

  /// Throws the error with which SQLite would refuse to create one of the indexes.
  ///
  /// It looks at the name of an index when it is to create one, and not when it reads the schema.
  private func checkCreations(
    of indexes: [(table: TableDescription, place: Int, root: Int)]
  ) throws(SQLiteError) {
    var names: Set<[UInt8]> = []
    for (table, place, _) in indexes where place != table.keyIndexPlace {
      let (name, creation) = (table.indexName(place), table.indexCreation(place))
      // This knows of what is in the schema, and not of the indexes before it.
      _ = try prepare(creation)
      guard names.insert(foldedName(name)).inserted else {
        throw SQLiteError(.error, "index \(name) already exists", sql: creation.text)
      }
    }
  }
}
