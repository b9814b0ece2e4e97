#if PostgreSQL
  import CPostgreSQL

  extension PostgreSQLConnection {
    /// Ends the current COPY, aborting it if there is a reason, and reads all results.
    ///
    /// - Returns: The number of rows copied.
    /// - Throws: `PostgreSQLError`; then no row is kept.
    func endCopy(because reason: String?) throws(PostgreSQLError) -> Int {
      isCopying = false
      let code = unsafe PQputCopyEnd(handle, reason)
      var failure = code == 1 ? nil : unsafe self.failure(nil)
      var rows = 0
      var hasServerMessage = false
      while let next = unsafe PQgetResult(handle) {
        let result = unsafe ServerResult(next)
        // If the end could not be sent for lack of memory, this result would repeat; the next statement then fails.
        guard result.status != PGRES_COPY_IN else { break }
        rows += result.changedRows
        guard result.isFailure, !hasServerMessage else { continue }
        // The message of the server matters more than that the connection is lost.
        let message = unsafe self.failure(next)
        hasServerMessage = message.message.sqlState != nil
        if hasServerMessage || failure == nil { failure = message }
      }
      if let failure { throw failure }
      return rows
    }
  }
#endif
