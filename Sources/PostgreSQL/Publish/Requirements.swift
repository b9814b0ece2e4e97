#if PostgreSQL
  import SQLiteSwiftly

  /// What a run would otherwise find missing only after it has loaded all rows.
  extension PostgreSQLConnection {
    func checkCanWrite() throws(PostgreSQLError) {
      let state =
        try query(
          """
          SELECT current_setting('transaction_read_only'), pg_is_in_recovery(), setting, source
          FROM pg_settings WHERE name = 'default_transaction_read_only'
          """
        ).first?.map { $0 ?? "" } ?? []
      guard state.count == 4, state[0] == "on" else { return }
      guard state[1] != "t" else {
        throw PostgreSQLError(
          .misuse, "The server is a standby, which is read-only",
          hint:
            "Connect to the primary server: target_session_attrs=read-write finds it among several hosts."
        )
      }
      throw PostgreSQLError(
        .misuse,
        "The session is read-only: default_transaction_read_only is on (source: \(state[3]))",
        hint: "Turn it off for this role or database, or load as another role.")
    }

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
      try checkPrivileges(on: [target, refused] + leftovers, staging: leftovers[0])
      try checkPublications()
      try wait(forReadersOf: leftovers, seconds: seconds)
    }

    /// Throws `misuse` for missing privileges: also for that to create schemas, unless there is one called `staging`, in
    /// which a merge can work.
    func checkPrivileges(
      on schemas: [String], staging: String? = nil
    ) throws(PostgreSQLError) {
      let missing = try texts(
        """
        SELECT format('GRANT CREATE ON DATABASE %I TO %I, to create schemas', current_database(), current_user)
        WHERE NOT has_database_privilege(current_database(), 'CREATE')
        AND NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = $1::name AND \(isMember("nspowner")))
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
        FROM pg_namespace JOIN pg_roles AS r ON r.oid = nspowner WHERE nspname = ANY (\(array(of: schemas))) AND NOT (\(isMember("nspowner")))
        """, [staging])
      guard !missing.isEmpty else { return }
      let role = try texts("SELECT quote_ident(current_user)")[0]
      var hint: String?
      if let staging, try !canCreateSchemas(), try !exists(schema: staging) {
        hint =
          "To merge, it suffices to CREATE SCHEMA \(quoted(identifier: staging)) AUTHORIZATION \(role)."
      }
      throw PostgreSQLError(
        .misuse, "The role \(role) lacks privileges",
        detail: "It needs " + missing.joined(separator: ";\n"), hint: hint)
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
          // PostgreSQL 18 is the first that has the setting, and needs it.
          let columns =
            "Without a primary key, all columns must be published: publish_generated_columns = stored."
          throw PostgreSQLError(
            .inUse, "A publication does not allow changes of \(name): \(error.message.text)",
            detail: error.message.detail,
            hint: error.message.hint ?? (serverVersion < 180_000 ? nil : columns))
        }
      }
    }

    /// Whether a publication has one of these tables; its subscribers would stop at a column that they lack.
    func isPublished(_ tables: [String], in schema: String) throws(PostgreSQLError) -> Bool {
      try !query(
        "SELECT FROM pg_publication_tables WHERE schemaname = $1 AND tablename = ANY (\(array(of: tables)))",
        [schema]
      ).isEmpty
    }

    /// The columns without a value for new rows that others have added to the published tables, except where one of their
    /// triggers can set it; `own` are the keys of our objects.
    func requiredColumns(
      of schema: String, besides own: [String]
    ) throws(PostgreSQLError) -> [String] {
      try texts(
        """
        SELECT c.relname || '.' || attname FROM pg_class AS c
        JOIN pg_attribute AS a ON attrelid = c.oid AND attnum > 0 AND NOT attisdropped
        JOIN pg_type AS t ON t.oid = atttypid
        WHERE c.relnamespace = $1::regnamespace AND c.relkind = 'r' AND attnotnull AND NOT atthasdef
        AND attidentity = '' AND typdefault IS NULL
        AND EXISTS (SELECT FROM pg_identify_object('pg_class'::regclass, c.oid, 0)
          WHERE type || ' ' || identity = ANY (\(array(of: own))))
        AND NOT EXISTS (SELECT FROM pg_identify_object('pg_class'::regclass, c.oid, attnum)
          WHERE type || ' ' || identity = ANY (\(array(of: own))))
        -- A trigger for each row, before an INSERT.
        AND NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = c.oid AND tgtype & 7 = 7)
        ORDER BY 1
        """, [quoted(identifier: schema)])
    }

    private func wait(
      forReadersOf schemas: [String], seconds: Double
    ) throws(PostgreSQLError) {
      let readers = try wait(seconds: seconds) { () throws(PostgreSQLError) in
        try texts(
          """
          SELECT DISTINCT \(Self.processWords) || ', uses ' || n.nspname
          FROM pg_locks AS l JOIN pg_class AS c ON c.oid = l.relation JOIN pg_namespace AS n ON n.oid = c.relnamespace
          LEFT JOIN pg_stat_activity AS a ON a.pid = l.pid
          WHERE l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
          AND n.nspname = ANY (\(array(of: schemas))) AND l.granted AND l.pid IS DISTINCT FROM pg_backend_pid()
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

    /// The transactions of the database that cannot see all current commits.
    ///
    /// They find a table by its current name, but see its rows as of their start: a new table would be empty to them
    /// (<https://www.postgresql.org/docs/current/mvcc-caveats.html>). Some may see everything after their current
    /// statement, but these cannot be distinguished, nor can those that never read the schema: a role without privileges
    /// can become another one, or call a function that has them.
    ///
    /// - Returns: For each transaction, an identifier of its snapshot, and the process and the role.
    fileprivate func oldReaders() throws(PostgreSQLError) -> [(snapshot: String, words: String)] {
      try query(
        """
        SELECT concat_ws(' ', l.virtualtransaction, a.backend_xmin),
          format('process %s of %s', a.pid, a.usename) || coalesce(' (' || nullif(a.application_name, '') || ')', '')
        FROM pg_stat_activity AS a
        JOIN pg_locks AS l ON l.pid = a.pid AND l.locktype = 'virtualxid' AND l.virtualxid = l.virtualtransaction
        WHERE a.datname = current_database() AND a.pid <> pg_backend_pid() AND age(a.backend_xmin) > 0
        -- Processes of the server itself, such as those of autovacuum, have no role.
        AND a.usesysid IS NOT NULL AND a.backend_type IS DISTINCT FROM 'parallel worker'
        AND a.pid NOT IN (SELECT pid FROM pg_stat_progress_vacuum)
        AND a.pid NOT IN (SELECT pid FROM pg_stat_progress_create_index)
        ORDER BY a.pid
        """
      ).map { ($0[0] ?? "", $0[1] ?? "") }
    }
  }

  extension CandidateSchema {
    /// Call this after all rows are committed: transactions that begin later see them.
    package borrowing func oldReaders() throws(PostgreSQLError) -> Set<String> {
      Set(try connection.oldReaders().map(\.snapshot))
    }

    /// Waits until these transactions have ended; throws `locked` if one remains after `seconds`.
    package borrowing func wait(
      for first: Set<String>, seconds: Double
    ) throws(PostgreSQLError) {
      let (target, connection) = (target, connection)
      let readers = try connection.wait(seconds: seconds) { () throws(PostgreSQLError) in
        try connection.oldReaders().filter { first.contains($0.snapshot) }
      }
      guard !readers.isEmpty else { return }
      throw PostgreSQLError(
        .locked,
        "A transaction that is older than the new rows would see the tables of \(quoted(identifier: target)) "
          + "as empty",
        detail: readers.map(\.words).joined(separator: "\n"),
        hint: "Run again when it has ended, or wait longer with --wait SECONDS.")
    }
  }
#endif
