#if PostgreSQL
  import Vocabulary
  import PostgreSQL
  import Schema
  import SQLiteSwiftly

  /// Tables that Citus distributes.
  extension NewSchema {
    /// How Citus distributes the tables; nil if they are not distributed.
    static func distribution(
      for run: RunContext, _ server: ServerSchema, on connection: PostgreSQLConnection
    ) throws(IngestError) -> Distribution? {
      let output = run.options.output.name
      let (distribution, hasCitus) = try mapError(as: {
        IngestError($0, in: output, isStart: true)
      }) { () throws(PostgreSQLError) in
        // The schemas of earlier runs may be distributed even if this one is not.
        let hasCitus = try connection.hasCitus()
        if hasCitus { try connection.useCitus() }
        if hasCitus, !run.options.isDryRun { try connection.recoverPreparedTransactions() }
        var wanted = server.distributed ?? run.schema.distributed.map { [$0] }
        if wanted == nil { wanted = try connection.distributedTables(in: server.name) }
        return (try Distribution(of: run.schema, with: wanted ?? []), hasCitus)
      }
      guard let distribution else { return nil }
      guard hasCitus else {
        guard server.distributed == nil else { throw .extensionMissing(output) }
        run.recorder.record(
          .warning(
            .featureIgnored(
              server.name, at: "distribution",
              "no table is distributed: the database does not have the extension citus")))
        return nil
      }
      // Rows that custom SQL has changed cannot be seen on the other nodes.
      guard run.sqlFiles.isEmpty else { throw .notDistributable(output, option: "--sql") }
      return distribution
    }

    /// Reports the distributed tables, and a warning for each constraint that Citus cannot enforce.
    func reportDistribution() throws(PostgreSQLError) {
      guard let distribution else { return }
      recorder.record(.distributed(distribution.words))
      let others = try schema.queriedTables.map { derived throws(PostgreSQLError) in
        try TableDefinition(derived.table, in: name, distribution: distribution)
      }
      for definition in tables + unions + others {
        for constraint in definition.unheldConstraints {
          warn(
            omitting: "\(constraint.name) of \(definition.table.name)",
            "Citus cannot enforce it, so it is checked before publishing, but not part of the schema"
          )
        }
      }
    }

    private func warn(omitting object: String, _ reason: String) {
      recorder.record(.warning(.featureIgnored(target, at: object, "\(object): \(reason)")))
    }

    /// Runs a statement that queries the tables, on local copies of them if Citus refuses it.
    func orCopying(
      _ statement: String, filling filled: String? = nil,
      _ run: (String) throws(PostgreSQLError) -> Void
    ) throws(PostgreSQLError) {
      do throws(PostgreSQLError) {
        try run(statement)
      } catch {
        guard distribution != nil, error.isUnsupported else { throw error }
        let existing = try connection.query(
          "SELECT tablename FROM pg_tables WHERE schemaname = $1", [name]
        ).compactMap { $0[0] }
        let words = Set(
          statement.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init))
        let copied = (schema.tables + schema.allDerivedTables).map(\.name).filter { table in
          table != filled && existing.contains(table)
            && (words.contains(table) || statement.contains(quoted(identifier: table)))
        }.map(quoted(identifier:))
        let schema = quoted(identifier: name)
        try connection.execute(
          copied.flatMap {
            [
              "CREATE TEMPORARY TABLE \($0) AS SELECT * FROM \(schema).\($0)",
              "ANALYZE pg_temp.\($0)",
            ]
          } + ["SET search_path = pg_temp, \(schema)"])
        try run(statement)
        try connection.execute(
          ["SET search_path = \(schema), pg_temp"] + copied.map { "DROP TABLE pg_temp.\($0)" })
      }
    }

    /// Drops the views that Citus cannot query, with a warning for each.
    func dropRefusedViews() throws(PostgreSQLError) {
      // The last first, since a view may use those before it.
      for view in schema.views.reversed() {
        let qualifiedName = qualified(view.name, in: name)
        do throws(PostgreSQLError) {
          _ = try connection.query("EXPLAIN SELECT * FROM \(qualifiedName)")
        } catch {
          guard error.isUnsupported else { throw error }
          try connection.execute("DROP VIEW \(qualifiedName)")
          warn(omitting: "view \(view.name)", "Citus cannot query it: \(error.message.words)")
        }
      }
    }
  }

  extension PostgreSQLError {
    /// Whether Citus refuses a query; for a join of rows on different nodes it has no code of its own.
    fileprivate var isUnsupported: Bool {
      message.sqlState == "0A000"
        || message.sqlState == "XX000" && message.text.contains("requires repartitioning")
    }
  }
#endif
