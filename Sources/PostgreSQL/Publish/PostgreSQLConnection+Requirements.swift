#if PostgreSQL
  import SQLiteSwiftly

  /// What a run would otherwise find missing only after it has loaded all rows.
  extension PostgreSQLConnection {
    /// Checks that the role has the privileges, and that no publication or reader is in the way.
    ///
    /// - Parameters:
    ///   - target: the published schema.
    ///   - leftovers: the schemas that the run drops, if they exist.
    ///   - refused: the schema that it drops if it refuses the new one.
    ///   - seconds: the longest wait for readers of the leftovers.
    /// - Throws: `PostgreSQLError` with `misuse` if a privilege is missing, with `inUse` for a publication, and with
    ///   `locked` for a reader.
    func checkRequirements(
      replacing target: String, dropping leftovers: [String], or refused: String, seconds: Double
    ) throws(PostgreSQLError) {
      try checkPrivileges(on: [target, refused] + leftovers)
      try checkPublications()
      try wait(forReadersOf: leftovers, seconds: seconds)
    }

    private func checkPrivileges(on schemas: [String]) throws(PostgreSQLError) {
      let names = schemas.map { quoted(text: $0) }.joined(separator: ", ")
      let missing = try texts(
        """
        SELECT format('GRANT CREATE ON DATABASE %I TO %I, to create schemas', current_database(), current_user)
        WHERE NOT has_database_privilege(current_database(), 'CREATE')
        UNION ALL
        SELECT format('GRANT TEMP ON DATABASE %I TO %I, to make statistics with Citus', current_database(), current_user)
        WHERE \(usesCitus) AND NOT has_database_privilege(current_database(), 'TEMP')
        UNION ALL
        SELECT format('GRANT CREATE ON TABLESPACE %I TO %I, to create tables in the default_tablespace', spcname,
          current_user)
        FROM pg_tablespace WHERE spcname = current_setting('default_tablespace')
        AND oid <> (SELECT dattablespace FROM pg_database WHERE datname = current_database())
        AND NOT has_tablespace_privilege(oid, 'CREATE')
        UNION ALL
        SELECT format(CASE WHEN rolsuper THEN 'ALTER SCHEMA %3$I OWNER TO %2$I' ELSE 'GRANT %1$I TO %2$I' END
          || ', to replace or drop the schema %3$I', rolname, current_user, nspname)
        FROM pg_namespace JOIN pg_roles AS r ON r.oid = nspowner WHERE nspname IN (\(names)) AND NOT (\(isMember("nspowner")))
        """)
      guard !missing.isEmpty else { return }
      throw PostgreSQLError(
        .misuse, "The role \(try texts("SELECT quote_ident(current_user)")[0]) lacks privileges",
        detail: "It needs " + missing.joined(separator: ";\n"))
    }

    private func checkPublications() throws(PostgreSQLError) {
      let publications = try texts(
        "SELECT quote_ident(pubname) FROM pg_publication WHERE puballtables ORDER BY 1")
      guard !publications.isEmpty else { return }
      let names = publications.joined(separator: ", ")
      throw PostgreSQLError(
        .inUse, "All tables of the database are published, by \(names)",
        detail:
          "Subscribers that lack the new tables would stop, and tables without a primary key could not be updated.",
        hint: "Publish the other tables or schemas by name instead, or load into another database."
      )
    }

    /// Throws `inUse` if a publication keeps rows of a published table from being changed.
    ///
    /// The server checks this when a statement starts, and `EXPLAIN` starts it.
    func checkReplication(
      of tables: [String], in schema: String
    ) throws(PostgreSQLError) {
      let published = try query(
        """
        SELECT DISTINCT t.tablename, (SELECT attname FROM pg_attribute
          WHERE attrelid = format('%I.%I', t.schemaname, t.tablename)::regclass AND attnum > 0 AND NOT attisdropped
          AND attgenerated = '' ORDER BY attnum LIMIT 1)
        FROM pg_publication_tables AS t WHERE t.schemaname = $1 AND t.tablename = ANY (\(array(of: tables))) ORDER BY 1
        """, [schema])
      for row in published {
        guard let table = row[0], let column = row[1].map(quoted(identifier:)) else { continue }
        let name = qualified(table, in: schema)
        do throws(PostgreSQLError) {
          try execute(
            "SET LOCAL lock_timeout = '5s'; EXPLAIN UPDATE ONLY \(name) SET \(column) = \(column); EXPLAIN DELETE FROM ONLY \(name)"
          )
        } catch {
          // object_not_in_prerequisite_state, and a column list or row filter without the key.
          guard ["55000", "42P10"].contains(error.message.sqlState) else { throw error }
          throw PostgreSQLError(
            .inUse, "A publication does not allow changes of \(name): \(error.message.text)",
            detail: error.message.detail, hint: error.message.hint)
        }
      }
    }

    private func wait(
      forReadersOf schemas: [String], seconds: Double
    ) throws(PostgreSQLError) {
      let names = schemas.map { quoted(text: $0) }.joined(separator: ", ")
      let readers = try wait(seconds: seconds) { () throws(PostgreSQLError) in
        try texts(
          """
          SELECT DISTINCT coalesce('process ' || l.pid || ' of ' || a.usename, 'a prepared transaction')
            || coalesce(' (' || nullif(a.application_name, '') || ')', '')
            || coalesce(', in a transaction since ' || date_trunc('second', a.xact_start), '')
            || ', uses ' || n.nspname
          FROM pg_locks AS l JOIN pg_class AS c ON c.oid = l.relation JOIN pg_namespace AS n ON n.oid = c.relnamespace
          LEFT JOIN pg_stat_activity AS a ON a.pid = l.pid
          WHERE l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
          AND n.nspname IN (\(names)) AND l.granted AND l.pid IS DISTINCT FROM pg_backend_pid()
          -- A vacuum of the server makes way.
          AND (l.pid IS NULL OR a.usesysid IS NOT NULL)
          ORDER BY 1
          """)
      }
      guard !readers.isEmpty else { return }
      throw PostgreSQLError(
        .locked, "A transaction uses a schema that the run must drop",
        detail: readers.joined(separator: "\n"),
        hint:
          "Run again when it has ended, or end it with SELECT pg_terminate_backend(PROCESS).")
    }

    /// Calls `remaining` until it returns nothing, for at most `seconds`, and returns its last result.
    func wait<Value>(
      seconds: Double, for remaining: () throws(PostgreSQLError) -> [Value]
    ) throws(PostgreSQLError) -> [Value] {
      let deadline = ContinuousClock.now + .seconds(seconds)
      while true {
        let found = try remaining()
        guard !found.isEmpty, ContinuousClock.now < deadline else { return found }
        // The server waits, so that the wait can be canceled.
        _ = try query("SELECT pg_sleep(0.05)")
      }
    }
  }
#endif
