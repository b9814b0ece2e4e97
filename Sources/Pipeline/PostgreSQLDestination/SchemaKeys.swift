#if PostgreSQL
  import Facts
  import PostgreSQL
  import SQLiteSwiftly
  import Schema

  /// Completes the tables of a schema, whose rows are there.
  struct SchemaKeys {
    /// The tables, the largest first, so that no thread is left with that one.
    let tables: [TableDefinition]
    /// The keys that tables have in common, and the tables that they are in.
    let unions: [(union: KeyUnionDescription, table: TableDefinition)]
    let connection: PostgreSQLConnection
    let threads: ServerThreads
    let recorder: RunRecorder

    /// Adds indexes, then keys and what unites them, then the references to all of that.
    ///
    /// Threads share what can be done at once. A key takes a table for itself, so that of the table is a mere index
    /// first, which does not.
    func add() throws(PostgreSQLError) {
      // With several threads, each gives a process of the server something to do.
      let runs = try connection.sortRuns(of: tables, hasHelpers: threads.count == 1)
      let all = tables + unions.map(\.table)
      let names = all.map(\.table.name)
      let keys = tables.map { $0.indexedKey(besides: names) }
      try threads.share(
        tables.indices.flatMap { number in
          let table = tables[number]
          return ([keys[number]?.index].compactMap(\.self) + table.indexCreations).map {
            work(on: table, runs[number]?.around([$0], of: table) ?? [$0])
          }
        }, from: connection)
      try threads.share(
        tables.indices.map { number in
          let table = tables[number]
          let additions =
            keys[number].map { [$0.key] + table.uniqueKeyAdditions } ?? table.keyAdditions
          return work(on: table, runs[number]?.around(additions, of: table) ?? additions)
        }
          + unions.map { union, table in
            work(on: table, [union.postgreSQLFilling(in: table.schema)] + table.keyAdditions)
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
  }
#endif
