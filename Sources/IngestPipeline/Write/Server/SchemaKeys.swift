#if PostgreSQL
  import PostgreSQL
  import SQLiteSwiftly

  /// Completes the tables of a schema, whose rows are there.
  struct SchemaKeys {
    /// The tables, the largest first, so that no thread is left with that one.
    let tables: [TableDefinition]
    /// The keys that tables have in common, and the tables that they are in.
    let unions: [(union: KeyUnionDescription, table: TableDefinition)]
    let connection: PostgreSQLConnection
    /// The threads of this server.
    let threads: ServerThreads
    let recorder: RunRecorder

    /// Adds keys and what unites them, then indexes, then the references to all of that.
    ///
    /// Threads share what can be done at once. A key takes a table for itself, so its indexes come after it.
    func add() throws(PostgreSQLError) {
      try threads.share(
        tables.map { work(.index, on: $0, $0.keyAdditions) }
          + unions.map { union, table in
            work(
              .index, on: table, [union.postgreSQLFilling(in: table.schema)] + table.keyAdditions)
          }, from: [connection])
      try threads.share(
        tables.flatMap { table in table.indexCreations.map { work(.index, on: table, [$0]) } },
        from: [connection])
      let all = tables + unions.map(\.table)
      for table in all {
        for statement in table.foreignKeyAdditions { try connection.execute(statement) }
      }
      try threads.share(all.map(validation), from: [connection])
    }

    /// Checks the references of a table, and gathers its statistics.
    private func validation(of table: TableDefinition) -> ServerThreads.Work {
      { connections throws(PostgreSQLError) in
        try connections[0].validateForeignKeys(of: table)
        for statement in table.analysis { try connections[0].execute(statement) }
      }
    }

    /// Statements on a table, as a piece of work.
    private func work(
      _ stage: StageTime.Stage, on table: TableDefinition, _ statements: [String]
    ) -> ServerThreads.Work {
      { [recorder] connections throws(PostgreSQLError) in
        let start = recorder.now
        for statement in statements { try connections[0].execute(statement) }
        recorder.record(stage, table: table.table.name, from: start)
      }
    }
  }
#endif
