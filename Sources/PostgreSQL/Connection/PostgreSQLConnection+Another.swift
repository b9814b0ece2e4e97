#if PostgreSQL
  import CPostgreSQL

  extension PostgreSQLConnection {
    /// Opens another connection to the same server and database as the same role.
    func another() throws(PostgreSQLError) -> PostgreSQLConnection {
      guard let options = unsafe PQconninfo(handle) else {
        throw .outOfMemory
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

    /// Throws the reason if the session is read-only.
    func checkCanWrite() throws(PostgreSQLError) {
      let state =
        try query(
          """
          SELECT current_setting('transaction_read_only'), pg_is_in_recovery(), setting, source
          FROM pg_settings WHERE name = 'default_transaction_read_only'
          """
        ).first?.map { $0 ?? "" } ?? []
      guard state.count == 4, state[0] == "on" else { return }
      throw state[1] == "t" ? .standby : .readOnly(source: state[3])
    }
  }
#endif
