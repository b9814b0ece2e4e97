#if PostgreSQL

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

    /// The statements that copy the comment of a schema to another, and the comments of its tables, views and columns to
    /// those with the same names and without a comment.
    func comments(from schema: String, to other: String) throws(PostgreSQLError) -> [String] {
      try texts(
        """
        SELECT format('COMMENT ON SCHEMA %I IS %L', $2::text, obj_description(oid, 'pg_namespace'))
        FROM pg_namespace WHERE nspname = $1 AND obj_description(oid, 'pg_namespace') IS NOT NULL
        UNION ALL
        SELECT CASE d.objsubid
          WHEN 0 THEN format('COMMENT ON %s %I.%I IS %L',
            CASE n.relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' ELSE 'TABLE' END,
            $2::text, n.relname, d.description)
          ELSE format('COMMENT ON COLUMN %I.%I.%I IS %L', $2::text, n.relname, b.attname, d.description) END
        FROM pg_class AS o JOIN pg_class AS n USING (relname)
        JOIN pg_description AS d ON d.objoid = o.oid AND d.classoid = 'pg_class'::regclass
        LEFT JOIN pg_attribute AS a ON a.attrelid = o.oid AND a.attnum = d.objsubid
        LEFT JOIN pg_attribute AS b ON b.attrelid = n.oid AND b.attname = a.attname
        WHERE o.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1)
        AND n.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $2)
        AND n.relkind IN ('r', 'v', 'm') AND (d.objsubid = 0 OR b.attnum IS NOT NULL)
        AND NOT EXISTS (SELECT FROM pg_description AS e WHERE e.objoid = n.oid AND e.classoid = 'pg_class'::regclass
          AND e.objsubid = coalesce(b.attnum, 0))
        """, [schema, other])
    }
  }
#endif
