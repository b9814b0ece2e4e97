#if PostgreSQL
  import CPostgreSQL
  import Text

  /// The sessions of a run: one for each connection.
  extension PostgreSQLConnection {
    /// Throws `misuse` if a pooler changes the session between transactions: the lock and the settings belong to one
    /// session, and the settings would remain for other clients.
    ///
    /// Any pooler has process numbers of its own. One that pools sessions keeps that of this connection, even while the
    /// connection with the same `parameters` has a transaction.
    func checkPooler(
      _ parameters: [(keyword: String, value: String)]
    ) throws(PostgreSQLError) {
      let process = try serverProcess()
      guard process != Int(unsafe PQbackendPID(handle)) else { return }
      let other = try PostgreSQLConnection(connecting: parameters)
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
      // The session may still have the search path of the role.
      try numbers("SELECT pg_catalog.pg_backend_pid()")[0]
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
      try mapError(as: { error in
        var message = error.message.prefixed(by: "\(need): ")
        if error.kind == .connection { message.hint = try? connectionLimit(exceededBy: missing) }
        return PostgreSQLError(error.kind, message)
      }) { () throws(PostgreSQLError) in
        let other = try another()
        other.usesCitus = usesCitus
        // It may be idle until everything is loaded. PostgreSQL 13 and older have no such timeout.
        _ = try other.query(
          "SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'idle_session_timeout'"
        )
        return other
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

    func another() throws(PostgreSQLError) -> PostgreSQLConnection {
      guard let options = unsafe PQconninfo(handle) else { throw .outOfMemory }
      defer { unsafe PQconninfoFree(options) }
      var parameters: [(keyword: String, value: String)] = []
      var option = unsafe options
      while let keyword = unsafe option.pointee.keyword {
        let name = unsafe String(cString: keyword)
        // Of several hosts, only the one that answered.
        let value: UnsafeMutablePointer<CChar>? =
          switch name {
          case "host": unsafe PQhost(handle)
          case "port": unsafe PQport(handle)
          case "hostaddr": unsafe option.pointee.val.flatMap { _ in unsafe PQhostaddr(handle) }
          default: unsafe option.pointee.val
          }
        if let value = unsafe value {
          parameters.append((name, unsafe String(cString: value)))
        }
        unsafe option += 1
      }
      let other = try PostgreSQLConnection(connecting: parameters)
      try other.prepareSession()
      return other
    }
  }
#endif
