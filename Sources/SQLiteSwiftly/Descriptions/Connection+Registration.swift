extension Connection {
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
