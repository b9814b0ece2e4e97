#if PostgreSQL
  import SQLiteDestination
  package import Facts
  package import Threads
  import PostgreSQL
  import SQLiteSwiftly
  package import Schema

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
    private(set) var written: [SchemaCopy.Progress] = []
    /// The transactions that cannot see the rows.
    private var oldReaders: Set<String> = []

    /// The connection that holds the lock of the schema.
    var connection: PostgreSQLConnection { run.connection }

    package init(
      _ schema: SchemaDescription, _ options: IngestOptions, gate: Gate, patience _: Patience,
      recorder: RunRecorder
    ) throws(IngestError) {
      guard let server = options.server else { preconditionFailure("the output is on a server") }
      self.schema = schema
      self.options = options
      self.recorder = recorder
      self.gate = gate
      let run = try attempt(options.output, isStart: true) { () throws(PostgreSQLError) in
        try RunConnection(PostgreSQLConnection(server.connection), gate)
      }
      self.run = run
      var candidate = try attempt(options.output, isStart: true) { () throws(PostgreSQLError) in
        try CandidateSchema(
          replacing: server.name, madeBy: "ingest \(toolVersion)",
          keepsPrevious: options.keepsPrevious, on: run.connection)
      }
      let name = candidate.name
      (self.name, target) = (name, server.name)
      threads = try attempt(options.output, isStart: true) { () throws(PostgreSQLError) in
        try ServerThreads(server.connections, besides: run.connection, gate)
      }
      let definitions = try attempt(options.output) { () throws(PostgreSQLError) in
        let definitions = try (
          tables: TableDefinition.all(of: schema, in: name),
          unions: schema.keyUnions.map { union throws(PostgreSQLError) in
            try TableDefinition(union.table, in: name)
          }
        )
        let objects = try schema.postgreSQLObjects(
          definitions.tables + definitions.unions, in: name, hasSearch: options.hasSearch)
        try candidate.plan(
          server.publishing.mode, creating: objects, allowsLoss: server.allowsLoss)
        return definitions
      }
      (tables, unions) = definitions
      merges = candidate.merges
      self.candidate = consume candidate
      try attempt(options.output) { () throws(PostgreSQLError) in
        try connection.checkRestrictions(of: target, replacedBy: columns, isMerge: merges)
        if threads.count == 1 { try connection.beginTransaction() }
        try connection.execute((tables + unions).map(creation))
      }
    }

    /// The tables and columns of the new schema; views and the search without columns.
    private var columns: [(table: String, column: String?)] {
      let tables = schema.tables + schema.allDerivedTables + Provenance.tables
      let others = schema.views.map(\.name) + [schema.search?.name].compactMap(\.self)
      return tables.flatMap { table in table.columns.map { (table.name, $0.name) } }
        + others.map { ($0, nil) }
    }

    func creation(of table: TableDefinition) -> String {
      merges ? table.unloggedCreation : table.creation
    }

    package func write(from ring: Ring, waited: inout Double) throws(IngestError) {
      let copy = SchemaCopy(tables, from: ring, recorder)
      try attempt(options.output) { () throws(PostgreSQLError) in
        try threads.all(connection) { connection throws(PostgreSQLError) in
          try copy.run(on: connection)
        } stop: {
          ring.filled.close()
          ring.free.close()
        }
      }
      (written, waited) = copy.result
    }

    package func complete(
      _ outcome: inout IngestOutcome, running sqlFiles: [SQLFile]
    ) throws(IngestError) {
      guard written.allSatisfy(\.isComplete) else {
        throw .tablesIncomplete(options.output)
      }
      for (index, table) in written.enumerated() {
        outcome.tables[index].inserted = table.rows
        outcome.tables[index].seconds = table.seconds
      }
      let counts = outcome.tables
      outcome.search = try attempt(options.output) { () throws(PostgreSQLError) in
        try addKeys()
        if !connection.isInTransaction { try connection.beginTransaction() }
        try connection.execute((tables + unions).flatMap(\.comments))
        let search = try createDerivedObjects()
        try writeProvenance(counts)
        try connection.commitTransaction()
        oldReaders = try candidate?.oldReaders() ?? []
        return search
      }
    }

    private func writeProvenance(_ counts: [TableCounts]) throws(PostgreSQLError) {
      let contents = Provenance.contents(
        counts, of: schema, CatalogOption.all(of: options, [], recorder.suppressions))
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
      let (stored, changes) = try attempt(options.output) { () throws(PostgreSQLError) in
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
      let missing = try attempt(options.output) { () throws(PostgreSQLError) in
        try connection.objects(in: target, absentFrom: name, besides: schema.search?.name)
      }
      for warning in MissingObjects(missing).warnings(of: options.output) {
        recorder.record(.warning(warning))
      }
      return changes
    }

    package func keep() -> Result<String, IngestError> {
      Result { () throws(IngestError) in
        try attempt(options.output) { () throws(PostgreSQLError) in
          try candidate.take()?.keep() ?? ""
        }
      }
    }

    package func publish(
      _ bytes: inout Int?, keeping verdict: () -> CatalogVerdict
    ) throws(IngestError) {
      let history = verdict().history
      let size = try attempt(options.output) { () throws(PostgreSQLError) in
        // A merge has begun.
        if !merges { try connection.beginTransaction() }
        for (table, rows) in Provenance.rows(of: history) {
          try connection.execute(TableDefinition(table, in: name).insertions(of: rows))
        }
        if !merges {
          try connection.commitTransaction()
          try candidate?.wait(for: oldReaders, seconds: options.catalogTimeout)
        }
        return try connection.size(ofSchema: merges ? target : name)
      }
      let publication = try gate.pass { (unfinished) throws(IngestError) in
        let result = try attempt(options.output, isEnd: true) { () throws(PostgreSQLError) in
          try candidate.take()?.publish()
        }
        unfinished.end()
        return result
      }
      bytes = size
      for lost in publication?.lostPrivileges ?? [] {
        recorder.record(
          .warning(
            Warning(
              file: options.output, code: .accessChanged,
              "could not be copied from the previous schema: \(lost)")))
      }
      guard let failure = publication?.failure else { return }
      throw .previousNotDropped(options.output, failure)
    }
  }
#endif
