#if PostgreSQL
  import CPostgreSQL

  extension PostgreSQLConnection {
    /// Runs `body` in a transaction: all that it changes is kept, or nothing when it throws.
    ///
    /// - Throws: What `body` threw, or the error of beginning or committing; `misuse` inside another transaction, or
    ///   if `body` went on after an error, with which the server rolls back. If the connection is lost while it
    ///   commits, nobody knows whether it did.
    package func transaction<Result>(
      _ body: () throws(PostgreSQLError) -> Result
    ) throws(PostgreSQLError) -> Result {
      guard unsafe PQtransactionStatus(try openHandle()) == PQTRANS_IDLE else {
        throw PostgreSQLError(.misuse, "There is a transaction already")
      }
      try execute("BEGIN")
      let value: Result
      do throws(PostgreSQLError) {
        value = try body()
      } catch {
        // The error that led here says more than that of a rollback, and a connection that is lost has none.
        try? execute("ROLLBACK")
        throw error
      }
      let end = try result(of: "COMMIT")
      guard end.command == "COMMIT" else {
        throw PostgreSQLError(
          .misuse, "The transaction was rolled back, because a statement in it had failed")
      }
      return value
    }
  }
#endif
