#if PostgreSQL
  import SQLiteDestination
  import Schema
  import Vocabulary
  import PostgreSQL
  import SQLiteSwiftly
  import Provenance

  extension NewSchema {
    /// Adds indexes to the tables, then keys and key unions, then foreign keys.
    ///
    /// Threads share independent work. Adding a key locks its table, so the primary key is created as an index first,
    /// which does not.
    func addKeys(_ rows: [Int]) throws(PostgreSQLError) {
      recorder.progress.begin(.index)
      // The largest first, so that all threads end at about the same time.
      let largestFirst = rows.indices.sorted { rows[$0] > rows[$1] }.map { tables[$0] }
      let all = largestFirst + unions
      let names = all.map(\.table.name)
      // With several threads, each already uses a process of the server.
      let runs = try connection.sortRuns(of: largestFirst, hasHelpers: threads.count == 1)
      let keyed = zip(largestFirst, runs).map { table, runs in
        (table: table, key: table.indexedKey(besides: names), runs: runs)
      }
      try threads.share(
        keyed.flatMap { table, key, runs in
          ([key?.index].compactMap(\.self) + (merges ? [] : table.indexCreations)).map {
            work(on: table, runs?.around([$0], of: table) ?? [$0])
          }
        }, from: connection)
      try threads.share(
        keyed.map { table, key, runs in
          // Custom SQL may refer to them.
          let others = merges && sqlFiles.isEmpty ? [] : table.uniqueKeyAdditions
          let additions = key.map { [$0.key] + others } ?? table.primaryKeyAddition + others
          return work(on: table, runs?.around(additions, of: table) ?? additions)
        }
          + zip(schema.keyUnions, unions).map { union, table in
            work(on: table, [union.postgreSQLFilling(in: name)] + table.keyAdditions)
          }, from: connection)
      if !merges { try connection.execute(all.flatMap(\.foreignKeyAdditions)) }
      try threads.share(all.map(validation), from: connection)
    }

    /// Checks the foreign keys of a table, and gathers its statistics.
    private func validation(of table: TableDefinition) -> ServerThreads.Work {
      { connection throws(PostgreSQLError) in
        try connection.validateForeignKeys(of: table)
        try connection.checkUnheldConstraints(of: table)
        try connection.execute(table.analysis)
      }
    }

    private func work(on table: TableDefinition, _ statements: [String]) -> ServerThreads.Work {
      { [recorder] connection throws(PostgreSQLError) in
        let start = recorder.now
        try connection.execute(statements)
        recorder.record(.index, table: table.table.name, from: start)
      }
    }

    /// Creates the derived tables, statistics, views and the search, in the current transaction.
    ///
    /// The tables must have been analyzed, or the planner has no statistics.
    ///
    /// - Returns: The result of the search; nil if there is none.
    func createDerivedObjects() throws(PostgreSQLError) -> SearchResult? {
      recorder.progress.begin(.derive)
      return try connection.building(in: name) { () throws(PostgreSQLError) in
        try fillDerivedTables()
        return try createSearch()
      }
    }

    private func fillDerivedTables() throws(PostgreSQLError) {
      for table in schema.derivedTables { try fill(table) }
      if let statistics = schema.statistics { try fill(statistics) }
      // A merge only needs them to report those that Citus refuses.
      for view in merges && sqlFiles.isEmpty && distribution == nil ? [] : schema.views {
        try connection.execute(view.postgreSQLCreation(in: name))
      }
      if distribution != nil { try dropRefusedViews() }
    }

    private func createSearch() throws(PostgreSQLError) -> SearchResult? {
      guard options.hasSearch, let search = schema.search else { return nil }
      recorder.progress.begin(.search)
      let start = recorder.now
      let table = qualified(search.name, in: name)
      var statements = try search.postgreSQLCreation(
        in: name, isStaged: merges && sqlFiles.isEmpty, isLogged: logsTables)
      if distribution != nil {
        // The first one creates the table.
        statements.insert("SELECT create_reference_table(\(quoted(text: table)))", at: 1)
      }
      for statement in statements {
        try orCopying(statement, filling: search.name, connection.execute)
      }
      recorder.record(.search, from: start)
      let stored = merges ? qualified(search.name, in: target) : table
      let size = distribution == nil ? "pg_total_relation_size" : "citus_total_relation_size"
      let sums = try connection.numbers(
        "SELECT count(*), \(size)($1::regclass) FROM \(table)", [stored])
      return (entries: sums[0], bytes: sums[1], seconds: recorder.now - start)
    }

    /// Runs the custom SQL in the current transaction, and records the objects that it makes.
    func runCustomSQL() throws(PostgreSQLError) -> [SQLFileResult] {
      guard !sqlFiles.isEmpty else { return [] }
      recorder.progress.begin(.sql)
      let start = recorder.now
      defer { recorder.record(.sql, from: start) }
      let run = try ScriptRun(in: name, on: connection)
      var results: [SQLFileResult] = []
      for file in sqlFiles {
        var result = SQLFileResult(file: file.path)
        let start = recorder.now
        result.statements = try run.run(SQLScript(file.path, file.script))
        result.seconds = recorder.now - start
        let objects = try run.made().map { SchemaObject(type: $0.type, name: $0.name) }
        // A file may drop objects of the files before it.
        for index in results.indices { results[index].objects.removeAll { !objects.contains($0) } }
        result.objects = objects.filter { !results.flatMap(\.objects).contains($0) }
        results.append(result)
      }
      try run.analyze()
      let table = try TableDefinition(Provenance.objects, in: name)
      try connection.execute(table.insertions(of: Provenance.rows(of: results)))
      return results
    }

    /// Fills the tables of statistics with rows computed here: the queries would take the server several times as long.
    private func fill(_ statistics: StatisticsDescription) throws(PostgreSQLError) {
      let start = recorder.now
      var contents: [FilledBatch] = []
      let (columns, query) = statistics.contents
      try orCopying(query.postgreSQL) { query throws(PostgreSQLError) in
        var reader = try CopyReader(columns, from: query, on: connection)
        while let batch = try reader.next() { contents.append(FilledBatch(batch)) }
      }
      let source = statistics.source
      let entries = "\(qualified(source.name, in: name)) AS entries"
      let order = statistics.index.prefix(statistics.orderedColumns).map {
        "entries.\(quoted(identifier: $0))"
      }
      var reader = try CopyReader(
        statistics.index.compactMap { source.columnIndex($0) }.map { source.columns[$0] },
        from: "\(entries) ORDER BY \(order.joined(separator: ", "))", on: connection)
      var read: Result<Void, PostgreSQLError>?
      let computed = statistics.compute(contents) { add in
        precondition(read == nil, "the entries were passed before")
        read = Result { () throws(PostgreSQLError) in
          while let batch = try reader.next() { add(batch) }
        }
      }
      guard let read else { preconditionFailure("the entries were not passed") }
      try read.get()
      recorder.record(.derive, table: source.name, from: start)
      for (table, batches) in zip(statistics.tables, computed) {
        try fill(table, isQueried: !merges) { definition throws(PostgreSQLError) in
          var writer = try CopyWriter(into: definition, on: connection)
          for batch in batches { try writer.write(batch.rows) }
          _ = try writer.end()
        }
      }
      for table in statistics.derivedTables { try fill(table) }
    }

    private func fill(_ table: DerivedTableDescription) throws(PostgreSQLError) {
      try fill(table) { definition throws(PostgreSQLError) in
        let filling = definition.filling(by: table.query)
        try orCopying(filling, filling: table.table.name, connection.execute)
      }
    }

    private func fill(
      _ table: DerivedTableDescription, isQueried: Bool = true,
      _ insert: (TableDefinition) throws(PostgreSQLError) -> Void
    ) throws(PostgreSQLError) {
      let start = recorder.now
      let definition = try TableDefinition(table.table, in: name, distribution: distribution)
      try connection.execute(creation(of: definition))
      try insert(definition)
      try connection.execute(definition.keyAdditions)
      if !merges {
        try connection.execute(
          definition.indexCreations + definition.foreignKeyAdditions + definition.comments)
        try connection.validateForeignKeys(of: definition)
      }
      try connection.checkUnheldConstraints(of: definition)
      try connection.execute(isQueried ? definition.analysis : [])
      recorder.record(.derive, table: table.table.name, from: start)
    }
  }
#endif
