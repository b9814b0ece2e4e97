#if PostgreSQL
  import SQLiteDestination
  package import Facts
  package import Threads
  import PostgreSQL
  import SQLiteSwiftly
  package import Schema

  /// A catalog in a schema of a PostgreSQL database.
  ///
  /// Rows are copied as they come, one table after the other. Keys, indexes and foreign keys follow, which is when the
  /// server checks once more what the pipeline has checked.
  ///
  /// Over one connection all of that is one transaction. Over more of them each statement is one: none would see what
  /// another has not committed.
  package final class SchemaDestination: Destination {
    let schema: SchemaDescription
    let options: IngestOptions
    let recorder: RunRecorder
    private let gate: Gate
    let threads: ServerThreads
    private let run: RunConnection
    /// The schema that is filled; nil when it was published or kept.
    private var candidate: CandidateSchema?
    /// The name of the schema while it is filled, and the one under which it is published.
    let (name, target): (String, String)
    /// The tables of the dumps, in their order, and the keys that tables have in common.
    let (tables, unions): ([TableDefinition], [TableDefinition])
    /// For each table of the dumps, what became of it.
    private(set) var written: [SchemaCopy.Account] = []
    /// The transactions that cannot see the rows.
    private var oldReaders: Set<String> = []

    /// The connection that holds the lock of the schema's name.
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
      threads = ServerThreads(server: server.connection, count: server.connections, gate: gate)
      let run = try attempt(options.output, isStart: true) { () throws(PostgreSQLError) in
        try RunConnection(server.connection, gate)
      }
      self.run = run
      let candidate = try attempt(options.output, isStart: true) { () throws(PostgreSQLError) in
        try CandidateSchema(
          replacing: server.name, madeBy: "ingest \(toolVersion)",
          keepsPrevious: options.keepsPrevious, on: run.connection)
      }
      let name = candidate.name
      self.candidate = consume candidate
      (self.name, target) = (name, server.name)
      (tables, unions) = try attempt(options.output, isStart: true) {
        () throws(PostgreSQLError) in
        try (
          TableDefinition.all(schema.tables, in: name),
          TableDefinition.all(schema.keyUnions.map(\.derivedTable.table), in: name)
        )
      }
      try attempt(options.output, isStart: true) { () throws(PostgreSQLError) in
        try connection.checkRestrictions(of: target, replacedBy: columns)
        if threads.count == 1 { try connection.beginTransaction() }
        try connection.execute((tables + unions).map(\.creation))
      }
    }

    // The candidate can only be dropped outside of a transaction.
    deinit { connection.rollbackTransaction() }

    /// All that the new schema will have; of views and the search no columns.
    private var columns: [(table: String, column: String?)] {
      let tables = schema.tables + schema.allDerivedTables + Provenance.tables
      let others = schema.views.map(\.name) + [schema.search?.name].compactMap(\.self)
      return tables.flatMap { table in table.columns.map { (table.name, $0.name) } }
        + others.map { ($0, nil) }
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
        throw IngestError(
          .fault, "\(options.output): not all tables were written. Nothing was published.")
      }
      for (index, table) in written.enumerated() {
        outcome.tables[index].inserted = table.rows
        outcome.tables[index].seconds = table.seconds
      }
      let accounts = outcome.tables
      outcome.search = try attempt(options.output) { () throws(PostgreSQLError) in
        try addKeys()
        if !connection.isInTransaction { try connection.beginTransaction() }
        try connection.execute((tables + unions).flatMap(\.comments))
        let search = try createDerivedObjects()
        try writeProvenance(accounts)
        try connection.commitTransaction()
        oldReaders = try candidate?.oldReaders() ?? []
        return search
      }
    }

    private func writeProvenance(_ accounts: [TableCounts]) throws(PostgreSQLError) {
      for (table, rows) in Provenance.contents(
        accounts, of: schema, CatalogOption.all(of: options, [], recorder.suppressions))
      {
        let definition = try TableDefinition(table, in: name)
        try connection.execute(
          [definition.creation] + definition.insertions(of: rows) + definition.keyAdditions
            + definition.comments)
      }
    }

    package func verify(_ accounts: inout [TableCounts]) throws(IngestError) -> CatalogChanges? {
      let start = recorder.now
      defer { recorder.record(.verify, from: start) }
      let (counts, changes) = try attempt(options.output) { () throws(PostgreSQLError) in
        try compareWithPublished()
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
      // What others have added to the published schema goes with it.
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
      _ bytes: inout Int?, keeping _: () -> CatalogVerdict
    ) throws(IngestError) {
      let size = try attempt(options.output) { () throws(PostgreSQLError) in
        try candidate?.wait(for: oldReaders, seconds: options.catalogTimeout)
        return try connection.size(ofSchema: name)
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
              "the new schema could not be given this of the one that it replaces: \(lost)")))
      }
      guard let failure = publication?.failure else { return }
      throw IngestError(
        .inputOutput, undone: "the previous schema could not be dropped",
        "\(options.output): published, but the previous schema could not be dropped: \(failure.message.words) "
          + "The next run drops it.")
    }
  }
#endif
