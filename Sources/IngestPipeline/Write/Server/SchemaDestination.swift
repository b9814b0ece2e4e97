#if PostgreSQL
  import PostgreSQL
  import SQLiteSwiftly

  /// A catalogue in a schema of a PostgreSQL database, or of several.
  ///
  /// Rows are copied as they come, one table after the other. Keys, indexes and foreign keys follow, which is when the
  /// server checks once more what the pipeline has checked.
  ///
  /// Over one connection all of that is one transaction. Over more of them each statement is one: none would see what
  /// another has not committed.
  struct SchemaDestination: ~Copyable, Destination {
    /// The servers: the one that is asked, and the shards.
    private let servers: [SchemaServer]
    private let sharding: Sharding
    private let server: ServerSchema
    private let schema: SchemaDescription
    private let options: IngestOptions
    private let recorder: RunRecorder
    private let gate: Gate
    /// For each table that is written, what became of it.
    private var written: [SchemaCopy.Account] = []

    private var coordinator: SchemaServer { servers[0] }
    private var shards: ArraySlice<SchemaServer> { servers.dropFirst() }

    /// Connects to the servers, locks the schema's name there and creates the tables beside the published ones.
    ///
    /// - Throws: `IngestError` if a server does not let that happen, if the schema is not ours to replace, or if
    ///   another run holds the lock.
    init(
      _ schema: SchemaDescription, in server: ServerSchema, _ options: IngestOptions, gate: Gate,
      recorder: RunRecorder
    ) throws(IngestError) {
      let names = try server.shardFile.map(ServerSchema.Shard.all) ?? []
      let sharding = try attempt(options.output, isStart: true) { () throws(PostgreSQLError) in
        try Sharding(
          server.sharded.map { Sharding.Table($0.table, by: $0.column) }, on: names.map(\.name),
          of: schema)
      }
      let coordinator = try SchemaServer(server, at: server.connection, options.output, gate)
      try attempt(options.output, isStart: true) { () throws(PostgreSQLError) in
        for name in names { try coordinator.connection.checkServer(name.name) }
      }
      var servers = [coordinator]
      for name in names {
        // Whoever has the lock of the coordinator decides.
        servers.append(
          try SchemaServer(server, at: name.connection, "\(options.output), \(name.name)", gate) {
            (connection) throws(PostgreSQLError) in
            try connection.checkCanPrepare()
            try connection.endSwaps(
              of: server.name, decided: coordinator.connection.swap(of: server.name))
          })
      }
      for (number, part) in servers.enumerated() {
        try part.checkRestrictions(schema, of: server.name)
        try part.create(
          schema, sharding, isShard: number > 0, isOneTransaction: server.connections == 1)
      }
      self.servers = servers
      self.sharding = sharding
      self.server = server
      self.schema = schema
      self.options = options
      self.recorder = recorder
      self.gate = gate
    }

    mutating func write(from ring: Ring, waited: inout Double) throws(IngestError) {
      let routes = schema.tables.enumerated().map { number, table in
        TableRoute(
          name: table.name, definitions: servers.map { $0.tables[number] },
          column: sharding.column(of: table.name).flatMap { name in
            table.columns.firstIndex { haveSameBytes($0.name, name) }
          })
      }
      let copy = SchemaCopy(routes, from: ring, recorder)
      let threads = ServerThreads(
        servers: servers.map(\.string), count: server.connections, gate: gate)
      try attempt(options.output) { () throws(PostgreSQLError) in
        try threads.all(servers.map(\.connection)) { connections throws(PostgreSQLError) in
          try copy.run(on: connections)
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
      let largestFirst = written.indices.sorted { written[$0].rows > written[$1].rows }
      // What the coordinator derives needs the rows of the shards.
      let shards = try shards.map { (shard) throws(IngestError) in
        try Worker("server") { [schema, server, gate, recorder] in
          Result { () throws(IngestError) in
            try shard.complete(
              largestFirst, schema.keyUnions, threads: server.connections, gate, recorder)
          }
        }
      }
      for result in shards.map({ $0.result() }) { try result.get() }
      let accounts = outcome.tables
      try coordinator.complete(
        largestFirst, schema.keyUnions, threads: server.connections, gate, recorder
      ) { (connection) throws(PostgreSQLError) in
        outcome.search = try DerivedObjects(
          connection: connection, schema: schema, name: coordinator.schema, sharding: sharding,
          recorder: recorder
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
        let definition = try TableDefinition(table, in: coordinator.schema)
        try connection.execute(
          [definition.creation] + definition.insertions(of: rows) + definition.keyAdditions
            + definition.comments)
      }
    }

    mutating func verify(_ accounts: inout [TableAccount]) throws(IngestError) -> CatalogChanges? {
      let start = recorder.now
      defer { recorder.record(.verify, from: start) }
      for (number, shard) in shards.enumerated() {
        try shard.check(number, of: shards.count, sharding, accounts)
      }
      let comparison = SchemaComparison(
        schema: schema, tables: coordinator.tables, candidate: coordinator.schema,
        published: server.name, connection: coordinator.connection)
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

    /// Notes what others have added to the published schemas, which goes with them.
    private func noteMissingObjects() throws(IngestError) {
      for part in servers {
        let missing = try attempt(part.place) { () throws(PostgreSQLError) in
          try part.connection.objects(
            in: server.name, absentFrom: part.schema, besides: schema.search?.name)
        }
        for notice in MissingObjects(missing).notices(of: part.place) {
          recorder.record(.notice(notice))
        }
      }
    }

    consuming func keep() -> Result<String, IngestError> {
      let servers = servers
      return Result { () throws(IngestError) in
        var name = ""
        for server in servers.reversed() {
          try attempt(server.place) { () throws(PostgreSQLError) in
            name = try server.takeCandidate()?.keep() ?? ""
          }
        }
        return name
      }
    }

    consuming func publish(
      _ bytes: inout Int?, keeping _: () -> CatalogVerdict
    ) throws(IngestError) {
      let (servers, recorder, output) = (servers, recorder, options.output)
      let name = server.name
      for server in servers { try server.waitForReaders(seconds: options.catalogTimeout) }
      let size = try attempt(output) { () throws(PostgreSQLError) in
        var size = 0
        for server in servers { size += try server.connection.size(ofSchema: server.schema) }
        return size
      }
      let (publications, failure) = try gate.pass { (unfinished) throws(IngestError) in
        let result = try servers.publish(as: name)
        unfinished.end()
        return result
      }
      bytes = size
      for lost in publications.flatMap(\.lostPrivileges) {
        recorder.record(
          .notice(
            Notice(
              file: output, code: .accessChanged,
              "the new schema could not be given this of the one that it replaces: \(lost)")))
      }
      if let failure { throw failure }
      guard let failure = publications.lazy.compactMap(\.failure).first else { return }
      throw IngestError(
        .inputOutput, undone: "the previous schema could not be dropped",
        "\(output): published, but the previous schema could not be dropped: \(failure.message.words) The next run "
          + "drops it.")
    }
  }
#endif
