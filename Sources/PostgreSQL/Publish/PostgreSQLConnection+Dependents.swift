#if PostgreSQL
  import SQLiteSwiftly

  extension PostgreSQLConnection {
    /// Drops a schema in its own transaction, as below; fails if it is being read for too long.
    func dropAtOnce(
      schema: String, observer: DependentObserver, secondsForLock: Int = 0
    ) throws(PostgreSQLError) {
      try transaction { () throws(PostgreSQLError) in
        if secondsForLock > 0 { try execute("SET LOCAL lock_timeout = '\(secondsForLock)s'") }
        try drop(schema: schema, observer: observer)
      }
    }

    /// Drops a schema, if it exists, with everything in it and nothing outside it.
    ///
    /// Call this in a transaction, until whose end the observer still sees the dropped objects; do not commit it after
    /// an error.
    func drop(schema: String, observer: DependentObserver) throws(PostgreSQLError) {
      guard try exists(schema: schema) else { return }
      guard try !isForeign(schema: schema) else { throw .foreign(schema) }
      // Suppresses the notices for the objects in it.
      try execute(
        "SET LOCAL client_min_messages = warning; DROP SCHEMA \(quoted(identifier: schema)) CASCADE"
      )
      // CASCADE also drops objects that others have just created. Another session still sees them.
      try observer.checkDependents(of: schema)
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
        WITH schema AS (SELECT oid FROM pg_namespace WHERE nspname = $1),
        members (class, oid) AS (
          SELECT 'pg_namespace'::regclass::oid, oid FROM schema
          UNION SELECT 'pg_class'::regclass::oid, oid FROM pg_class WHERE relnamespace = (SELECT oid FROM schema)
          UNION SELECT 'pg_type'::regclass::oid, oid FROM pg_type WHERE typnamespace = (SELECT oid FROM schema)
          UNION SELECT classid, objid FROM pg_depend
          WHERE refclassid = 'pg_namespace'::regclass AND refobjid = (SELECT oid FROM schema)
            AND classid NOT IN ('pg_extension'::regclass, 'pg_default_acl'::regclass) AND deptype = 'n')
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

    /// The objects that were added to a schema and that another one lacks, sorted: `view mine`, `column sets.note`,
    /// `index mine of sets`.
    ///
    /// A table that the other schema lacks is listed without its parts. Objects of `table` are skipped. If the objects
    /// that this tool has made are known, all others are listed: the other schema may have some with the same names.
    package func objects(
      in schema: String, absentFrom other: String, besides table: String? = nil,
      made: [String]? = nil
    ) throws(PostgreSQLError) -> [String] {
      let known =
        made.map { "SELECT unnest(\(array(of: $0)))" }
        ?? "SELECT words FROM objects WHERE schema = (SELECT oid FROM pg_namespace WHERE nspname = $2)"
      return try texts(
        """
        WITH parts AS (
          SELECT indrelid AS "table", 'index ' || c.relname || ' of ' AS words, '' AS suffix
          FROM pg_index JOIN pg_class AS c ON c.oid = indexrelid
          UNION ALL SELECT tgrelid, 'trigger ' || tgname || ' of ', '' FROM pg_trigger WHERE NOT tgisinternal
          UNION ALL SELECT ev_class, 'rule ' || rulename || ' of ', '' FROM pg_rewrite WHERE rulename <> '_RETURN'
          UNION ALL SELECT attrelid, 'column ', '.' || attname FROM pg_attribute WHERE attnum > 0 AND NOT attisdropped
        ), objects AS (
          SELECT relnamespace AS schema, relname AS "table", CASE relkind WHEN 'v' THEN 'view' WHEN 'S' THEN 'sequence'
            WHEN 'm' THEN 'materialized view' WHEN 'f' THEN 'foreign table' WHEN 'c' THEN 'type' ELSE 'table' END
            || ' ' || relname AS words
          FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'm', 'f', 'S', 'c') AND NOT relispartition
          UNION ALL SELECT relnamespace, relname, words || relname || suffix
          FROM parts JOIN pg_class ON oid = "table" WHERE relkind IN ('r', 'p') AND NOT relispartition AND EXISTS (
            SELECT FROM pg_class AS o WHERE o.relname = pg_class.relname AND o.relnamespace = (
              SELECT oid FROM pg_namespace WHERE nspname = $2))
          UNION ALL SELECT pronamespace, NULL,
            CASE prokind WHEN 'p' THEN 'procedure ' WHEN 'a' THEN 'aggregate ' ELSE 'function ' END || proname
          FROM pg_proc
          UNION ALL SELECT typnamespace, NULL, 'type ' || typname FROM pg_type WHERE typtype IN ('d', 'e', 'r')
          UNION ALL SELECT stxnamespace, NULL, 'statistics ' || stxname FROM pg_statistic_ext
        )
        SELECT words FROM objects WHERE schema = (SELECT oid FROM pg_namespace WHERE nspname = $1)
          AND ("table" = $3) IS NOT TRUE
        EXCEPT \(known)
        ORDER BY 1
        """, [schema, other, table])
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

    func checkDependents(of schema: String) throws(PostgreSQLError) {
      do throws(PostgreSQLError) {
        try session?.checkDependents(of: schema)
        guard session == nil else { return }
      } catch {
        // The connection was idle for a long time, which some networks do not support.
        guard error.isConnectionLost else { throw error }
        session = nil
      }
      try connect()
      try session?.checkDependents(of: schema)
    }
  }
#endif
