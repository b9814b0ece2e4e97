#if PostgreSQL
  import CPostgreSQL

  extension PostgreSQLConnection {
    /// Connects once more, to the same server and database as the same role.
    func another() throws(PostgreSQLError) -> PostgreSQLConnection {
      guard let options = unsafe PQconninfo(handle) else {
        throw PostgreSQLError(.connection, "There is no memory for a connection")
      }
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
      return try PostgreSQLConnection(parameters)
    }

    /// Throws if the session may only read, and says why.
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
  }
#endif
