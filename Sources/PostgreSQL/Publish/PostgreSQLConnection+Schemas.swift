#if PostgreSQL
  import SQLiteSwiftly

  extension PostgreSQLConnection {
    func checkCanWrite() throws(PostgreSQLError) {
      let state =
        try query(
          """
          SELECT current_setting('transaction_read_only'), pg_is_in_recovery(), setting, source
          FROM pg_settings WHERE name = 'default_transaction_read_only'
          """
        ).first?.map { $0 ?? "" } ?? []
      guard state.count == 4, state[0] == "on" else { return }
      guard state[1] != "t" else {
        throw PostgreSQLError(
          .misuse, "The server is a standby, which is read-only",
          hint:
            "Connect to the primary server: target_session_attrs=read-write finds it among several hosts."
        )
      }
      throw PostgreSQLError(
        .misuse,
        "The session is read-only: default_transaction_read_only is on (source: \(state[3]))",
        hint: "Turn it off for this role or database, or load as another role.")
    }

    /// The key of the advisory lock, which belongs to the database and the name
    /// (<https://www.postgresql.org/docs/current/functions-admin.html#FUNCTIONS-ADVISORY-LOCKS>).
    private static let lockKey = "hashtextextended('ingest: ' || $1, 0)"

    func lock(schema: String) throws(PostgreSQLError) {
      let rows = try query("SELECT pg_try_advisory_lock(\(Self.lockKey))", [schema])
      guard rows != [["t"]] else { return }
      let holders = try query(
        """
        SELECT format('process %s of %s', l.pid, coalesce(a.usename, 'an unknown role')) FROM pg_locks AS l
        LEFT JOIN pg_stat_activity AS a ON a.pid = l.pid
        WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
        AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND (l.classid::bigint << 32 | l.objid::bigint) = \(Self.lockKey)
        """, [schema])
      throw PostgreSQLError(
        .locked, "Another run is loading into the schema \(quoted(identifier: schema))",
        detail: (holders.first?.first ?? nil).map { "It is \($0)." })
    }

    func unlock(schema: String) throws(PostgreSQLError) {
      _ = try query("SELECT pg_advisory_unlock(\(Self.lockKey))", [schema])
    }

    package func exists(schema: String) throws(PostgreSQLError) -> Bool {
      try query("SELECT FROM pg_namespace WHERE nspname = $1", [schema]).count > 0
    }

    /// Whether a schema exists that was not made by this tool.
    func isForeign(schema: String) throws(PostgreSQLError) -> Bool {
      try query(
        """
        SELECT FROM pg_namespace AS n WHERE nspname = $1 AND NOT EXISTS (
          SELECT FROM pg_class WHERE relnamespace = n.oid AND relkind = 'r' AND relname = $2)
        """, [schema, CandidateSchema.marker]
      ).count > 0
    }

    package func size(ofSchema schema: String) throws(PostgreSQLError) -> Int {
      let size =
        usesCitus
        ? """
        CASE WHEN oid IN (SELECT logicalrelid FROM pg_dist_partition) THEN citus_total_relation_size(oid)
        ELSE pg_total_relation_size(oid) END
        """ : "pg_total_relation_size(oid)"
      return try numbers(
        """
        SELECT sum(\(size)) FROM pg_class
        WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1) AND relkind = 'r'
        """, [schema]
      )[0]
    }

    func rename(schema: String, to name: String) throws(PostgreSQLError) {
      try execute(
        "ALTER SCHEMA \(quoted(identifier: schema)) RENAME TO \(quoted(identifier: name))")
    }
  }
#endif
