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
    /// Call this in a transaction, until whose end the observer still sees the dropped objects; do not commit it after an
    /// error.
    ///
    /// - Throws: `PostgreSQLError`, with `inUse` if an object outside depends on one in it.
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

    /// Throws if an object outside a schema depends on one in it.
    func checkDependents(of schema: String) throws(PostgreSQLError) {
      let dependents = try dependents(of: schema)
      if !dependents.isEmpty { throw .inUse(schema, by: dependents) }
    }

    /// Describes the objects outside a schema that depend on it: all that would be dropped with it or lose a table, such as
    /// views, foreign keys, functions, defaults, policies, columns of its types, extensions and publications.
    func dependents(of schema: String) throws(PostgreSQLError) -> [String] {
      try texts(
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
  }
#endif
