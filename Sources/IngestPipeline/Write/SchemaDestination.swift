#if PostgreSQL
  import PostgreSQL
  import SQLiteSwiftly

  /// A catalogue in a schema of a PostgreSQL database.
  ///
  /// Rows are copied as they come, one table after the other. Keys, indexes and foreign keys follow, which is when the
  /// server checks once more what the pipeline has checked.
  struct SchemaDestination: ~Copyable, Destination {
    private var candidate: CandidateSchema?
    private let connection: PostgreSQLConnection
    private let schema: SchemaDescription
    private let options: IngestOptions
    private let recorder: RunRecorder
    private let gate: Gate
    /// What is done if the run is ended from outside.
    private let cancellation: Int
    /// The tables of the dumps, in their order.
    private let tables: [TableDefinition]
    /// What is filled from them: the keys that tables have in common.
    private let unions: [TableDefinition]
    /// For each table that is complete, its rows, and the time it took.
    private var written: [(rows: Int, seconds: Double)] = []

    /// Connects to the server, locks the schema's name and creates the tables beside the published ones.
    ///
    /// - Throws: `IngestError` if the server does not let that happen, if the schema is not ours to replace, or if
    ///   another run holds the lock.
    init(
      _ schema: SchemaDescription, in server: ServerSchema, _ options: IngestOptions, gate: Gate,
      recorder: RunRecorder
    ) throws(IngestError) {
      let place = options.output
      let connection = try Self.attempt(place) { () throws(PostgreSQLError) in
        try PostgreSQLConnection(server.connection)
      }
      let candidate = try Self.attempt(place) { () throws(PostgreSQLError) in
        try CandidateSchema(
          replacing: server.name, madeBy: "ingest \(toolVersion)",
          keepsPrevious: server.keepsPrevious, on: connection)
      }
      let name = candidate.name
      let (tables, unions) = try Self.attempt(place) { () throws(PostgreSQLError) in
        let tables = try Self.definitions(of: schema.tables, in: name)
        let unions = try Self.definitions(of: schema.keyUnions.map(\.derivedTable.table), in: name)
        for table in tables + unions { try connection.execute(table.creation) }
        return (tables, unions)
      }
      self.schema = schema
      self.options = options
      self.recorder = recorder
      self.gate = gate
      self.connection = connection
      self.tables = tables
      self.unions = unions
      self.candidate = consume candidate
      // Without a word the server would go on with what it is doing, and keep the lock meanwhile.
      cancellation = gate.pass { [canceller = connection.canceller] unfinished in
        unfinished.add { try? canceller.cancel() }
      }
    }

    deinit {
      gate.pass { [cancellation] unfinished in unfinished.drop(cancellation) }
    }

    private static func definitions(
      of tables: [TableDescription], in schema: String
    ) throws(PostgreSQLError) -> [TableDefinition] {
      var definitions: [TableDefinition] = []
      for table in tables { definitions.append(try TableDefinition(table, in: schema)) }
      return definitions
    }

    /// Does something before anything is written.
    private static func attempt<Value: ~Copyable>(
      _ place: String, _ body: () throws(PostgreSQLError) -> Value
    ) throws(IngestError) -> Value {
      do throws(PostgreSQLError) {
        return try body()
      } catch {
        throw IngestError(error, in: place, isStart: true)
      }
    }

    private func attempt<Value>(
      _ body: () throws(PostgreSQLError) -> Value
    ) throws(IngestError) -> Value {
      do throws(PostgreSQLError) {
        return try body()
      } catch {
        throw IngestError(error, in: options.output)
      }
    }

    mutating func write(from ring: Ring, waited: inout Double) throws(IngestError) {
      var waiting = Stopwatch()
      defer { waited = waiting.seconds }
      while let next = waiting.time({ ring.filled.receive() }) {
        let (table, start) = (next.table, recorder.now)
        let copied: Int?
        do throws(PostgreSQLError) {
          copied = try copy(into: table, next, from: ring, &waiting)
        } catch {
          throw IngestError(error, in: options.output)
        }
        guard let rows = copied else { return }
        written.append((rows, recorder.now - start))
        recorder.record(.insert, table: schema.tables[table].name, from: start)
        recorder.record(
          .tableWritten(
            name: schema.tables[table].name, rows: rows, seconds: recorder.now - start))
      }
    }

    /// Copies the rows of a table, from its first batch to its last one.
    ///
    /// - Returns: How many there are; nil if the reader has given up before the last batch.
    private func copy(
      into table: Int, _ first: consuming Delivery, from ring: Ring, _ waiting: inout Stopwatch
    ) throws(PostgreSQLError) -> Int? {
      var writer = try CopyWriter(into: tables[table], on: connection)
      var delivery: Delivery? = consume first
      while let next = delivery.take() {
        try writer.write(next.rows)
        let isLast = next.isLast
        _ = ring.free.send(next)
        if isLast { return try writer.finish() }
        delivery = waiting.time { ring.filled.receive() }
      }
      return nil
    }

    mutating func complete(
      _ outcome: inout IngestOutcome, running sqlFiles: [SQLFile]
    ) throws(IngestError) {
      guard written.count == outcome.tables.count else {
        throw IngestError(
          .fault, "\(options.output): not all tables were written. Nothing was published.")
      }
      for (index, table) in written.enumerated() {
        outcome.tables[index].inserted = table.rows
        outcome.tables[index].seconds = table.seconds
      }
      recorder.progress.begin(.index)
      let accounts = outcome.tables
      // One transaction, whose end alone waits for the disk.
      try attempt { () throws(PostgreSQLError) in
        try connection.transaction { () throws(PostgreSQLError) in
          try addKeys()
          try writeProvenance(accounts)
          for table in tables + unions {
            for comment in table.comments { try connection.execute(comment) }
            try connection.execute(table.analysis)
          }
        }
      }
    }

    /// Adds keys and indexes, then what unites keys, then the references to all of them.
    private func addKeys() throws(PostgreSQLError) {
      func index(_ table: TableDefinition) throws(PostgreSQLError) {
        let start = recorder.now
        for statement in table.keyAdditions + table.indexCreations {
          try connection.execute(statement)
        }
        recorder.record(.index, table: table.table.name, from: start)
      }
      for table in tables { try index(table) }
      for (union, table) in zip(schema.keyUnions, unions) {
        try connection.execute(union.postgreSQLFilling(in: table.schema))
        try index(table)
      }
      for table in tables + unions {
        for statement in table.foreignKeyAdditions { try connection.execute(statement) }
      }
      for table in tables + unions { try connection.validateForeignKeys(of: table) }
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
      let (counts, changes) = try attempt { () throws(PostgreSQLError) in
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
      let (gate, cancellation) = (gate, cancellation)
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
          unfinished.drop(cancellation)
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
