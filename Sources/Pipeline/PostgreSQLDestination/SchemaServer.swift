#if PostgreSQL
  import SQLiteDestination
  import Facts
  import Threads
  import PostgreSQL
  import SQLiteSwiftly
  import Schema

  /// The schema that is filled in a server, and the connection that holds its lock.
  ///
  /// One thread at a time uses it.
  final class SchemaServer: @unchecked Sendable {
    /// How it is called in messages.
    let place: String
    private let run: RunConnection
    private var candidate: CandidateSchema?
    /// The transactions that cannot see the rows.
    private var oldReaders: Set<String> = []
    /// The tables of the dumps, in their order.
    private(set) var tables: [TableDefinition] = []
    /// What is filled from them: the keys that tables have in common.
    private(set) var unions: [TableDefinition] = []

    var connection: PostgreSQLConnection { run.connection }

    /// The name of the schema while it is filled.
    var schema: String { tables[0].schema }

    /// Connects to a server, locks the schema's name and makes an empty schema beside the published one.
    ///
    /// - Parameters:
    ///   - server: what the run loads into.
    ///   - place: how it is called in messages.
    ///   - gate: the gate of the run.
    /// - Throws: `IngestError` if the server does not let that happen, if the schema is not ours to replace, or if
    ///   another run holds the lock.
    init(
      _ server: ServerSchema, _ place: String, _ gate: Gate
    ) throws(IngestError) {
      self.place = place
      let run = try attempt(place, isStart: true) { () throws(PostgreSQLError) in
        try RunConnection(server.connection, gate)
      }
      self.run = run
      candidate = try attempt(place, isStart: true) { () throws(PostgreSQLError) in
        try CandidateSchema(
          replacing: server.name, madeBy: "ingest \(toolVersion)",
          keepsPrevious: server.keepsPrevious, on: run.connection)
      }
    }

    /// Makes sure that who may read what is carried over from the published schema.
    func checkRestrictions(_ schema: SchemaDescription, of published: String) throws(IngestError) {
      let tables = schema.tables + schema.allDerivedTables + Provenance.tables
      var columns: [(table: String, column: String?)] = []
      for table in tables { columns += table.columns.map { (table.name, $0.name) } }
      columns += (schema.views.map(\.name) + [schema.search?.name].compactMap(\.self)).map {
        ($0, nil)
      }
      try attempt(place, isStart: true) { () throws(PostgreSQLError) in
        try connection.checkRestrictions(of: published, replacedBy: columns)
      }
    }

    // The candidate can only be dropped outside of a transaction.
    deinit { connection.rollbackTransaction() }

    /// Creates the tables.
    ///
    /// - Parameters:
    ///   - schema: their description.
    ///   - isOneTransaction: whether all that follows is one transaction.
    /// - Throws: `IngestError`.
    func create(
      _ schema: SchemaDescription, isOneTransaction: Bool
    ) throws(IngestError) {
      let name = candidate?.name ?? ""
      try attempt(place, isStart: true) { () throws(PostgreSQLError) in
        tables = try TableDefinition.all(schema.tables, in: name)
        unions = try TableDefinition.all(schema.keyUnions.map(\.derivedTable.table), in: name)
        if isOneTransaction { try connection.beginTransaction() }
        try connection.execute(
          (tables + unions).map(\.creation))
      }
    }

    /// Completes the tables, whose rows are there.
    ///
    /// - Parameters:
    ///   - largestFirst: the numbers of the tables, that with the most rows first.
    ///   - keyUnions: the descriptions of the unions.
    ///   - threads: do that.
    ///   - recorder: is told how long what took.
    ///   - finish: is called last, in a transaction.
    /// - Throws: `IngestError`.
    func complete(
      _ largestFirst: [Int], _ keyUnions: [KeyUnionDescription], _ threads: ServerThreads,
      _ recorder: RunRecorder, finish: (PostgreSQLConnection) throws(PostgreSQLError) -> Void
    ) throws(IngestError) {
      try attempt(place) { () throws(PostgreSQLError) in
        try SchemaKeys(
          tables: largestFirst.map { tables[$0] }, unions: Array(zip(keyUnions, unions)),
          connection: connection, threads: threads, recorder: recorder
        ).add()
        if try !connection.isInTransaction { try connection.beginTransaction() }
        try connection.execute((tables + unions).flatMap(\.comments))
        try finish(connection)
        try connection.commitTransaction()
        oldReaders = try candidate?.oldReaders() ?? []
      }
    }

    /// Waits until nobody would find the new tables empty.
    func waitForReaders(seconds: Double) throws(IngestError) {
      try attempt(place) { () throws(PostgreSQLError) in
        try candidate?.wait(for: oldReaders, seconds: seconds)
      }
    }

    /// Puts the schema into the place of the published one.
    ///
    /// - Returns: What it came to; nil if it was handed over before.
    /// - Throws: `IngestError`; unless it says that nobody knows, nothing is published.
    func publish() throws(IngestError) -> Publication? {
      do throws(PostgreSQLError) {
        return try candidate.take()?.publish()
      } catch {
        throw IngestError(error, in: place, isEnd: true)
      }
    }

    /// Hands over the schema, to be kept.
    func takeCandidate() -> CandidateSchema? { candidate.take() }
  }
#endif
