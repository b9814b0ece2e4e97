#if PostgreSQL
  import SQLiteSwiftly

  extension PostgreSQLConnection {
    func schemaPrivileges(
      from schema: String, to other: String
    ) throws(PostgreSQLError) -> [String] {
      try statements(
        """
        SELECT 1, '', format('GRANT %s ON SCHEMA %I', a.privilege_type, $2::text), a.grantee, a.is_grantable
        FROM pg_namespace CROSS JOIN aclexplode(nspacl) AS a WHERE nspname = $1 AND a.grantee <> nspowner
        ORDER BY 3, 4
        """, [schema, other])
    }

    func defaultGrantRevocations(of schema: String) throws(PostgreSQLError) -> [String] {
      try statements(
        """
        SELECT DISTINCT 0, '', format('REVOKE ALL ON SCHEMA %I', nspname), a.grantee, false
        FROM pg_namespace CROSS JOIN aclexplode(nspacl) AS a WHERE nspname = $1 AND a.grantee <> nspowner
        """, [schema])
    }

    /// The statements that copy the privileges on the tables and views of one schema to those with the same names in
    /// another (<https://www.postgresql.org/docs/current/ddl-priv.html>); owners need none.
    ///
    /// Default grants are revoked first, since they may have been revoked from the old tables.
    func privileges(from schema: String, to other: String) throws(PostgreSQLError) -> [String] {
      try statements(
        """
        WITH old AS (SELECT * FROM pg_namespace WHERE nspname = $1),
        new AS (SELECT * FROM pg_namespace WHERE nspname = $2),
        pairs AS (
          SELECT o.oid AS old_table, n.oid AS new_table, n.relname AS name, n.relowner AS owner, n.relacl AS new_acl,
            o.relacl AS old_acl, o.relowner AS old_owner
          FROM pg_class AS o JOIN pg_class AS n USING (relname)
          WHERE o.relnamespace = (SELECT oid FROM old) AND n.relnamespace = (SELECT oid FROM new)
          AND n.relkind IN ('r', 'v', 'm')),
        grants AS (
          SELECT 2 AS place, name, format('GRANT %s ON %I.%I', a.privilege_type, $2, name) AS statement, a.grantee,
            a.is_grantable
          FROM pairs CROSS JOIN aclexplode(old_acl) AS a WHERE a.grantee <> old_owner
          UNION ALL
          SELECT 3, name, format('GRANT %s (%I) ON %I.%I', a.privilege_type, o.attname, $2, name), a.grantee,
            a.is_grantable
          FROM pairs JOIN pg_attribute AS o ON o.attrelid = old_table CROSS JOIN aclexplode(o.attacl) AS a
          WHERE EXISTS (SELECT FROM pg_attribute AS n WHERE n.attrelid = new_table AND n.attname = o.attname))
        SELECT place, name, statement, grantee, is_grantable FROM (
          SELECT DISTINCT 0 AS place, name, format('REVOKE ALL ON %I.%I', $2, name) AS statement, a.grantee,
            false AS is_grantable
          FROM pairs CROSS JOIN aclexplode(new_acl) AS a WHERE a.grantee <> owner
          UNION ALL SELECT * FROM grants) AS changes
        ORDER BY place, name, statement, grantee
        """, [schema, other])
    }

    /// The statements that copy the default privileges of one schema to another: those of the roles that this role is a
    /// member of, or those that only other roles can set.
    func defaultPrivileges(
      of schema: String, for other: String, ofMember: Bool
    ) throws(PostgreSQLError) -> [String] {
      try statements(
        """
        SELECT 0, '', format('ALTER DEFAULT PRIVILEGES FOR ROLE %I IN SCHEMA %I GRANT %s ON %s',
          pg_get_userbyid(d.defaclrole), $2::text, a.privilege_type,
          CASE d.defaclobjtype WHEN 'r' THEN 'TABLES' WHEN 'S' THEN 'SEQUENCES' WHEN 'f' THEN 'FUNCTIONS'
            ELSE 'TYPES' END), a.grantee, a.is_grantable
        FROM pg_default_acl AS d CROSS JOIN aclexplode(d.defaclacl) AS a
        WHERE d.defaclnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1)
        AND pg_has_role(d.defaclrole, 'MEMBER') = $3::boolean
        ORDER BY 3, a.grantee
        """, [schema, other, "\(ofMember)"])
    }

    /// Completes statements with the role and the grant option: the third column of the query is the start of a statement,
    /// the fourth the role (0 for PUBLIC), and the fifth whether the role can grant the privilege to others.
    private func statements(
      _ sql: String, _ parameters: [String?]
    ) throws(PostgreSQLError) -> [String] {
      try texts(
        """
        SELECT statement || CASE WHEN statement LIKE 'REVOKE%' THEN ' FROM ' ELSE ' TO ' END
          || CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END
          || CASE WHEN is_grantable THEN ' WITH GRANT OPTION' ELSE '' END
        FROM (\(sql)) AS changes (place, name, statement, grantee, is_grantable)
        """, parameters)
    }

    /// The statements that copy the comments of tables, views and columns in a schema to those with the same names in
    /// another: those that differ, or, with the comment of the schema, those that the other lacks.
    func comments(
      from schema: String, to other: String, replacing: Bool = false
    ) throws(PostgreSQLError) -> [String] {
      try texts(
        """
        SELECT format('COMMENT ON SCHEMA %I IS %L', $2::text, obj_description(oid, 'pg_namespace'))
        FROM pg_namespace WHERE nspname = $1 AND obj_description(oid, 'pg_namespace') IS NOT NULL AND NOT \(replacing)
        UNION ALL
        SELECT CASE d.objsubid
          WHEN 0 THEN format('COMMENT ON %s %I.%I IS %L',
            CASE n.relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' ELSE 'TABLE' END,
            $2::text, n.relname, d.description)
          ELSE format('COMMENT ON COLUMN %I.%I.%I IS %L', $2::text, n.relname, b.attname, d.description) END
        FROM pg_class AS o JOIN pg_class AS n USING (relname)
        JOIN pg_description AS d ON d.objoid = o.oid AND d.classoid = 'pg_class'::regclass
        LEFT JOIN pg_attribute AS a ON a.attrelid = o.oid AND a.attnum = d.objsubid
        LEFT JOIN pg_attribute AS b ON b.attrelid = n.oid AND b.attname = a.attname,
        LATERAL (SELECT CASE d.objsubid WHEN 0 THEN obj_description(n.oid, 'pg_class')
          ELSE col_description(n.oid, b.attnum) END) AS present (description)
        WHERE o.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1)
        AND n.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $2)
        AND n.relkind IN (\(replacing ? "'r', 'v'" : "'r', 'v', 'm'")) AND (d.objsubid = 0 OR b.attnum IS NOT NULL)
        AND \(replacing ? "present.description IS DISTINCT FROM d.description" : "present.description IS NULL")
        """, [schema, other])
    }

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
    /// columns that will replace it; a nil column means any.
    ///
    /// A merge drops nothing, but needs to see all rows, and the privileges of the owners.
    package func checkRestrictions(
      of schema: String, replacedBy columns: [(table: String, column: String?)],
      isMerge: Bool = false
    ) throws(PostgreSQLError) {
      guard try exists(schema: schema), !columns.isEmpty else { return }
      let new = columns.map {
        "(\(quoted(text: $0.table)), \($0.column.map { quoted(text: $0) } ?? "NULL"))"
      }
      let isTableOwner = isMember("relowner")
      let creation = isMerge ? "" : "; GRANT CREATE ON SCHEMA %4$I TO %2$I"
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
        WHERE NOT \(isMerge)
        AND coalesce(c.relnamespace, f.pronamespace, t.typnamespace, o.oprnamespace) = (SELECT oid FROM schema)
        AND NOT EXISTS (SELECT FROM new WHERE name = c.relname
          AND (attname IS NULL OR "column" IS NULL OR "column" = attname))
        UNION ALL
        SELECT format('%s has a security label of %s: remove it, and set it again after each run',
          pg_describe_object(classoid, objoid, objsubid), provider)
        FROM pg_seclabel WHERE NOT \(isMerge) AND ((classoid = 'pg_class'::regclass AND objoid IN (SELECT oid FROM old))
        OR (classoid = 'pg_namespace'::regclass AND objoid = (SELECT oid FROM schema)))
        UNION ALL
        SELECT format('%s belongs to %I, but %I cannot change its owner: GRANT %2$I TO %3$I\(creation)',
          old.words, pg_get_userbyid(relowner), current_user, $1::text)
        FROM old WHERE relkind IN ('r', 'p', 'v') AND relowner <> (SELECT oid FROM pg_roles WHERE rolname = current_user)
        AND NOT (\(isTableOwner) AND (\(isMerge) OR has_schema_privilege(relowner, relnamespace, 'CREATE')))
        AND NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user)
        ORDER BY 1
        """, [schema, CandidateSchema.marker])
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
