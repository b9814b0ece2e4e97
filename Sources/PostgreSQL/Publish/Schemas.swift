#if PostgreSQL
  import SQLiteSwiftly

  extension PostgreSQLConnection {
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

    func unlock(_ schemas: [String]) throws(PostgreSQLError) {
      for schema in schemas {
        _ = try query("SELECT pg_advisory_unlock(\(Self.lockKey))", [schema])
      }
    }

    package func exists(schema: String) throws(PostgreSQLError) -> Bool {
      try query("SELECT FROM pg_namespace WHERE nspname = $1", [schema]).count > 0
    }

    /// Whether this role can create and rename schemas; otherwise it can only merge, in a schema that exists.
    func canCreateSchemas() throws(PostgreSQLError) -> Bool {
      try query("SELECT has_database_privilege(current_database(), 'CREATE')") == [["t"]]
    }

    /// Whether a schema exists that was not made by this tool; one without objects may have been made for it.
    func isForeign(schema: String, orEmpty: Bool = true) throws(PostgreSQLError) -> Bool {
      try query(
        """
        SELECT FROM pg_namespace AS n WHERE nspname = $1 AND NOT EXISTS (
          SELECT FROM pg_class WHERE relnamespace = n.oid AND relkind = 'r' AND relname = $2)
        AND (\(orEmpty) OR EXISTS (SELECT FROM pg_depend WHERE refclassid = 'pg_namespace'::regclass
          AND refobjid = n.oid AND classid <> 'pg_default_acl'::regclass))
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

    /// Drops a schema in its own transaction, as below; fails if a reader holds the lock longer than `secondsForLock`;
    /// 0 sets no limit.
    func dropAtOnce(
      schema: String, observer: DependentObserver, losesAdditions: Bool, secondsForLock: Int = 0
    ) throws(PostgreSQLError) {
      try transaction { () throws(PostgreSQLError) in
        if secondsForLock > 0 { try execute("SET LOCAL lock_timeout = '\(secondsForLock)s'") }
        try drop(schema: schema, observer: observer, losesAdditions: losesAdditions)
      }
    }

    /// Drops a schema, if it exists, with everything in it and nothing outside it.
    ///
    /// A staging schema itself stays.
    ///
    /// Call this in a transaction, until whose end the observer still sees the dropped objects; do not commit it after
    /// an error.
    ///
    /// - Throws: `PostgreSQLError`, with `inUse` for objects outside that depend on it and, unless `losesAdditions`, for
    ///   objects that others have added to it.
    func drop(
      schema: String, observer: DependentObserver, losesAdditions: Bool
    ) throws(PostgreSQLError) {
      guard try exists(schema: schema) else { return }
      guard try !isForeign(schema: schema, orEmpty: false) else { throw .foreign(schema) }
      let known = losesAdditions ? [] : try identities(in: schema)
      if !losesAdditions { try checkAdditions(to: schema) }
      // Suppresses the notices for the objects in it.
      try execute("SET LOCAL client_min_messages = warning")
      if schema != staging {
        try execute("DROP SCHEMA \(quoted(identifier: schema)) CASCADE")
      } else {
        try execute(
          try texts(
            """
            SELECT format('DROP %s IF EXISTS %s CASCADE',
              CASE type WHEN 'statistics object' THEN 'statistics' ELSE type END, identity)
            FROM pg_depend, pg_identify_object(classid, objid, 0) WHERE refclassid = 'pg_namespace'::regclass
            AND refobjid = (SELECT oid FROM pg_namespace WHERE nspname = $1) AND classid <> 'pg_default_acl'::regclass
            """, [schema]))
      }
      // CASCADE also drops objects that others have just created. Another session still sees them, and the lock on the
      // schema keeps out later ones.
      try observer.observe { observer throws(PostgreSQLError) in
        try observer.checkDependents(of: schema)
        guard !losesAdditions else { return }
        let added = try observer.identities(in: schema).besides(known.map(\.key))
        guard added.isEmpty else { throw .added(added, to: schema) }
      }
    }

    private func identities(in schema: String) throws(PostgreSQLError) -> [ServerObject] {
      try objects(in: schema, publishedAs: schema, hasDefinitions: false)
    }

    func checkDependents(of schema: String) throws(PostgreSQLError) {
      let dependents = try dependents(of: schema)
      guard !dependents.isEmpty else { return }
      throw PostgreSQLError(
        .inUse,
        "The schema \(quoted(identifier: schema)) cannot be dropped, because other objects depend on it",
        detail: dependents.joined(separator: "\n"),
        hint: "Drop these objects, or keep the previous schema.")
    }

    /// Describes the objects outside a schema that depend on it: all that would be dropped with it or lose a table, such as
    /// views, foreign keys, functions, defaults, policies, columns of its types, extensions and publications.
    func dependents(of schema: String) throws(PostgreSQLError) -> [String] {
      // Citus hides its parts of tables, but not their dependencies.
      if usesCitus { try execute("SET citus.override_table_visibility = off") }
      defer { if usesCitus { try? execute("RESET citus.override_table_visibility") } }
      return try texts(
        """
        WITH \(Self.members)
        SELECT DISTINCT CASE d.classid
          WHEN 'pg_rewrite'::regclass THEN pg_describe_object('pg_class'::regclass, w.ev_class, 0)
          ELSE pg_describe_object(d.classid, d.objid, d.objsubid) END
        FROM members AS m JOIN pg_depend AS d ON d.refclassid = m.class AND d.refobjid = m.oid
        LEFT JOIN pg_rewrite AS w ON d.classid = 'pg_rewrite'::regclass AND w.oid = d.objid
        LEFT JOIN pg_constraint AS k ON d.classid = 'pg_constraint'::regclass AND k.oid = d.objid
        LEFT JOIN pg_attrdef AS f ON d.classid = 'pg_attrdef'::regclass AND f.oid = d.objid
        LEFT JOIN pg_trigger AS t ON d.classid = 'pg_trigger'::regclass AND t.oid = d.objid
        LEFT JOIN pg_policy AS p ON d.classid = 'pg_policy'::regclass AND p.oid = d.objid
        LEFT JOIN pg_type AS y ON y.oid = k.contypid
        LEFT JOIN pg_amop AS i ON d.classid = 'pg_amop'::regclass AND i.oid = d.objid
        LEFT JOIN pg_amproc AS j ON d.classid = 'pg_amproc'::regclass AND j.oid = d.objid
        LEFT JOIN pg_opfamily AS o ON o.oid = coalesce(i.amopfamily, j.amprocfamily)
        LEFT JOIN pg_class AS c ON c.oid = coalesce(w.ev_class, nullif(k.conrelid, 0), f.adrelid, t.tgrelid, p.polrelid)
        WHERE d.deptype IN ('n', 'a') AND d.classid <> 'pg_default_acl'::regclass
        AND (d.classid, d.objid) NOT IN (SELECT class, oid FROM members)
        -- An extension in the schema is listed without its parts.
        AND NOT EXISTS (SELECT FROM pg_depend AS e JOIN pg_extension AS x ON x.oid = e.refobjid
          WHERE e.classid = d.classid AND e.objid = d.objid AND e.deptype = 'e'
          AND e.refclassid = 'pg_extension'::regclass AND x.extnamespace = (SELECT oid FROM schema))
        AND coalesce(c.relnamespace, y.typnamespace, o.opfnamespace) IS DISTINCT FROM (SELECT oid FROM schema)
        ORDER BY 1
        """, [schema])
    }
  }

  /// A second session, which sees the dependents of a schema that the first session drops in a transaction.
  ///
  /// It runs single statements, each of which sees everything committed before.
  final class DependentObserver {
    private let connection: PostgreSQLConnection
    private var session: PostgreSQLConnection?

    init(besides connection: PostgreSQLConnection) { self.connection = connection }

    /// Connects in advance: without this connection, no schema can be dropped.
    func connect() throws(PostgreSQLError) {
      session = try connection.another("A run needs a second connection")
    }

    func observe(
      _ body: (PostgreSQLConnection) throws(PostgreSQLError) -> Void
    ) throws(PostgreSQLError) {
      if let session {
        do throws(PostgreSQLError) {
          return try body(session)
        } catch {
          // The connection was idle for a long time, which some networks do not support.
          guard error.isConnectionLost else { throw error }
        }
      }
      try connect()
      if let session { try body(session) }
    }
  }
#endif
