/// When a transaction takes its locks (<https://www.sqlite.org/lang_transaction.html>).
///
/// ```swift
/// let counts = try connection.transaction(.deferred) {
///   let all = try connection.value(of: "SELECT count(*) FROM parts")
///   let named = try connection.value(of: "SELECT count(name) FROM parts")
///   return (all, named)
/// }
/// ```
public enum TransactionKind: Sendable {
  /// The read lock at the first read, and the write lock at the first write, which may fail then.
  case deferred
  /// The write lock at once, so that the transaction cannot fail half way for lack of it.
  case immediate
  /// As `immediate`, and unless the journal is a write-ahead log nobody else can read meanwhile.
  case exclusive
}

/// The name of all savepoints of this library, which no savepoint of a caller's own should have.
///
/// SQLite takes the innermost savepoint of a name, so that one name is enough for all levels.
private let savepointName = "SQLiteSwiftly.transaction"

extension Connection {
  /// Runs `body` in a transaction: all that it changes is kept, or nothing when it throws.
  ///
  /// Inside another transaction it is a savepoint of that one, which has its locks already: what an
  /// inner one that threw has changed is undone, and the outer one can go on. When SQLite rolls back
  /// by itself, as after a full disk, or `body` ends the transaction by SQL of its own, everything
  /// in the rest of it fails with `abort`. A commit that fails is rolled back.
  ///
  /// ```swift
  /// try connection.transaction {
  ///   try connection.execute("UPDATE stock SET bricks = bricks - \(bricks) WHERE place = 'store'")
  ///   try connection.execute("UPDATE stock SET bricks = bricks + \(bricks) WHERE place = 'shop'")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - kind: when the locks are taken.
  ///   - body: what is done.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` threw, or the error of beginning or committing. An error of the rollback
  ///   never hides it; one that fails, as under a cursor that was interrupted, is done before anything
  ///   else is.
  public func transaction<Result>(
    _ kind: TransactionKind = .immediate, _ body: () throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    try transaction(kind, body, failure: { $0 })
  }

  /// Runs `body`, which may throw errors of its own, in a transaction, as above.
  ///
  /// ```swift
  /// try connection.transaction {
  ///   try connection.execute("DELETE FROM parts WHERE part_num GLOB \(pattern)")
  ///   let count = try connection.changes
  ///   guard count <= 2 else { throw TooMany(count: count) }
  /// }
  /// ```
  @_disfavoredOverload
  public func transaction<Result>(
    _ kind: TransactionKind = .immediate, _ body: () throws -> Result
  ) throws -> Result {
    try transaction(kind, body, failure: { $0 as any Error })
  }

  /// Runs `body` in a transaction as above; `failure` makes an error of `body`'s kind of one of SQLite's.
  package func transaction<Result, Failure: Error>(
    _ kind: TransactionKind, _ body: () throws(Failure) -> Result,
    failure: (SQLiteError) -> Failure
  ) throws(Failure) -> Result {
    do throws(SQLiteError) { try beginTransaction(kind) } catch { throw failure(error) }
    let result: Result
    do throws(Failure) {
      result = try body()
    } catch {
      rollBackTransaction()
      throw error
    }
    do throws(SQLiteError) {
      try commitTransaction()
    } catch {
      rollBackTransaction()
      throw failure(error)
    }
    return result
  }

  /// Begins a transaction, or a savepoint inside one, that a later call ends; for work that cannot be
  /// one closure.
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
    case nil: throw SQLiteError(.misuse, "There is no transaction to commit")
    }
    transactionLevels.removeLast()
  }

  /// Undoes what was done since the transaction or savepoint was begun last, unless SQLite has.
  private func rollBackTransaction() {
    // A connection that was closed meanwhile has no levels any more.
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
      // The caller needs the error that led here. Under a statement that was interrupted and is not at
      // its end, nothing runs; left as it is, the transaction would swallow what comes after.
      owesRollback = (try? isInTransaction) == true
    }
  }

  /// Throws if a transaction of this library's is over, as SQLite may end one by itself after a full
  /// disk: what comes after would be kept, although what came before is lost.
  func checkTransaction() throws(SQLiteError) {
    if owesRollback { try rollBackAtLast() }
    guard try !isInTransaction, !transactionLevels.isEmpty else { return }
    throw SQLiteError(
      .abortRollback, "The transaction has ended already, and nothing more is done in it")
  }

  /// Rolls back the transaction that could not be rolled back before.
  private func rollBackAtLast() throws(SQLiteError) {
    // The rollback is checked like any other statement.
    owesRollback = false
    guard try isInTransaction else { return }
    do throws(SQLiteError) {
      try ignoringCancellation { () throws(SQLiteError) in try execute("ROLLBACK") }
    } catch {
      owesRollback = true
      throw error
    }
  }
}
