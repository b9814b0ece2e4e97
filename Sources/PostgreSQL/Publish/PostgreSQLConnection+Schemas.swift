#if PostgreSQL
  import SQLiteSwiftly

  extension PostgreSQLConnection {
    /// The key of the lock, which is that of the database and of this name
    /// (<https://www.postgresql.org/docs/current/functions-admin.html#FUNCTIONS-ADVISORY-LOCKS>).
    private static let lockKey = "hashtextextended('ingest: ' || $1, 0)"

    /// Takes the lock of a schema's name for the session, without waiting.
    func lock(schema: String) throws(PostgreSQLError) {
      let rows = try query("SELECT pg_try_advisory_lock(\(Self.lockKey))", [schema])
      guard rows != [["t"]] else { return }
      let holders = try query(
        """
        SELECT format('process %s of %s', l.pid, coalesce(a.usename, 'somebody')) FROM pg_locks AS l
        LEFT JOIN pg_stat_activity AS a ON a.pid = l.pid
        WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
        AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND (l.classid::bigint << 32 | l.objid::bigint) = \(Self.lockKey)
        """, [schema])
      throw PostgreSQLError(
        .locked, "Another run is loading into the schema \(quoted(identifier: schema))",
        detail: holders.first?.first?.map { "It is \($0)." })
    }

    func unlock(schema: String) throws(PostgreSQLError) {
      _ = try query("SELECT pg_advisory_unlock(\(Self.lockKey))", [schema])
    }

    func exists(schema: String) throws(PostgreSQLError) -> Bool {
      try query("SELECT FROM pg_namespace WHERE nspname = $1", [schema]).count > 0
    }

    /// Whether there is a schema that this tool has not made.
    func isForeign(schema: String) throws(PostgreSQLError) -> Bool {
      try query(
        """
        SELECT FROM pg_namespace AS n WHERE nspname = $1 AND NOT EXISTS (
          SELECT FROM pg_class WHERE relnamespace = n.oid AND relkind = 'r' AND relname = $2)
        """, [schema, CandidateSchema.marker]
      ).count > 0
    }

    /// The bytes of a schema's tables with their indexes, those on this server.
    package func size(ofSchema schema: String) throws(PostgreSQLError) -> Int {
      try query(
        """
        SELECT sum(pg_total_relation_size(oid)) FROM pg_class
        WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1) AND relkind = 'r'
        """, [schema]
      ).first?.first.flatMap(\.self).flatMap { Int($0) } ?? 0
    }

    /// Drops a schema with all that is in it, if it is there.
    func drop(schema: String) throws(PostgreSQLError) {
      guard try exists(schema: schema) else { return }
      guard try !isForeign(schema: schema) else {
        throw PostgreSQLError(
          .foreign, "The schema \(quoted(identifier: schema)) was not made by ingest")
      }
      // That all in it is dropped as well is not news.
      try execute(
        "SET LOCAL client_min_messages = warning; DROP SCHEMA \(quoted(identifier: schema)) CASCADE"
      )
    }

    func rename(schema: String, to name: String) throws(PostgreSQLError) {
      try execute(
        "ALTER SCHEMA \(quoted(identifier: schema)) RENAME TO \(quoted(identifier: name))")
    }

    /// What outside a schema needs something in it, in words: views, foreign keys, functions, defaults, tables with
    /// columns of its types, and publications; all that would be dropped with it, or lose a table.
    func dependents(of schema: String) throws(PostgreSQLError) -> [String] {
      try query(
        """
        WITH schema AS (SELECT oid FROM pg_namespace WHERE nspname = $1),
        members AS (
          SELECT 'pg_class'::regclass AS class, oid FROM pg_class WHERE relnamespace = (SELECT oid FROM schema)
          UNION ALL SELECT 'pg_type'::regclass, oid FROM pg_type WHERE typnamespace = (SELECT oid FROM schema)
          UNION ALL SELECT 'pg_proc'::regclass, oid FROM pg_proc WHERE pronamespace = (SELECT oid FROM schema))
        SELECT DISTINCT CASE d.classid
          WHEN 'pg_rewrite'::regclass THEN pg_describe_object('pg_class'::regclass, c.oid, 0)
          ELSE pg_describe_object(d.classid, d.objid, d.objsubid) END
        FROM members AS m JOIN pg_depend AS d ON d.refclassid = m.class AND d.refobjid = m.oid
        LEFT JOIN pg_rewrite AS w ON d.classid = 'pg_rewrite'::regclass AND w.oid = d.objid
        LEFT JOIN pg_constraint AS k ON d.classid = 'pg_constraint'::regclass AND k.oid = d.objid
        LEFT JOIN pg_attrdef AS f ON d.classid = 'pg_attrdef'::regclass AND f.oid = d.objid
        LEFT JOIN pg_proc AS p ON d.classid = 'pg_proc'::regclass AND p.oid = d.objid
        LEFT JOIN pg_class AS c ON c.oid = CASE d.classid WHEN 'pg_class'::regclass THEN d.objid
          ELSE coalesce(w.ev_class, k.conrelid, f.adrelid) END
        WHERE d.deptype IN ('n', 'a') AND (coalesce(c.relnamespace, p.pronamespace) <> (SELECT oid FROM schema)
          OR d.classid = 'pg_publication_rel'::regclass)
        ORDER BY 1
        """, [schema]
      ).compactMap(\.first).compactMap(\.self)
    }
  }
#endif
