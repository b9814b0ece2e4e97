#if PostgreSQL
  import SQLiteSwiftly

  extension PostgreSQLConnection {
    /// The key of the advisory lock, which belongs to the database and the name
    /// (<https://www.postgresql.org/docs/current/functions-admin.html#FUNCTIONS-ADVISORY-LOCKS>).
    private static let lockKey = "hashtextextended('ingest: ' || $1, 0)"

    /// Locks the name of a schema for the session, without waiting.
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
      throw .locked(schema, by: holders.first?.first ?? nil)
    }

    func unlock(schema: String) throws(PostgreSQLError) {
      _ = try query("SELECT pg_advisory_unlock(\(Self.lockKey))", [schema])
    }

    func exists(schema: String) throws(PostgreSQLError) -> Bool {
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

    /// The size of a schema's tables with their indexes, in bytes.
    package func size(ofSchema schema: String) throws(PostgreSQLError) -> Int {
      try numbers(
        """
        SELECT sum(pg_total_relation_size(oid)) FROM pg_class
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
