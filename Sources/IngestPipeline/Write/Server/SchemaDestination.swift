#if PostgreSQL
  import PostgreSQL
  import SQLiteSwiftly

  /// A catalogue in a schema of a PostgreSQL database.
  ///
  /// Rows are copied as they come, one table after the other. Keys, indexes and foreign keys follow, which is when the
  /// server checks once more what the pipeline has checked.
  ///
  /// Over one connection all of that is one transaction. Over more of them each statement is one: none would see what
  /// another has not committed.
  struct SchemaDestination: ~Copyable, Destination {
    private let run: RunConnection
    private var candidate: CandidateSchema?
    private let threads: ServerThreads
    private let schema: SchemaDescription
    private let options: IngestOptions
    private let recorder: RunRecorder
    private let gate: Gate
    /// The tables of the dumps, in their order.
    private let tables: [TableDefinition]
    /// What is filled from them: the keys that tables have in common.
    private let unions: [TableDefinition]
    /// For each table that is written, what became of it.
    private var written: [SchemaCopy.Account] = []

    private var connection: PostgreSQLConnection { run.connection }

    /// Connects to the server, locks the schema's name and creates the tables beside the published ones.
    ///
    /// - Throws: `IngestError` if the server does not let that happen, if the schema is not ours to replace, or if
    ///   another run holds the lock.
    init(
      _ schema: SchemaDescription, in server: ServerSchema, _ options: IngestOptions, gate: Gate,
      recorder: RunRecorder
    ) throws(IngestError) {
      let place = options.output
      let run = try attempt(place, isStart: true) { () throws(PostgreSQLError) in
        try RunConnection(server.connection, gate)
      }
      let connection = run.connection
      let candidate = try attempt(place, isStart: true) { () throws(PostgreSQLError) in
        try CandidateSchema(
          replacing: server.name, madeBy: "ingest \(toolVersion)",
          keepsPrevious: server.keepsPrevious, on: connection)
      }
      let name = candidate.name
      (tables, unions) = try attempt(place, isStart: true) { () throws(PostgreSQLError) in
        let tables = try TableDefinition.all(schema.tables, in: name)
        let unions = try TableDefinition.all(
          schema.keyUnions.map(\.derivedTable.table), in: name)
        if server.connections == 1 { try connection.beginTransaction() }
        do throws(PostgreSQLError) {
          for table in tables + unions { try connection.execute(table.creation) }
        } catch {
          connection.rollbackTransaction()
          throw error
        }
        return (tables, unions)
      }
      self.run = run
      self.candidate = consume candidate
      threads = ServerThreads(server: server.connection, count: server.connections, gate: gate)
      self.schema = schema
      self.options = options
      self.recorder = recorder
      self.gate = gate
    }

    // The candidate can only be dropped outside of a transaction.
    deinit { connection.rollbackTransaction() }

    mutating func write(from ring: Ring, waited: inout Double) throws(IngestError) {
      let copy = SchemaCopy(into: tables, from: ring, recorder)
      let areNew = threads.count == 1
      try attempt(options.output) { () throws(PostgreSQLError) in
        try threads.all(connection) { connection throws(PostgreSQLError) in
          try copy.run(on: connection, areNew: areNew)
        } stop: {
          ring.filled.close()
          ring.free.close()
        }
      }
      (written, waited) = copy.result
    }

    mutating func complete(
      _ outcome: inout IngestOutcome, running sqlFiles: [SQLFile]
    ) throws(IngestError) {
      guard written.allSatisfy(\.isComplete) else {
        throw IngestError(
          .fault, "\(options.output): not all tables were written. Nothing was published.")
      }
      for (index, table) in written.enumerated() {
        outcome.tables[index].inserted = table.rows
        outcome.tables[index].seconds = table.seconds
      }
      recorder.progress.begin(.index)
      let accounts = outcome.tables
      try attempt(options.output) { () throws(PostgreSQLError) in
        try SchemaKeys(
          tables: zip(tables, written).sorted { $0.1.rows > $1.1.rows }.map(\.0),
          unions: Array(zip(schema.keyUnions, unions)), connection: connection, threads: threads,
          recorder: recorder
        ).add()
        if try !connection.isInTransaction { try connection.beginTransaction() }
        for table in tables + unions {
          for comment in table.comments { try connection.execute(comment) }
        }
        try writeProvenance(accounts)
        try connection.commitTransaction()
      }
    }

    /// Says where the catalogue came from, and with what it was made.
    private func writeProvenance(_ accounts: [TableAccount]) throws(PostgreSQLError) {
      for (table, rows) in Provenance.contents(
        accounts, of: schema, CatalogOption.all(of: options, []))
      {
        let definition = try TableDefinition(table, in: tables[0].schema)
        try connection.execute(definition.creation)
        for statement in definition.keyAdditions + definition.comments {
          try connection.execute(statement)
        }
        for row in rows { try connection.insert(row, into: definition) }
      }
    }

    mutating func verify(_ accounts: inout [TableAccount]) throws(IngestError) -> CatalogChanges? {
      let comparison = SchemaComparison(
        schema: schema, candidate: tables[0].schema, published: options.server?.name ?? "",
        connection: connection)
      let start = recorder.now
      defer { recorder.record(.verify, from: start) }
      let (counts, changes) = try attempt(options.output) { () throws(PostgreSQLError) in
        try comparison.compare()
      }
      for (index, count) in counts.enumerated() {
        guard count.rows == accounts[index].inserted else {
          throw IngestError(
            .fault, runCode: .accountsUnbalanced,
            "\(options.output): \(accounts[index].table) has \(count.rows.of("row")), where "
              + "\(accounts[index].inserted.grouped) were copied. Nothing was published; run it again, and if "
              + "that does not help, report it as a fault of ingest.")
        }
        accounts[index].nulls = count.nulls
      }
      return changes
    }

    consuming func keep() -> Result<String, IngestError> {
      var candidate = candidate.take()
      let output = options.output
      do throws(PostgreSQLError) {
        guard let candidate = candidate.take() else { return .success("") }
        return .success(try candidate.keep())
      } catch {
        return .failure(IngestError(error, in: output))
      }
    }

    consuming func publish(_ bytes: inout Int?) throws(IngestError) {
      var candidate = candidate.take()
      let (output, connection, recorder) = (options.output, connection, recorder)
      let gate = gate
      let name = tables[0].schema
      let publication: Publication?
      do throws(PostgreSQLError) {
        let size = try connection.query(
          """
          SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class AS c
          JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind = 'r'
          """, [name])
        publication = try gate.pass { (unfinished) throws(PostgreSQLError) in
          let publication = try candidate.take()?.publish()
          unfinished.end()
          return publication
        }
        bytes = size.first?.first.flatMap { $0 }.flatMap(Int.init) ?? 0
      } catch {
        throw IngestError(error, in: output)
      }
      for lost in publication?.lostPrivileges ?? [] {
        recorder.record(
          .notice(
            Notice(
              file: output, code: .accessChanged,
              "the new schema could not be given this of the one that it replaces: \(lost)")))
      }
      guard let failure = publication?.failure else { return }
      throw IngestError(
        .inputOutput, undone: "the previous schema could not be dropped",
        "\(output): published, but the previous schema could not be dropped: \(failure.message.words). The next "
          + "run drops it.")
    }
  }
#endif
