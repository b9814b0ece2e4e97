#if PostgreSQL
  import SQLiteDestination
  import Vocabulary
  import PostgreSQL
  import SQLiteSwiftly
  import Schema
  import Provenance
  import Text

  /// The schema that a run fills, and the connections by which it does.
  struct NewSchema {
    let run: RunContext
    let session: RunConnection
    let threads: ServerThreads
    /// The name of the schema while it is filled, and its published name.
    let name, target: String
    /// The tables of the schema, in load order, and the key unions.
    let tables, unions: [TableDefinition]
    /// Whether the rows are merged into the published schema, so that the new one needs no more than primary keys.
    let merges: Bool
    let isLogged: Bool
    /// Nil without Citus.
    let distribution: Distribution?

    /// The connection that holds the lock of the schema.
    var connection: PostgreSQLConnection { session.connection }
    var schema: SchemaDescription { run.schema }
    var options: IngestOptions { run.options }
    var sqlFiles: [SQLFile] { run.sqlFiles }
    var recorder: RunRecorder { run.recorder }

    /// The error of the run for one of the server.
    func failure(_ error: PostgreSQLError) -> IngestError {
      IngestError(error, in: options.output.name)
    }

    /// Checks that the tables and columns of the new schema may replace the published ones.
    func checkRestrictions() throws(PostgreSQLError) {
      let tables = schema.tables + schema.allDerivedTables + Provenance.tables
      let others = schema.views.map(\.name) + [schema.search?.name].compactMap(\.self)
      let columns: [(table: String, column: String?)] =
        tables.flatMap { table in table.columns.map { (table.name, $0.name) } }
        + others.map { ($0, nil) }
      try connection.checkRestrictions(of: target, replacedBy: columns, isMerge: merges)
    }

    func createTables() throws(PostgreSQLError) {
      if threads.count == 1, distribution == nil { try connection.beginTransaction() }
      try connection.execute((tables + unions).flatMap { creation(of: $0) })
    }

    func creation(of table: TableDefinition) -> [String] {
      [table.creation(isLogged: logsTables)] + table.placement(like: merges ? target : nil)
    }

    /// With Citus, a run could outlive the crash of another node, which empties unlogged tables.
    var logsTables: Bool { isLogged || !merges || distribution != nil }

    /// Completes the schema once the tables have `rows`.
    func complete(
      _ counts: [TableCounts], rows: [Int]
    ) throws(PostgreSQLError) -> (SearchResult?, [SQLFileResult]) {
      try addKeys(rows)
      if !connection.isInTransaction, distribution == nil { try connection.beginTransaction() }
      if !merges { try connection.execute((tables + unions).flatMap(\.comments)) }
      let search = try createDerivedObjects()
      let contents = Provenance.contents(
        counts, of: schema, StoredOption.all(of: options, sqlFiles, recorder.suppressions))
      for (table, rows) in contents {
        let definition = try TableDefinition(table, in: name)
        try connection.execute(
          creation(of: definition) + definition.insertions(of: rows)
            + definition.keyAdditions + (merges ? [] : definition.comments))
      }
      let results = try runCustomSQL()
      if connection.isInTransaction { try connection.commitTransaction() }
      return (search, results)
    }

    /// Counts the rows of the complete tables, and compares them with the published ones; nil if there are none.
    ///
    /// `differences` are those that a merge has stored.
    func verify(
      _ counts: inout [TableCounts], _ differences: [String?]?
    ) throws(IngestError) -> DatabaseChanges? {
      let (stored, changes) = try mapError(
        compareWithPublished(differences), as: failure)
      for (index, table) in stored.enumerated() {
        guard table.rows == counts[index].inserted else {
          throw .rowCountWrong(
            options.output.name, table: counts[index].table, found: table.rows,
            copied: counts[index].inserted)
        }
        counts[index].nulls = table.nulls
      }
      guard !merges else { return changes }
      // Objects that were added to the published schema are dropped with it.
      let missing = try mapError(
        connection.exists(schema: target) ? connection.additions(to: target) : [], as: failure)
      for warning in MissingObjects(missing).warnings(of: options.output.name) {
        recorder.record(.warning(warning))
      }
      return changes
    }
  }

  extension SchemaDescription {
    /// The statements that create all objects of the schema.
    ///
    /// Only the search is also filled, from tables that are empty.
    func postgreSQLObjects(
      _ tables: [TableDefinition], in schema: String, hasSearch: Bool,
      _ distribution: Distribution? = nil
    ) throws(PostgreSQLError) -> [String] {
      let derived = try queriedTables.map { query throws(PostgreSQLError) in
        try TableDefinition(query.table, in: schema, distribution: distribution)
      }
      let others = try Provenance.contents([], of: self).map { table, _ throws(PostgreSQLError) in
        try TableDefinition(table, in: schema)
      }
      let all = tables + derived + others
      var statements = all.map { $0.creation() } + all.flatMap(\.keyAdditions)
      statements += all.flatMap { $0.indexCreations + $0.foreignKeyAdditions + $0.comments }
      for view in views { statements += try view.postgreSQLCreation(in: schema) }
      if hasSearch, let search { statements += try search.postgreSQLCreation(in: schema) }
      return statements
    }
  }

  extension ServerSchema.Publishing {
    /// Nil for the mode that fits the published schema.
    var mode: PublishingChoice.Mode? {
      switch self {
      case .automatic: nil
      case .merge: .merge
      case .swap: .swap
      }
    }
  }
#endif
