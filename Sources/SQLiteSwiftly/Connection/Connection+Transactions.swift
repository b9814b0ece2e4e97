extension Connection {
  /// Runs `body` in a transaction: all that it changes is kept, or nothing when it throws.
  ///
  /// The transaction is immediate: it takes the write lock at once, so that it cannot fail for want
  /// of it half way. When SQLite has rolled back by itself, as after a full disk, no second rollback
  /// is tried; a commit that fails is rolled back.
  ///
  /// - Returns: What `body` returns.
  /// - Throws: What `body` threw, or the error of beginning or committing. An error of the rollback
  ///   never hides it.
  public func transaction<Result>(
    _ body: () throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    try beginTransaction()
    do {
      let result = try body()
      try commitTransaction()
      return result
    } catch {
      if (try? isInTransaction) == true {
        // The caller needs the first error; one of the rollback says no more than that.
        try? execute("ROLLBACK" as SQL)
      }
      throw error
    }
  }

  /// Begins a transaction that a later call commits; for work that cannot be one closure.
  package func beginTransaction() throws(SQLiteError) { try execute("BEGIN IMMEDIATE" as SQL) }

  /// Commits the transaction that was begun.
  package func commitTransaction() throws(SQLiteError) { try execute("COMMIT" as SQL) }
}
