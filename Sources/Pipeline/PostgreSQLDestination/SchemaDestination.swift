#if PostgreSQL
  import SQLiteDestination
  package import Facts
  package import Threads
  import PostgreSQL
  import SQLiteSwiftly
  package import Schema

  /// A catalogue in a schema of a PostgreSQL database.
  ///
  /// Rows are copied as they come, one table after the other. Keys, indexes and foreign keys follow, which is when the
  /// server checks once more what the pipeline has checked.
  ///
  /// Over one connection all of that is one transaction. Over more of them each statement is one: none would see what
  /// another has not committed.
  package struct SchemaDestination: ~Copyable, Destination {
    private let server: SchemaServer
    /// The name under which it is published.
    private let name: String
    private let schema: SchemaDescription
    private let options: IngestOptions
    private let recorder: RunRecorder
    private let gate: Gate
    /// For each table that is written, what became of it.
    private var written: [SchemaCopy.Account] = []

    private let threads: ServerThreads

    /// Connects to the server, locks the schema's name and creates the tables beside the published ones.
    ///
    /// - Throws: `IngestError` if the server does not let that happen, if the schema is not ours to replace, or if
    ///   another run holds the lock.
    package init(
      _ schema: SchemaDescription, in server: ServerSchema, _ options: IngestOptions, gate: Gate,
      recorder: RunRecorder
    ) throws(IngestError) {
      let part = try SchemaServer(server, options.output, gate)
      try part.checkRestrictions(schema, of: server.name)
      try part.create(schema, isOneTransaction: server.connections == 1)
      self.server = part
      name = server.name
      threads = ServerThreads(server: server.connection, count: server.connections, gate: gate)
      self.schema = schema
      self.options = options
      self.recorder = recorder
      self.gate = gate
    }

    package mutating func write(from ring: Ring, waited: inout Double) throws(IngestError) {
      let copy = SchemaCopy(server.tables, from: ring, recorder)
      try attempt(options.output) { () throws(PostgreSQLError) in
        try threads.all(server.connection) { connection throws(PostgreSQLError) in
          try copy.run(on: connection)
        } stop: {
          ring.filled.close()
          ring.free.close()
        }
      }
      (written, waited) = copy.result
    }

    package mutating func complete(
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
      let largestFirst = written.indices.sorted { written[$0].rows > written[$1].rows }
      let accounts = outcome.tables
      try server.complete(largestFirst, schema.keyUnions, threads, recorder) {
        (connection) throws(PostgreSQLError) in
        outcome.search = try DerivedObjects(
          connection: connection, schema: schema, name: server.schema, recorder: recorder
        ).create(withSearch: options.hasSearch)
        try writeProvenance(accounts, on: connection)
      }
    }

    /// Says where the catalogue came from, and with what it was made.
    private func writeProvenance(
      _ accounts: [TableAccount], on connection: PostgreSQLConnection
    ) throws(PostgreSQLError) {
      for (table, rows) in Provenance.contents(
        accounts, of: schema, CatalogOption.all(of: options, [], recorder.acceptedNotices))
      {
        let definition = try TableDefinition(table, in: server.schema)
        try connection.execute(
          [definition.creation] + definition.insertions(of: rows) + definition.keyAdditions
            + definition.comments)
      }
    }

    package mutating func verify(_ accounts: inout [TableAccount]) throws(IngestError)
      -> CatalogChanges?
    {
      let start = recorder.now
      defer { recorder.record(.verify, from: start) }
      let comparison = SchemaComparison(
        schema: schema, candidate: server.schema, published: name, connection: server.connection)
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
      try noteMissingObjects()
      return changes
    }

    /// Notes what others have added to the published schema, which goes with it.
    private func noteMissingObjects() throws(IngestError) {
      let missing = try attempt(server.place) { () throws(PostgreSQLError) in
        try server.connection.objects(
          in: name, absentFrom: server.schema, besides: schema.search?.name)
      }
      for notice in MissingObjects(missing).notices(of: server.place) {
        recorder.record(.notice(notice))
      }
    }

    package consuming func keep() -> Result<String, IngestError> {
      let server = server
      return Result { () throws(IngestError) in
        try attempt(server.place) { () throws(PostgreSQLError) in
          try server.takeCandidate()?.keep() ?? ""
        }
      }
    }

    package consuming func publish(
      _ bytes: inout Int?, keeping _: () -> CatalogVerdict
    ) throws(IngestError) {
      let (server, recorder, output) = (server, recorder, options.output)
      try server.waitForReaders(seconds: options.catalogTimeout)
      let size = try attempt(output) { () throws(PostgreSQLError) in
        try server.connection.size(ofSchema: server.schema)
      }
      let publication = try gate.pass { (unfinished) throws(IngestError) in
        let result = try server.publish()
        unfinished.end()
        return result
      }
      bytes = size
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
        "\(output): published, but the previous schema could not be dropped: \(failure.message.words) The next run "
          + "drops it.")
    }
  }
#endif
