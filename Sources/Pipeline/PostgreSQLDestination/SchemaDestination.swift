#if PostgreSQL
  import SQLiteDestination
  package import Vocabulary
  import Platform
  import PostgreSQL
  import SQLiteSwiftly
  package import Schema
  import Provenance
  import Text

  /// A schema of a PostgreSQL database.
  ///
  /// Rows are copied as they arrive, one table after another. Then keys, indexes and foreign keys are added, with which
  /// the server repeats the checks of the pipeline.
  ///
  /// Over one connection, all of this is one transaction. Over several, each statement is a transaction, since one
  /// connection does not see the uncommitted rows of another.
  package struct SchemaDestination: Destination {
    private let server: ServerSchema
    private let output: String

    /// `output` is its name in messages.
    package init(_ server: ServerSchema, at output: String) {
      self.server = server
      self.output = output
    }

    package func open(for run: RunContext) throws(IngestError) -> OpenSchema {
      let session = try OpenSchema(server, run)
      let new = session.new
      try mapError(new.createTables(), as: new.failure)
      try mapError(new.reportDistribution(), as: new.failure)
      return session
    }

    package func check(for run: RunContext) throws(IngestError) -> any PreviousDatabase {
      // The end of the session rolls back, and unlocks the name.
      let new = try OpenSchema(server, run).new
      try mapError(new.reportDistribution(), as: new.failure)
      return new
    }

    package func published(_: SchemaDescription) throws(IngestError) -> (any PublishedDatabase)? {
      try PublishedSchema(server, at: output)
    }
  }

  package struct OpenSchema: OpenSession, ~Copyable {
    fileprivate let new: NewSchema
    private let candidate: CandidateSchema

    package var previous: any PreviousDatabase { new }

    fileprivate init(_ server: ServerSchema, _ run: RunContext) throws(IngestError) {
      let output = run.options.output.name
      let atStart = { IngestError($0, in: output, isStart: true) }
      let connection = try mapError(
        RunConnection(PostgreSQLConnection(server.connection), run.gate), as: atStart)
      let distribution = try NewSchema.distribution(for: run, server, on: connection.connection)
      var candidate = try mapError(as: atStart) { () throws(PostgreSQLError) in
        // A dry run is one transaction, which is rolled back.
        if run.options.isDryRun { try connection.connection.beginTransaction() }
        return try CandidateSchema(
          replacing: server.name, madeBy: "ingest \(toolVersion)",
          keepsPrevious: run.options.keepsPrevious, staging: server.staging,
          on: connection.connection)
      }
      let threads = try mapError(
        ServerThreads(server.connections, besides: connection.connection, run.gate), as: atStart)
      new = try mapError(as: { IngestError($0, in: output) }) { () throws(PostgreSQLError) in
        let name = candidate.name
        let tables = try TableDefinition.all(of: run.schema, in: name, distribution: distribution)
        let unions = try run.schema.keyUnions.map { union throws(PostgreSQLError) in
          try TableDefinition(union.table, in: name, distribution: distribution)
        }
        let objects = try run.schema.postgreSQLObjects(
          tables + unions, in: name, hasSearch: run.options.hasSearch, distribution)
        try candidate.plan(
          server.publishing.mode, distribution: distribution, creating: objects,
          running: run.sqlFiles.map { SQLScript($0.path, $0.script) },
          allowsLoss: server.allowsLoss)
        if let choice = candidate.choice { run.recorder.record(choice) }
        let new = NewSchema(
          run: run, session: connection, threads: threads, name: name, target: server.name,
          tables: tables, unions: unions, merges: candidate.merges, isLogged: candidate.isLogged,
          distribution: distribution)
        try new.checkRestrictions()
        return new
      }
      self.candidate = candidate
    }

    package consuming func write(from ring: Ring) -> WrittenSchema {
      let copy = SchemaCopy(new.tables, from: ring, new.recorder)
      var failure: IngestError?
      do throws(PostgreSQLError) {
        try new.threads.all(new.connection) { connection throws(PostgreSQLError) in
          try copy.run(on: connection)
        } stop: {
          ring.end()
        }
      } catch {
        failure = new.failure(error)
      }
      return WrittenSchema(new: new, candidate: candidate, written: copy.result, failure: failure)
    }
  }

  package struct WrittenSchema: WrittenSession, ~Copyable {
    fileprivate let new: NewSchema
    fileprivate let candidate: CandidateSchema
    fileprivate let written: [SchemaCopy.Progress]
    package let failure: IngestError?

    package consuming func complete(
      _ outcome: inout IngestOutcome
    ) throws(IngestError) -> CompleteSchema {
      if let failure { throw failure }
      let new = new
      guard written.allSatisfy(\.isComplete) else {
        throw .tablesIncomplete(new.options.output.name)
      }
      for (index, table) in written.enumerated() {
        outcome.tables[index].inserted = table.rows
        outcome.tables[index].seconds = table.seconds
      }
      (outcome.search, outcome.sqlFiles) = try mapError(
        new.complete(outcome.tables, rows: written.map(\.rows)), as: new.failure)
      let oldReaders = try mapError(candidate.oldReaders(), as: new.failure)
      return CompleteSchema(new: new, candidate: candidate, oldReaders: oldReaders)
    }
  }

  package struct CompleteSchema: CompleteSession, ~Copyable {
    fileprivate let new: NewSchema
    fileprivate var candidate: CandidateSchema
    /// The transactions that cannot see the rows.
    fileprivate let oldReaders: Set<String>

    package consuming func verify(
      _ counts: inout [TableCounts]
    ) throws(IngestError) -> VerifiedSchema {
      let (new, recorder) = (new, new.recorder)
      let start = recorder.now
      defer { recorder.record(.verify, from: start) }
      var differences: [String?]?
      var bytes: Int?
      if new.merges {
        // Citus refuses this once rows have changed.
        bytes = try mapError(new.connection.size(ofSchema: new.target), as: new.failure)
        differences = try mapError(
          candidate.beginMerge(
            of: new.schema.tables.map(\.name), seconds: new.options.catalogTimeout),
          as: new.failure)
      }
      let changes = try new.verify(&counts, differences)
      return VerifiedSchema(
        new: new, candidate: candidate, oldReaders: oldReaders, mergedBytes: bytes,
        changes: changes)
    }
  }

  package struct VerifiedSchema: VerifiedSession, ~Copyable {
    fileprivate let new: NewSchema
    fileprivate let candidate: CandidateSchema
    fileprivate let oldReaders: Set<String>
    /// The size of the schema into which the rows are merged.
    fileprivate let mergedBytes: Int?
    package let changes: DatabaseChanges?

    package consuming func keep() -> Result<String, IngestError> {
      let new = new
      do throws(PostgreSQLError) {
        return .success(try candidate.keep())
      } catch {
        return .failure(new.failure(error))
      }
    }

    package consuming func publish(
      _ bytes: inout Int?, keeping outcome: () -> IngestOutcome
    ) throws(IngestError) {
      let (new, output) = (new, new.options.output.name)
      for lost in try mapError(candidate.lostPrivileges(), as: new.failure) {
        new.recorder.record(
          .warning(
            Warning(
              file: output, code: .accessChanged,
              "cannot be copied from the previous schema: \(lost)")))
      }
      let rows = Provenance.rows(of: outcome(), in: [output])
      let size = try mapError(write(rows), as: new.failure)
      var candidate: CandidateSchema? = candidate
      let failure = try new.run.gate.pass { (unfinished) throws(IngestError) in
        let result = try mapError(as: { IngestError($0, in: output, isEnd: true) }) {
          () throws(PostgreSQLError) in
          try candidate.take()?.publish { lost in
            guard let warning = MissingObjects.warning(ofRows: lost, output) else { return }
            new.recorder.record(.warning(warning))
          }
        }
        unfinished.end()
        return result
      }
      bytes = size
      guard let failure else { return }
      throw .previousNotDropped(output, failure)
    }

    /// Writes the last rows and, for a swap, waits for readers that cannot see them; returns the size in bytes.
    private borrowing func write(
      _ rows: [(TableDescription, [[SQLiteValue]])]
    ) throws(PostgreSQLError) -> Int {
      let connection = new.connection
      // A merge has begun.
      if !new.merges { try connection.beginTransaction() }
      for (table, rows) in rows {
        try connection.execute(TableDefinition(table, in: new.name).insertions(of: rows))
      }
      if !new.merges {
        try connection.commitTransaction()
        try candidate.wait(for: oldReaders, seconds: new.options.catalogTimeout)
      }
      if let mergedBytes { return mergedBytes }
      return try connection.size(ofSchema: new.name)
    }
  }
#endif
