import Text

/// The time at which a transaction acquires its locks (<https://www.sqlite.org/lang_transaction.html>).
public enum TransactionKind: Sendable {
  /// The read lock at the first read, and the write lock at the first write, which may fail then.
  case deferred
  /// The write lock at the beginning, so that the transaction cannot fail halfway for lack of it.
  case immediate
  /// As `immediate`; in addition no other connection can read, unless the journal is a write-ahead log.
  case exclusive
}

/// The name of all savepoints of this library; callers must not use it for their own savepoints.
///
/// SQLite uses the innermost savepoint of a name, so one name serves all levels.
private let savepointName = "SQLiteSwiftly.transaction"

extension Connection {
  /// Runs `body` in a transaction, and commits all of its changes or, if it throws, none.
  ///
  /// Within another transaction it is a savepoint of that one, under the locks already held. If an
  /// inner transaction throws, its changes are undone, and the outer one can continue. If SQLite
  /// rolls back on its own, as after a full disk, or `body` ends the transaction by its own SQL,
  /// the rest of the transaction fails with `abort`. A commit that fails is rolled back.
  ///
  /// ```swift
  /// try connection.transaction {
  ///   try connection.execute("UPDATE stock SET bricks = bricks - \(bricks) WHERE place = 'store'")
  ///   try connection.execute("UPDATE stock SET bricks = bricks + \(bricks) WHERE place = 'shop'")
  /// }
  /// ```
  ///
  /// - Throws: The error of `body`, of beginning or of committing. An error of the rollback never hides it; a rollback
  ///   that fails, as under an interrupted cursor, is repeated before any other statement.
  public func transaction<Result>(
    _ kind: TransactionKind = .immediate, _ body: () throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result { try transaction(kind, body, failure: { $0 }) }

  /// Runs `body`, which may throw its own errors, in a transaction as above.
  @_disfavoredOverload
  public func transaction<Result>(
    _ kind: TransactionKind = .immediate, _ body: () throws -> Result
  ) throws -> Result { try transaction(kind, body, failure: { $0 as any Error }) }

  /// Runs `body` as above; `failure` converts SQLite's error to the error type of `body`.
  package func transaction<Result, Failure: Error>(
    _ kind: TransactionKind, _ body: () throws(Failure) -> Result,
    failure: (SQLiteError) -> Failure
  ) throws(Failure) -> Result {
    let isOutermost = try mapError(beginCall(), as: failure)
    defer { endCall(isOutermost) }
    try mapError(beginTransaction(kind), as: failure)
    do throws(Failure) {
      let result = try body()
      try mapError(commitTransaction(), as: failure)
      return result
    } catch {
      rollBackTransaction()
      throw error
    }
  }

  /// Begins a transaction, or a savepoint within one, that a later call ends.
  package func beginTransaction(_ kind: TransactionKind = .immediate) throws(SQLiteError) {
    try checkTransaction()
    if try isInTransaction {
      try execute("SAVEPOINT \(identifier: savepointName)")
      transactionLevels.append(.savepoint)
      return
    }
    switch kind {
    case .deferred: try execute("BEGIN DEFERRED")
    case .immediate: try execute("BEGIN IMMEDIATE")
    case .exclusive: try execute("BEGIN EXCLUSIVE")
    }
    transactionLevels.append(.transaction)
  }

  package func commitTransaction() throws(SQLiteError) {
    try checkTransaction()
    switch transactionLevels.last {
    case .transaction?: try execute("COMMIT")
    case .savepoint?: try execute("RELEASE \(identifier: savepointName)")
    case nil: throw SQLiteError(.misuse, "there is no transaction to commit")
    }
    transactionLevels.removeLast()
  }

  /// Undoes all changes since the last transaction or savepoint began, unless SQLite has done so.
  private func rollBackTransaction() {
    // A connection that was closed in between has no levels.
    guard let level = transactionLevels.popLast(), (try? isInTransaction) == true else { return }
    do throws(SQLiteError) {
      try ignoringCancellation { () throws(SQLiteError) in
        switch level {
        case .transaction: try execute("ROLLBACK")
        case .savepoint:
          try execute("ROLLBACK TO \(identifier: savepointName)")
          try execute("RELEASE \(identifier: savepointName)")
        }
      }
    } catch {
      // The caller needs the original error. Nothing runs under an unfinished interrupted
      // statement; if kept, the transaction would swallow later changes.
      needsRollback = (try? isInTransaction) == true
    }
  }

  /// Throws if a transaction of this library is over, as SQLite ends one on its own after a full
  /// disk: later changes would be kept although the earlier ones are lost.
  func checkTransaction(before sql: @autoclosure () -> String? = nil) throws(SQLiteError) {
    if needsRollback { try retryRollback() }
    guard try !isInTransaction, !transactionLevels.isEmpty else { return }
    throw SQLiteError(
      .abortRollback, "the transaction has already ended; no further statement runs in it",
      sql: sql())
  }

  package func retryRollback() throws(SQLiteError) {
    // The rollback is checked like any other statement.
    needsRollback = false
    guard try isInTransaction else { return }
    do throws(SQLiteError) {
      try ignoringCancellation { () throws(SQLiteError) in try execute("ROLLBACK") }
    } catch {
      needsRollback = true
      throw error
    }
  }
}
