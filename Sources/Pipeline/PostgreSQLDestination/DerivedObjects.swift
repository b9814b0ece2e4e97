#if PostgreSQL
  import Facts
  import PostgreSQL
  import SQLiteSwiftly
  import Schema

  /// Makes in a schema what follows from the tables of the dumps: derived tables, statistics, views and the search.
  ///
  /// The keys that tables have in common are there already.
  struct DerivedObjects {
    let connection: PostgreSQLConnection
    let schema: SchemaDescription
    /// The name of the schema.
    let name: String
    let recorder: RunRecorder

    /// Makes all of it, in the transaction that goes on.
    ///
    /// The tables must be analyzed, as the planner has nothing else to go by.
    ///
    /// - Parameter hasSearch: whether there is to be a search.
    /// - Returns: What the search came to; nil if there is none.
    /// - Throws: `PostgreSQLError`.
    func create(withSearch hasSearch: Bool) throws(PostgreSQLError) -> SearchAccount? {
      recorder.progress.begin(.derive)
      // The server's own names come first all the same.
      try connection.execute("SET LOCAL search_path = \(quoted(identifier: name))")
      let tables = schema.derivedTables + schema.aggregates.flatMap(\.postgreSQLTables)
      let definitions = try TableDefinition.all(tables.map(\.table), in: name)
      for (table, definition) in zip(tables, definitions) {
        let start = recorder.now
        try create(table, as: definition)
        recorder.record(.derive, table: table.table.name, from: start)
      }
      for view in schema.views {
        let definition = try ViewDefinition(view, in: name)
        try connection.execute([definition.creation] + definition.comments)
      }
      guard hasSearch, let search = schema.search else { return nil }
      return try create(search)
    }

    private func create(
      _ table: DerivedTableDescription, as definition: TableDefinition
    ) throws(PostgreSQLError) {
      try connection.execute(
        [definition.creation, definition.filling(by: table.query)] + definition.keyAdditions
          + definition.indexCreations + definition.foreignKeyAdditions)
      try connection.validateForeignKeys(of: definition)
      try connection.execute(definition.comments + definition.analysis)
    }

    private func create(_ search: SearchDescription) throws(PostgreSQLError) -> SearchAccount {
      recorder.progress.begin(.search)
      let start = recorder.now
      let definition = try SearchDefinition(search, in: name)
      try connection.execute(
        [definition.creation] + definition.fillings + definition.completions + definition.comments)
      recorder.record(.search, from: start)
      let sums = try connection.query(
        "SELECT count(*), pg_total_relation_size($1::regclass) FROM \(definition.qualifiedName)",
        [definition.qualifiedName])
      let numbers = (sums.first ?? []).map { $0.flatMap(Int.init) ?? 0 }
      return SearchAccount(
        entries: numbers.first ?? 0, bytes: numbers.last ?? 0, seconds: recorder.now - start)
    }
  }
#endif
