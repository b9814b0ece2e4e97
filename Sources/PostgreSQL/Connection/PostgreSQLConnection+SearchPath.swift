#if PostgreSQL
  import SQLiteSwiftly

  extension PostgreSQLConnection {
    /// The search path of all statements, except those that build a schema of this run.
    ///
    /// A function of another role that fits a call better than one of `pg_catalog` is called wherever its schema is in
    /// the path, with the privileges of this role.
    static let searchPath = "pg_catalog, pg_temp"

    /// Runs statements whose tables are found in a schema that is being built.
    ///
    /// The names of `pg_catalog` come first, and new objects are created in the schema. Copies that Citus needs are
    /// temporary tables, and come before its tables.
    ///
    /// - Throws: `PostgreSQLError`, with `foreign` if another role can create anything in the schema.
    package func building<Result>(
      in schema: String, _ body: () throws(PostgreSQLError) -> Result
    ) throws(PostgreSQLError) -> Result {
      try checkIsPrivate(schema)
      let setting = isInTransaction ? "SET LOCAL search_path =" : "SET search_path ="
      let name = quoted(identifier: schema)
      try execute("\(setting) \(usesCitus ? "pg_temp, \(name)" : "\(name), pg_temp")")
      let result: Result
      do throws(PostgreSQLError) {
        result = try body()
      } catch {
        // In a transaction that has failed, the rollback resets it.
        try? execute("\(setting) \(Self.searchPath)")
        throw error
      }
      try execute("\(setting) \(Self.searchPath)")
      return result
    }

    private func checkIsPrivate(_ schema: String) throws(PostgreSQLError) {
      let others = try texts(
        """
        SELECT CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END
        FROM pg_namespace CROSS JOIN aclexplode(nspacl)
        WHERE nspname = $1 AND privilege_type = 'CREATE' AND grantee <> nspowner
        UNION ALL
        SELECT quote_ident(pg_get_userbyid(nspowner)) FROM pg_namespace
        WHERE nspname = $1 AND NOT pg_has_role(session_user, nspowner, 'MEMBER')
        """, [schema])
      guard !others.isEmpty else { return }
      throw PostgreSQLError(
        .foreign,
        "Other roles can create objects in the schema \(quoted(identifier: schema)), which the run is building: "
          + others.joined(separator: ", "),
        hint: "Check which event trigger or program grants CREATE on new schemas.")
    }
  }
#endif
