#if PostgreSQL
  import CPostgreSQL
  import Text

  extension PostgreSQLConnection {
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
        throw PostgreSQLError(.misuse, "A transaction is already open")
      }
      // Without the setting, a change of a reference table fails after one of a distributed table.
      try execute(
        usesCitus ? "BEGIN; SET LOCAL citus.multi_shard_modify_mode = 'sequential'" : "BEGIN")
    }

    /// - Throws: `PostgreSQLError`, with `misuse` if the server rolled back because a statement had failed, and with
    ///   `uncertain` if the connection was lost meanwhile.
    package func commitTransaction() throws(PostgreSQLError) {
      let command = try mapError(
        result(of: "COMMIT").command,
        as: { (error: PostgreSQLError) in
          error.isConnectionLost ? PostgreSQLError(.uncertain, error.message) : error
        })
      guard command == "COMMIT" else {
        throw PostgreSQLError(
          .misuse, "The transaction was rolled back, because a statement in it had failed")
      }
    }

    package func rollbackTransaction() {
      // The original error matters more than that of a rollback, and a lost connection has no transaction.
      guard isInTransaction else { return }
      try? execute("ROLLBACK")
    }

    /// Whether a transaction is open, including one in which a statement has failed.
    package var isInTransaction: Bool { unsafe PQtransactionStatus(handle) != PQTRANS_IDLE }
  }
#endif
