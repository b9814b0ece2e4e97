#if PostgreSQL
  import SQLiteSwiftly

  extension PostgreSQLConnection {
    func schemaOwner(from schema: String, to other: String) throws(PostgreSQLError) -> [String] {
      try texts(
        """
        SELECT format('ALTER SCHEMA %I OWNER TO %I', n.nspname, pg_get_userbyid(o.nspowner))
        FROM pg_namespace AS o JOIN pg_namespace AS n ON n.nspowner <> o.nspowner
        WHERE o.nspname = $1 AND n.nspname = $2
        """, [schema, other])
    }

    /// The statements that copy the owners of the tables and views in a schema, and the options of its views such as
    /// `security_barrier`, to those with the same names in another.
    func owners(from schema: String, to other: String) throws(PostgreSQLError) -> [String] {
      try texts(
        """
        \(Self.pairs)
        SELECT statement FROM (
          SELECT name, 1, format('ALTER %s %I.%I OWNER TO %I', kind, $2::text, name, pg_get_userbyid(old_owner))
          FROM pairs WHERE old_owner <> new_owner
          UNION ALL
          SELECT name, 2, format('ALTER VIEW %I.%I SET (%s)', $2::text, name, array_to_string(old_options, ', '))
          FROM pairs WHERE kind = 'VIEW' AND old_options IS NOT NULL
        ) AS changes (name, place, statement) ORDER BY name, place
        """, [schema, other])
    }

    /// The statements that copy the row security of the tables in a schema to those that replace them.
    ///
    /// Run them when the new tables have their final names, since policies can refer to other tables.
    func rowSecurity(from schema: String, to other: String) throws(PostgreSQLError) -> [String] {
      try texts(
        """
        \(Self.pairs)
        SELECT statement FROM (
          SELECT name, 1, format('ALTER TABLE %I.%I ENABLE ROW LEVEL SECURITY', $1, name)
          FROM pairs WHERE is_secure
          UNION ALL
          SELECT name, 2, format('ALTER TABLE %I.%I FORCE ROW LEVEL SECURITY', $1, name)
          FROM pairs WHERE is_forced
          UNION ALL
          SELECT name, 3, format('CREATE POLICY %I ON %I.%I AS %s FOR %s TO %s%s%s', polname, $1, name,
            CASE WHEN polpermissive THEN 'PERMISSIVE' ELSE 'RESTRICTIVE' END,
            CASE polcmd WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT' WHEN 'w' THEN 'UPDATE' WHEN 'd' THEN 'DELETE'
              ELSE 'ALL' END,
            (SELECT string_agg(CASE role WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(role)) END, ', ')
              FROM unnest(polroles) AS role),
            ' USING (' || pg_get_expr(polqual, polrelid) || ')',
            ' WITH CHECK (' || pg_get_expr(polwithcheck, polrelid) || ')')
          FROM pairs JOIN pg_policy ON polrelid = old_table
          UNION ALL
          SELECT name, 4, format('COMMENT ON POLICY %I ON %I.%I IS %L', polname, $1, name, description)
          FROM pairs JOIN pg_policy AS p ON polrelid = old_table
          JOIN pg_description ON objoid = p.oid AND classoid = 'pg_policy'::regclass
        ) AS changes (name, place, statement) ORDER BY name, place, statement
        """, [schema, other])
    }

    private static let pairs = """
      WITH pairs AS (
        SELECT o.oid AS old_table, o.relname AS name, o.relowner AS old_owner, n.relowner AS new_owner,
          CASE o.relkind WHEN 'v' THEN 'VIEW' ELSE 'TABLE' END AS kind, o.reloptions AS old_options,
          o.relrowsecurity AS is_secure, o.relforcerowsecurity AS is_forced
        FROM pg_class AS o JOIN pg_class AS n ON n.relname = o.relname AND (n.relkind = 'v') = (o.relkind = 'v')
        WHERE o.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1::text)
        AND n.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $2::text)
        AND o.relkind IN ('r', 'p', 'v') AND n.relkind IN ('r', 'p', 'v'))
      """

    /// Throws `misuse` if an access restriction of a schema cannot be copied to the one with these tables, views and
    /// columns; a nil column means any.
    ///
    /// If the schema is not replaced, its policies and labels remain.
    package func checkRestrictions(
      of schema: String, replacedBy columns: [(table: String, column: String?)],
      isReplaced: Bool = true
    ) throws(PostgreSQLError) {
      guard try exists(schema: schema), !columns.isEmpty else { return }
      let new = columns.map {
        "(\(quoted(text: $0.table)), \($0.column.map { quoted(text: $0) } ?? "NULL"))"
      }
      let isTableOwner = isMember("relowner")
      let reasons = try texts(
        """
        WITH new (name, "column") AS (VALUES \(new.joined(separator: ", "))),
        schema AS (SELECT * FROM pg_namespace WHERE nspname = $1),
        old AS (SELECT c.*, CASE relkind WHEN 'v' THEN 'view ' ELSE 'table ' END || relname AS words
          FROM pg_class AS c WHERE relnamespace = (SELECT oid FROM schema)
          AND relname IN (SELECT name FROM new UNION SELECT $2))
        SELECT format('%s has row security that also applies to %I, so its rows cannot be compared: '
          'ALTER ROLE %2$I BYPASSRLS, or ALTER TABLE %3$I.%4$I NO FORCE ROW LEVEL SECURITY',
          words, current_user, $1::text, relname) AS words
        FROM old WHERE relkind IN ('r', 'p') AND row_security_active(oid)
        UNION ALL
        SELECT format('the policy %I of %s needs %s, which is dropped with the previous schema', polname, old.words,
          pg_describe_object(d.refclassid, d.refobjid, d.refobjsubid))
        FROM old JOIN pg_policy AS p ON polrelid = old.oid
        JOIN pg_depend AS d ON d.classid = 'pg_policy'::regclass AND d.objid = p.oid
        LEFT JOIN pg_class AS c ON d.refclassid = 'pg_class'::regclass AND c.oid = d.refobjid
        LEFT JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = d.refobjsubid AND a.attnum > 0
        LEFT JOIN pg_proc AS f ON d.refclassid = 'pg_proc'::regclass AND f.oid = d.refobjid
        LEFT JOIN pg_type AS t ON d.refclassid = 'pg_type'::regclass AND t.oid = d.refobjid
        LEFT JOIN pg_operator AS o ON d.refclassid = 'pg_operator'::regclass AND o.oid = d.refobjid
        WHERE coalesce(c.relnamespace, f.pronamespace, t.typnamespace, o.oprnamespace) = (SELECT oid FROM schema)
        AND NOT EXISTS (SELECT FROM new WHERE name = c.relname
          AND (attname IS NULL OR "column" IS NULL OR "column" = attname))
        AND $3::boolean
        UNION ALL
        SELECT format('%s has a security label of %s: remove it, and set it again after each run',
          pg_describe_object(classoid, objoid, objsubid), provider)
        FROM pg_seclabel WHERE $3::boolean AND (classoid = 'pg_class'::regclass AND objoid IN (SELECT oid FROM old)
          OR classoid = 'pg_namespace'::regclass AND objoid = (SELECT oid FROM schema))
        UNION ALL
        SELECT format('%s belongs to %I, but %I cannot change its owner: GRANT %2$I TO %3$I; '
          'GRANT CREATE ON SCHEMA %4$I TO %2$I', old.words, pg_get_userbyid(relowner), current_user, $1::text)
        FROM old WHERE relkind IN ('r', 'p', 'v') AND relowner <> (SELECT oid FROM pg_roles WHERE rolname = current_user)
        AND NOT (\(isTableOwner) AND has_schema_privilege(relowner, relnamespace, 'CREATE'))
        AND NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user)
        ORDER BY 1
        """, [schema, CandidateSchema.marker, String(isReplaced)])
      guard !reasons.isEmpty else { return }
      throw PostgreSQLError(
        .misuse,
        "The access restrictions of the schema \(quoted(identifier: schema)) cannot be copied to the new one",
        detail: reasons.joined(separator: "\n"))
    }

    /// The condition that the role of the session can change an owner to `role`, and use the objects of that role.
    func isMember(_ role: String) -> String {
      // Since PostgreSQL 16, not every member can.
      let option = serverVersion < 160_000 ? "MEMBER" : "SET"
      return "pg_has_role(\(role), '\(option)') AND pg_has_role(\(role), 'USAGE')"
    }
  }
#endif
