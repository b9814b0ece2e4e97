#if PostgreSQL
  import SQLiteSwiftly

  extension PostgreSQLConnection {
    /// Begins the name of what is prepared for a schema; the rest is its own.
    package static func swapPrefix(of schema: String) -> String { "ingest \(schema) " }

    /// Which of the prepared transactions of several servers belongs to the schema that is published here; nil if none.
    package func swap(of schema: String) throws(PostgreSQLError) -> String? {
      guard try exists(schema: schema), try !isForeign(schema: schema) else { return nil }
      // A schema that an earlier version made has no such column.
      return try query(
        """
        SELECT to_jsonb(made) ->> 'swap'
        FROM \(quoted(identifier: schema)).\(CandidateSchema.marker) AS made
        """
      ).first?.first.flatMap(\.self)
    }

    /// Ends what a run has prepared for a schema and could not end: what belongs to the swap that took place is committed,
    /// the rest is undone.
    package func endSwaps(of schema: String, decided: String?) throws(PostgreSQLError) {
      let prefix = Self.swapPrefix(of: schema)
      let prepared = try query(
        """
        SELECT gid FROM pg_prepared_xacts WHERE database = current_database() AND starts_with(gid, $1)
        ORDER BY prepared
        """, [prefix]
      ).compactMap(\.first).compactMap(\.self)
      for swap in prepared {
        try execute("\(swap == decided ? "COMMIT" : "ROLLBACK") PREPARED \(quoted(text: swap))")
      }
    }

    /// Throws if the server keeps no prepared transactions, which is how it is set up at first
    /// (<https://www.postgresql.org/docs/current/runtime-config-resource.html>).
    package func checkCanPrepare() throws(PostgreSQLError) {
      let most = try query("SHOW max_prepared_transactions")
      guard most == [["0"]] else { return }
      throw PostgreSQLError(
        .misuse, "The server keeps no prepared transactions",
        hint: "Set max_prepared_transactions to 10 or more, and restart it.")
    }

    /// The statements that make the foreign tables of a schema show the tables of another one on their servers.
    func foreignTables(
      of schema: String, showing other: String
    ) throws(PostgreSQLError) -> [String] {
      try query(
        """
        SELECT format('ALTER FOREIGN TABLE %I.%I OPTIONS (SET schema_name %L)', $1::text, c.relname, $2::text)
        FROM pg_foreign_table AS f JOIN pg_class AS c ON c.oid = f.ftrelid
        JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname = $1 ORDER BY c.relname
        """, [schema, other]
      ).compactMap(\.first).compactMap(\.self)
    }
  }
#endif
