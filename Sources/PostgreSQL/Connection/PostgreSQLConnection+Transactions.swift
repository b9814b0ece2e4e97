#if PostgreSQL
  import CPostgreSQL

  extension PostgreSQLConnection {
    /// Runs `body` in a transaction: all that it changes is kept, or nothing when it throws.
    func transaction<Result>(
      _ body: () throws(PostgreSQLError) -> Result
    ) throws(PostgreSQLError) -> Result {
      try beginTransaction()
      let value: Result
      do throws(PostgreSQLError) {
        value = try body()
      } catch {
        rollbackTransaction()
        throw error
      }
      try commitTransaction()
      return value
    }

    /// - Throws: `PostgreSQLError`, with `misuse` inside another transaction.
    package func beginTransaction() throws(PostgreSQLError) {
      guard !isInTransaction else {
        throw PostgreSQLError(.misuse, "There is a transaction already")
      }
      try execute("BEGIN")
    }

    /// Keeps all that was changed since the transaction was begun.
    ///
    /// - Throws: `PostgreSQLError`, with `misuse` if a statement in it had failed, with which the server rolls back, and
    ///   with `uncertain` if the connection is lost meanwhile.
    package func commitTransaction() throws(PostgreSQLError) {
      let command: String
      do throws(PostgreSQLError) {
        command = try result(of: "COMMIT").command
      } catch {
        throw error.isConnectionLost ? PostgreSQLError(.uncertain, error.message) : error
      }
      guard command == "COMMIT" else {
        throw PostgreSQLError(
          .misuse, "The transaction was rolled back, because a statement in it had failed")
      }
    }

    /// Undoes all that was changed since the transaction was begun, if there is one and it is not undone already.
    package func rollbackTransaction() {
      // The error that led here says more than that of a rollback, and a connection that is lost has none.
      guard isInTransaction else { return }
      try? execute("ROLLBACK")
    }

    /// Whether a transaction was begun and has not ended, be it one in which a statement has failed.
    package var isInTransaction: Bool { unsafe PQtransactionStatus(handle) != PQTRANS_IDLE }
  }
#endif
