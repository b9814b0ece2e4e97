#if PostgreSQL
  import SQLiteDestination
  package import Vocabulary
  package import Platform
  import PostgreSQL
  import SQLiteSwiftly
  package import Schema
  import Provenance

  /// A schema of a PostgreSQL database.
  ///
  /// Rows are copied as they arrive, one table after another. Then keys, indexes and foreign keys are added, with which
  /// the server repeats the checks of the pipeline.
  ///
  /// Over one connection, all of this is one transaction. Over several, each statement is a transaction, since one
  /// connection does not see the uncommitted rows of another.
  package final class SchemaDestination: Destination {
    let schema: SchemaDescription
    let options: IngestOptions
    let sqlFiles: [SQLFile]
    let recorder: RunRecorder
    private let gate: Gate
    let threads: ServerThreads
    private let run: RunConnection
    /// The schema being filled; nil once it is published or kept.
    private var candidate: CandidateSchema?
    /// The name of the schema while it is filled, and its published name.
    let (name, target): (String, String)
    /// The tables of the schema, in load order, and the key unions.
    let (tables, unions): ([TableDefinition], [TableDefinition])
    /// Whether the rows are merged into the published schema, so that the new one needs no more than primary keys.
    let merges: Bool
    private let isLogged: Bool
    /// Nil without Citus.
    let distribution: Distribution?
    private(set) var written: [SchemaCopy.Progress] = []
    /// The transactions that cannot see the rows.
    private var oldReaders: Set<String> = []

    /// The connection that holds the lock of the schema.
    var connection: PostgreSQLConnection { run.connection }

    package init(
      _ schema: SchemaDescription, _ options: IngestOptions, running sqlFiles: [SQLFile],
      gate: Gate, patience _: Patience, recorder: RunRecorder
    ) throws(IngestError) {
      guard let server = options.server else { preconditionFailure("the output is on a server") }
      self.schema = schema
      self.options = options
      self.sqlFiles = sqlFiles
      self.recorder = recorder
      self.gate = gate
      let run = try mapError(
        RunConnection(PostgreSQLConnection(server.connection), gate),
        as: { IngestError($0, in: options.output, isStart: true) })
      self.run = run
      distribution = try Self.distribution(
        of: schema, options, server, on: run.connection, recorder)
      var candidate = try mapError(as: { IngestError($0, in: options.output, isStart: true) }) {
        () throws(PostgreSQLError) in
        // A dry run is one transaction, which is rolled back.
        if options.isDryRun { try run.connection.beginTransaction() }
        return try CandidateSchema(
          replacing: server.name, madeBy: "ingest \(toolVersion)",
          keepsPrevious: options.keepsPrevious, on: run.connection)
      }
      let name = candidate.name
      (self.name, target) = (name, server.name)
      threads = try mapError(
        ServerThreads(server.connections, besides: run.connection, gate),
        as: { IngestError($0, in: options.output, isStart: true) })
      let definitions = try mapError(as: { IngestError($0, in: options.output) }) {
        [distribution] () throws(PostgreSQLError) in
        let definitions = try (
          tables: TableDefinition.all(of: schema, in: name, distribution: distribution),
          unions: schema.keyUnions.map { union throws(PostgreSQLError) in
            try TableDefinition(union.table, in: name, distribution: distribution)
          }
        )
        let objects = try schema.postgreSQLObjects(
          definitions.tables + definitions.unions, in: name, hasSearch: options.hasSearch,
          distribution)
        // Rows of distributed tables are never merged.
        let isDistributed = try run.connection.isDistributed(schema: server.name)
        try candidate.plan(
          server.publishing.mode, isDistributed: isDistributed || distribution != nil,
          creating: objects, running: sqlFiles.map { SQLScript($0.path, $0.script) },
          allowsLoss: server.allowsLoss)
        return definitions
      }
      (tables, unions) = definitions
      (merges, isLogged) = (candidate.merges, candidate.isLogged)
      if let choice = candidate.choice { recorder.record(choice) }
      self.candidate = consume candidate
      try mapError(as: { IngestError($0, in: options.output) }) { () throws(PostgreSQLError) in
        try connection.checkRestrictions(of: target, replacedBy: columns, isMerge: merges)
        // Rolls back, and unlocks the name.
        guard !options.isDryRun else { return self.candidate = nil }
        if threads.count == 1, distribution == nil { try connection.beginTransaction() }
        try connection.execute((tables + unions).flatMap { [creation(of: $0)] + $0.placement })
      }
      try reportDistribution()
    }

    /// The tables and columns of the new schema; views and the search without columns.
    private var columns: [(table: String, column: String?)] {
      let tables = schema.tables + schema.allDerivedTables + Provenance.tables
      let others = schema.views.map(\.name) + [schema.search?.name].compactMap(\.self)
      return tables.flatMap { table in table.columns.map { (table.name, $0.name) } }
        + others.map { ($0, nil) }
    }

    func creation(of table: TableDefinition) -> String {
      table.creation(isLogged: isLogged || !merges)
    }

    package func write(from ring: Ring, waited: inout Double) throws(IngestError) {
      let copy = SchemaCopy(tables, from: ring, recorder)
      try mapError(as: { IngestError($0, in: options.output) }) { () throws(PostgreSQLError) in
        try threads.all(connection) { connection throws(PostgreSQLError) in
          try copy.run(on: connection)
        } stop: {
          ring.filled.close()
          ring.free.close()
        }
      }
      (written, waited) = copy.result
    }

    package func complete(_ outcome: inout IngestOutcome) throws(IngestError) {
      guard written.allSatisfy(\.isComplete) else {
        throw .tablesIncomplete(options.output)
      }
      for (index, table) in written.enumerated() {
        outcome.tables[index].inserted = table.rows
        outcome.tables[index].seconds = table.seconds
      }
      let counts = outcome.tables
      (outcome.search, outcome.sqlFiles) = try mapError(as: { IngestError($0, in: options.output) })
      {
        () throws(PostgreSQLError) in
        try addKeys()
        if !connection.isInTransaction, distribution == nil { try connection.beginTransaction() }
        try connection.execute((tables + unions).flatMap(\.comments))
        let search = try createDerivedObjects()
        try writeProvenance(counts)
        let results = try runCustomSQL()
        if connection.isInTransaction { try connection.commitTransaction() }
        oldReaders = try candidate?.oldReaders() ?? []
        return (search, results)
      }
    }

    private func writeProvenance(_ counts: [TableCounts]) throws(PostgreSQLError) {
      let contents = Provenance.contents(
        counts, of: schema, CatalogOption.all(of: options, sqlFiles, recorder.suppressions))
      for (table, rows) in contents {
        let definition = try TableDefinition(table, in: name)
        try connection.execute(
          [creation(of: definition)] + definition.insertions(of: rows)
            + definition.keyAdditions
            + definition.comments)
      }
    }

    package func verify(
      _ counts: inout [TableCounts], after history: History
    ) throws(IngestError) -> CatalogChanges? {
      let start = recorder.now
      defer { recorder.record(.verify, from: start) }
      let (stored, changes) = try mapError(as: { IngestError($0, in: options.output) }) {
        () throws(PostgreSQLError) in
        let differences = merges ? try candidate?.beginMerge(of: schema.tables.map(\.name)) : nil
        return try compareWithPublished(after: history, differences)
      }
      for (index, table) in stored.enumerated() {
        guard table.rows == counts[index].inserted else {
          throw .rowCountWrong(
            options.output, table: counts[index].table, found: table.rows,
            copied: counts[index].inserted)
        }
        counts[index].nulls = table.nulls
      }
      guard !merges else { return changes }
      // Objects that were added to the published schema are dropped with it.
      let missing = try mapError(
        connection.exists(schema: target) ? connection.additions(to: target) : [],
        as: { IngestError($0, in: options.output) })
      for warning in MissingObjects(missing).warnings(of: options.output) {
        recorder.record(.warning(warning))
      }
      return changes
    }

    package func keep() -> Result<String, IngestError> {
      Result { () throws(IngestError) in
        try mapError(candidate.take()?.keep() ?? "", as: { IngestError($0, in: options.output) })
      }
    }

    package func publish(
      _ bytes: inout Int?, keeping verdict: () -> CatalogVerdict
    ) throws(IngestError) {
      let lost = try mapError(
        candidate?.lostPrivileges() ?? [], as: { IngestError($0, in: options.output) })
      for lost in lost {
        recorder.record(
          .warning(
            Warning(
              file: options.output, code: .accessChanged,
              "cannot be copied from the previous schema: \(lost)")))
      }
      let rows = Provenance.rows(of: verdict(), in: [options.output])
      let size = try mapError(as: { IngestError($0, in: options.output) }) {
        () throws(PostgreSQLError) in
        // A merge has begun.
        if !merges { try connection.beginTransaction() }
        for (table, rows) in rows {
          try connection.execute(TableDefinition(table, in: name).insertions(of: rows))
        }
        if !merges {
          try connection.commitTransaction()
          try candidate?.wait(for: oldReaders, seconds: options.catalogTimeout)
        }
        return try connection.size(ofSchema: merges ? target : name)
      }
      let failure = try gate.pass { (unfinished) throws(IngestError) in
        let result = try mapError(as: { IngestError($0, in: options.output, isEnd: true) }) {
          () throws(PostgreSQLError) in
          try candidate.take()?.publish { lost in
            guard let warning = MissingObjects.warning(ofRows: lost, options.output) else { return }
            recorder.record(.warning(warning))
          }
        }
        unfinished.end()
        return result
      }
      bytes = size
      guard let failure else { return }
      throw .previousNotDropped(options.output, failure)
    }
  }
#endif
