#if PostgreSQL
  import Schema
  import Facts
  import PostgreSQL
  import SQLiteSwiftly

  extension SchemaDestination {
    /// Adds indexes to the tables of the dumps, then keys and what unites them, then the references to all of that.
    ///
    /// Threads share what can be done at once. A key takes a table for itself, so that of the table is a mere index
    /// first, which does not.
    func addKeys() throws(PostgreSQLError) {
      recorder.progress.begin(.index)
      // The largest first, so that no thread is left with that one.
      let largestFirst = written.indices.sorted { written[$0].rows > written[$1].rows }.map {
        tables[$0]
      }
      let all = largestFirst + unions
      let names = all.map(\.table.name)
      // With several threads, each gives a process of the server something to do.
      let runs = try connection.sortRuns(of: largestFirst, hasHelpers: threads.count == 1)
      let keyed = zip(largestFirst, runs).map { table, runs in
        (table: table, key: table.indexedKey(besides: names), runs: runs)
      }
      try threads.share(
        keyed.flatMap { table, key, runs in
          ([key?.index].compactMap(\.self) + table.indexCreations).map {
            work(on: table, runs?.around([$0], of: table) ?? [$0])
          }
        }, from: connection)
      try threads.share(
        keyed.map { table, key, runs in
          let additions = key.map { [$0.key] + table.uniqueKeyAdditions } ?? table.keyAdditions
          return work(on: table, runs?.around(additions, of: table) ?? additions)
        }
          + zip(schema.keyUnions, unions).map { union, table in
            work(on: table, [union.postgreSQLFilling(in: name)] + table.keyAdditions)
          }, from: connection)
      try connection.execute(all.flatMap(\.foreignKeyAdditions))
      try threads.share(all.map(validation), from: connection)
    }

    /// Checks the references of a table, and gathers its statistics.
    private func validation(of table: TableDefinition) -> ServerThreads.Work {
      { connection throws(PostgreSQLError) in
        try connection.validateForeignKeys(of: table)
        try connection.execute(table.analysis)
      }
    }

    /// Statements on a table, as a piece of work.
    private func work(on table: TableDefinition, _ statements: [String]) -> ServerThreads.Work {
      { [recorder] connection throws(PostgreSQLError) in
        let start = recorder.now
        try connection.execute(statements)
        recorder.record(.index, table: table.table.name, from: start)
      }
    }

    /// Makes what follows from the tables, in the transaction that goes on: derived tables, statistics, views and the
    /// search.
    ///
    /// The tables must be analyzed, as the planner has nothing else to go by.
    ///
    /// - Returns: What the search came to; nil if there is none.
    func createDerivedObjects() throws(PostgreSQLError) -> SearchResult? {
      recorder.progress.begin(.derive)
      // The server's own names come first all the same.
      try connection.execute("SET LOCAL search_path = \(quoted(identifier: name))")
      for table in schema.derivedTables + schema.aggregates.flatMap(\.postgreSQLTables) {
        let start = recorder.now
        let definition = try TableDefinition(table.table, in: name)
        try connection.execute(
          [definition.creation, definition.filling(by: table.query)] + definition.keyAdditions
            + definition.indexCreations + definition.foreignKeyAdditions)
        try connection.validateForeignKeys(of: definition)
        try connection.execute(definition.comments + definition.analysis)
        recorder.record(.derive, table: table.table.name, from: start)
      }
      for view in schema.views { try connection.execute(view.postgreSQLCreation(in: name)) }
      guard options.hasSearch, let search = schema.search else { return nil }
      recorder.progress.begin(.search)
      let start = recorder.now
      try connection.execute(search.postgreSQLCreation(in: name))
      recorder.record(.search, from: start)
      let table = qualified(search.name, in: name)
      let sums = try connection.numbers(
        "SELECT count(*), pg_total_relation_size($1::regclass) FROM \(table)", [table])
      return SearchResult(entries: sums[0], bytes: sums[1], seconds: recorder.now - start)
    }
  }
#endif
