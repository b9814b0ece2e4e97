import Dispatch
import SQLiteSwiftly

/// A connection of a pool, whose work runs on a thread of its own.
///
/// The threads of tasks are never blocked: there is one for each core, and work that waits for a
/// lock or the disk would keep all other tasks from running.
actor PooledConnection {
  private let executor = QueueExecutor()
  private let connection: Connection

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  /// The statements that a connection keeps compiled; an application has fewer.
  private static let keptStatements = 128

  init(
    _ path: String, opening: Connection.Opening, busyTimeout: Duration,
    configuring: @Sendable (Connection) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    connection = try Connection(path, opening: opening, busyTimeout: busyTimeout)
    connection.keepStatements(Self.keptStatements)
    try configuring(connection)
    connection.isLent = true
  }

  /// Runs `body`, in a transaction if it has a kind; the cancellation of the task interrupts it.
  func run<Value: Sendable>(
    _ transaction: TransactionKind?, _ body: @Sendable (Connection) throws -> Value
  ) throws -> Value {
    try connection.interruptingOnCancellation {
      if let transaction {
        return try connection.transaction(transaction) { try body(connection) }
      }
      let result = Result { try body(connection) }
      let wasOpen = Result { () throws(SQLiteError) in try endTransaction() }
      // The error of the work comes first: it may be why a transaction is open.
      let value = try result.get()
      if try wasOpen.get() {
        throw SQLiteError(
          .misuse, "the work began a transaction without ending it; it was rolled back")
      }
      return value
    }
  }

  /// Rolls back a transaction that the work began, of which later work must not become a part.
  ///
  /// - Returns: Whether there was one.
  private func endTransaction() throws(SQLiteError) -> Bool {
    guard try connection.isInTransaction else { return false }
    try connection.ignoringCancellation { () throws(SQLiteError) in
      if connection.needsRollback {
        try connection.retryRollback()
      } else {
        try connection.execute("ROLLBACK")
      }
    }
    return true
  }

  func close() throws(SQLiteError) {
    connection.isLent = false
    defer { connection.isLent = true }
    try connection.close()
  }
}

/// Runs the jobs of an actor one after the other, each on a thread that is not one of the tasks'.
private final class QueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "SQLiteSwiftlyData.ConnectionPool")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
