#if PostgreSQL
  import CPostgreSQL

  extension PostgreSQLConnection {
    /// Ends the COPY that is going on, successfully unless there is a reason not to, and reads all answers.
    ///
    /// - Returns: The rows that the server has taken.
    /// - Throws: `PostgreSQLError`; then none of the rows is there.
    func endCopy(because reason: String?) throws(PostgreSQLError) -> Int {
      isCopying = false
      let code = unsafe PQputCopyEnd(handle, reason)
      var failure = code == 1 ? nil : unsafe self.failure(nil)
      var rows = 0
      var serverSpoke = false
      while let next = unsafe PQgetResult(handle) {
        let result = unsafe ServerResult(next)
        // If there was no memory for the end, it would come again and again; the next statement fails, then.
        guard result.status != PGRES_COPY_IN else { break }
        rows += result.changedRows
        guard result.isFailure, !serverSpoke else { continue }
        // What the server says is more than that it cannot be reached.
        let message = unsafe self.failure(next)
        serverSpoke = message.message.sqlState != nil
        if serverSpoke || failure == nil { failure = message }
      }
      if let failure { throw failure }
      return rows
    }
  }
#endif
