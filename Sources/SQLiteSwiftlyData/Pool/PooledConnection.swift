import Dispatch
import SQLiteSwiftly

/// A connection of a pool, whose work runs on a thread of its own.
///
/// The threads of tasks are never blocked: there is one for each core, and work that waits for a
/// lock or the disk would keep all other tasks from running.
actor PooledConnection {
  private let executor = QueueExecutor()
  private let open: @Sendable () throws(SQLiteError) -> Connection
  /// Nil after work that changed it; then the next work opens another one.
  private var connection: Connection?

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  /// The statements that a connection keeps compiled; an application has fewer.
  private static let keptStatements = 128

  /// Takes over a connection, after which `open` opens others like it.
  init(
    _ connection: sending Connection,
    opening open: @escaping @Sendable () throws(SQLiteError) -> Connection
  ) {
    connection.joinPool(keeping: Self.keptStatements)
    self.connection = connection
    self.open = open
  }

  /// Runs `body`, in a transaction if it has a kind; the cancellation of the task interrupts it.
  func run<Value: Sendable>(
    _ transaction: TransactionKind?, _ body: (Connection) throws -> Value
  ) throws -> Value {
    let connection = try usable()
    defer { if connection.hasChanged { discard(connection) } }
    return try connection.lend {
      try connection.interruptingOnCancellation {
        if let transaction {
          return try connection.transaction(transaction) { try body(connection) }
        }
        let result = Result { try body(connection) }
        let wasOpen = Result { () throws(SQLiteError) in try Self.endTransaction(on: connection) }
        // The error of the work comes first: it may be why a transaction is open.
        let value = try result.get()
        if try wasOpen.get() {
          throw SQLiteError(
            .misuse, "the work began a transaction without ending it; it was rolled back")
        }
        return value
      }
    }
  }

  /// Runs `body` as above, and reports the tables that it may have changed, once they are committed.
  func write<Value: Sendable>(
    _ transaction: TransactionKind?, reportingTo hub: ChangeHub,
    _ body: @Sendable (Connection) throws -> Value
  ) throws -> Value {
    let used = hub.isObserved ? UsedTables() : nil
    let result = Result {
      try run(transaction) { connection in
        guard let used else { return try body(connection) }
        return try used.record(on: connection) { try body(connection) }
      }
    }
    // Nothing remains of a transaction that failed. A consumer may have come during the work.
    if (try? result.get()) != nil || transaction == nil, hub.isObserved {
      hub.report(used?.changed)
    }
    return try result.get()
  }

  /// Runs `body` as a read.
  ///
  /// - Returns: Its result, and the tables that it read; nil for any.
  func readRecording<Value: Sendable>(
    _ body: @Sendable (Connection) throws -> Value
  ) throws -> (Value, Set<String>?) {
    let used = UsedTables()
    let value = try run(.deferred) { connection in
      try used.record(on: connection) { try body(connection) }
    }
    return (value, used.read)
  }

  private func usable() throws(SQLiteError) -> Connection {
    if let connection { return connection }
    let new = try open()
    new.joinPool(keeping: Self.keptStatements)
    connection = new
    return new
  }

  /// A decoder that the work has kept keeps the connection open, which nothing else uses any longer.
  private func discard(_ connection: Connection) {
    try? connection.leavePool()
    self.connection = nil
  }

  /// Rolls back a transaction that the work began, of which later work must not become a part.
  ///
  /// - Returns: Whether there was one.
  private static func endTransaction(on connection: Connection) throws(SQLiteError) -> Bool {
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

  /// Opened again if necessary: the last connection that is closed removes the log.
  func close() throws(SQLiteError) { try usable().leavePool() }
}

/// Runs the jobs of an actor one after the other, each on a thread that is not one of the tasks'.
private final class QueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "SQLiteSwiftlyData.ConnectionPool")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
