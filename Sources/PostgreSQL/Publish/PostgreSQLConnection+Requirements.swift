#if PostgreSQL
  import CPostgreSQL
  import SQLiteSwiftly

  /// What a run would otherwise find missing only after it has loaded all rows.
  extension PostgreSQLConnection {
    /// Throws `misuse` if a pooler changes the session between transactions: the lock and the settings belong to one
    /// session, and the settings would remain for other clients.
    ///
    /// Any pooler has process numbers of its own. One that pools sessions keeps that of this connection, even while the
    /// connection that `another` makes has a transaction.
    func checkPooler(
      _ another: () throws(PostgreSQLError) -> PostgreSQLConnection
    ) throws(PostgreSQLError) {
      let process = try serverProcess()
      guard process != Int(unsafe PQbackendPID(handle)) else { return }
      let other = try another()
      try other.beginTransaction()
      defer { other.rollbackTransaction() }
      // If the pool has only one session, a statement on this connection would wait.
      var isSame = try other.serverProcess() != process
      // While other clients use the pool, the session may be the same by chance.
      for _ in 0..<20 where isSame { isSame = try serverProcess() == process }
      guard isSame else {
        throw PostgreSQLError(
          .misuse,
          "A connection pooler changes the session after each transaction, but a run needs one session",
          hint: "Connect to the server directly, or to a pool with pool_mode = session.")
      }
    }

    private func serverProcess() throws(PostgreSQLError) -> Int {
      try numbers("SELECT pg_backend_pid()")[0]
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

    /// Connects again, with the same parameters.
    ///
    /// - Parameters:
    ///   - need: the start of the message about a failure.
    ///   - missing: the number of connections that the run still needs.
    /// - Returns: A connection that may be idle for any time.
    /// - Throws: `PostgreSQLError`, with the limit of connections that is the cause.
    package func another(
      _ need: String, missing: Int = 1
    ) throws(PostgreSQLError) -> PostgreSQLConnection {
      do throws(PostgreSQLError) {
        let other = try another()
        // It may be idle until everything is loaded. PostgreSQL 13 and older have no such timeout.
        _ = try other.query(
          "SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'idle_session_timeout'"
        )
        return other
      } catch {
        throw PostgreSQLError(
          error.kind, "\(need): \(error.message.text)",
          hint: try? connectionLimit(exceededBy: missing))
      }
    }

    /// Describes the limit that allows no other connection of this role, if a limit is the cause.
    private func connectionLimit(exceededBy missing: Int) throws(PostgreSQLError) -> String {
      try texts(
        """
        WITH used AS (SELECT * FROM pg_stat_activity WHERE usesysid IS NOT NULL AND datid IS NOT NULL)
        SELECT CASE
          WHEN rolconnlimit BETWEEN 0 AND (SELECT count(*) FROM used WHERE usesysid = r.oid)
          THEN format('The limit of the role is %s: ALTER ROLE %I CONNECTION LIMIT %s', rolconnlimit, rolname,
            rolconnlimit + $1::int)
          WHEN datconnlimit BETWEEN 0 AND (SELECT count(*) FROM used WHERE datid = d.oid)
          THEN format('The limit of the database is %s: ALTER DATABASE %I CONNECTION LIMIT %s', datconnlimit, datname,
            datconnlimit + $1::int)
          ELSE format('max_connections is %s, of which %s are reserved and %s in use',
            current_setting('max_connections'), current_setting('superuser_reserved_connections'),
            (SELECT count(*) FROM used)) END
        FROM pg_roles AS r, pg_database AS d WHERE rolname = session_user AND datname = current_database()
        """, ["\(missing)"])[0]
    }
  }
#endif
