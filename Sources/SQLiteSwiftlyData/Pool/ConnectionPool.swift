import Dispatch
public import SQLiteSwiftly

/// Connections to one database file for `async` code: one that writes, and several that read.
///
/// Their work runs on threads of their own, so that waiting for a lock or the disk blocks no task.
/// The journal is a write-ahead log (<https://www.sqlite.org/wal.html>): reads and a write do not
/// wait for each other. Tasks wait for a free connection in the order in which they ask.
///
/// ```swift
/// let pool = try ConnectionPool(path, readers: 4)
/// try await pool.write { connection in
///   try connection.execute("INSERT INTO parts VALUES (\(number), \(name))")
/// }
/// let count = try await pool.read { connection in
///   try connection.first("SELECT count(*) FROM parts", as: Int.self)
/// }
/// ```
///
/// Closures are synchronous, and their connection cannot leave them: results are `Sendable`. Each
/// connection caches the compiled statements of its queries.
///
/// The cancellation of a task interrupts its statement or ends its wait for a connection, with the code `interrupted`;
/// a transaction is rolled back. A wait for another process's lock continues until its timeout.
public final class ConnectionPool: Sendable {
  private let readers: ConnectionQueue
  private let writer: ConnectionQueue

  /// Opens the connections, and turns on the write-ahead log unless the file is opened for reading only.
  ///
  /// It blocks until all are open, so call it at the start of a program.
  ///
  /// - Parameters:
  ///   - path: the database file.
  ///   - opening: its expected state, for the writer.
  ///   - readers: the number of connections that read, at least 1.
  ///   - busyTimeout: the time that a statement waits for the lock of another process.
  ///   - configuring: called with each new connection, for its settings, such as foreign keys.
  /// - Throws: `SQLiteError` of opening, as for a connection; with `misuse` for no readers, and with
  ///   `cannotOpen` if the file cannot have a write-ahead log, as on some network file systems.
  public init(
    _ path: String, opening: Connection.Opening = .openOrCreate, readers: Int = 4,
    busyTimeout: Duration = .seconds(5),
    configuring: @Sendable (Connection) throws(SQLiteError) -> Void = { _ in }
  ) throws(SQLiteError) {
    guard readers > 0 else {
      throw SQLiteError(.misuse, "a pool needs at least 1 reader, found \(readers)")
    }
    let first = try PooledConnection(path, opening: opening, busyTimeout: busyTimeout) {
      connection throws(SQLiteError) in
      if opening != .readOnly { try Self.useLog(connection, path) }
      try configuring(connection)
    }
    var others: [PooledConnection] = []
    for _ in 0..<readers {
      others.append(
        try PooledConnection(
          path, opening: .readOnly, busyTimeout: busyTimeout, configuring: configuring))
    }
    writer = ConnectionQueue([first])
    self.readers = ConnectionQueue(others)
  }

  private static func useLog(
    _ connection: Connection, _ path: String
  ) throws(SQLiteError) {
    let mode = try connection.value(of: "PRAGMA journal_mode = wal")?.textValue ?? "no"
    guard mode == "wal" else {
      throw SQLiteError(
        .cannotOpen, "\(path): a pool needs a write-ahead log, but the journal mode is \(mode)")
    }
  }

  /// Runs `body` on a connection that reads; all of its statements see the same state, that of its first one.
  ///
  /// It sees everything that was written before it began.
  ///
  /// - Throws: The error of `body`, or `SQLiteError`; with `readOnly` for a statement that writes.
  public func read<Value: Sendable>(
    _ body: @Sendable (Connection) throws -> Value
  ) async throws -> Value { try await readers.run(.deferred, body) }

  /// Runs `body` on the connection that writes, in a transaction, of which nothing remains if it throws.
  ///
  /// - Throws: The error of `body`, or `SQLiteError`.
  public func write<Value: Sendable>(
    _ body: @Sendable (Connection) throws -> Value
  ) async throws -> Value { try await writer.run(.immediate, body) }

  /// Runs `body` on the connection that writes, without a transaction, for work that cannot run in
  /// one: migrations, `VACUUM`, pragmas.
  ///
  /// Each statement is then a transaction of its own, unless `body` begins one.
  ///
  /// - Throws: The error of `body`, or `SQLiteError`.
  public func writeWithoutTransaction<Value: Sendable>(
    _ body: @Sendable (Connection) throws -> Value
  ) async throws -> Value { try await writer.run(nil, body) }

  /// Closes the connections, once the tasks that have one or wait for one have ended; later calls fail with `misuse`.
  ///
  /// The writer is the last to close, and removes the log. A pool that nothing refers to closes its
  /// connections as well, but may leave the log, which belongs to the database.
  ///
  /// - Throws: `SQLiteError` with `busy` if a closure has kept a row's decoder; the connection stays
  ///   open with it, and all others are closed.
  public func close() async throws {
    guard readers.refuseTasks() else { return }
    _ = writer.refuseTasks()
    var failure: (any Error)?
    for queue in [readers, writer] {
      do { try await queue.close() } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }
}

/// Connections that are lent to one task at a time, in the order in which tasks ask.
final class ConnectionQueue: Sendable {
  private struct State {
    var idle: [PooledConnection]
    var isClosed = false
    /// The tasks that wait, by number; those that were canceled are missing.
    var waiting: [Int: CheckedContinuation<PooledConnection, any Error>] = [:]
    /// Their numbers in the order in which they came, and how many of these have been served.
    var order: [Int] = []
    var served = 0
    var nextNumber = 0

    mutating func wait(
      _ number: Int, _ continuation: CheckedContinuation<PooledConnection, any Error>
    ) {
      waiting[number] = continuation
      order.append(number)
    }

    mutating func next() -> CheckedContinuation<PooledConnection, any Error>? {
      while served < order.count {
        let number = order[served]
        served += 1
        if served > 1000, served * 2 > order.count {
          order.removeFirst(served)
          served = 0
        }
        if let next = waiting.removeValue(forKey: number) { return next }
      }
      return nil
    }
  }

  private let count: Int
  private let state: LockedState<State>

  init(_ connections: [PooledConnection]) {
    count = connections.count
    state = LockedState(State(idle: connections))
  }

  /// Runs `body` on a connection, once one is free.
  func run<Value: Sendable>(
    _ transaction: TransactionKind?, _ body: @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    let connection = try await take()
    defer {
      let next = state.withLock { state in
        let next = state.next()
        if next == nil { state.idle.append(connection) }
        return next
      }
      next?.resume(returning: connection)
    }
    return try await connection.run(transaction, body)
  }

  /// Refuses later tasks.
  ///
  /// - Returns: Whether this call was the first.
  func refuseTasks() -> Bool { state.withLock { !exchange(&$0.isClosed, with: true) } }

  /// Closes all connections, each once its task and those that wait already have ended; throws the
  /// first error once all have been tried.
  func close() async throws {
    // The cancellation of the task that closes must not leave connections open.
    try await Task {
      var failure: (any Error)?
      for _ in 0..<count {
        do { try await take(forClosing: true).close() } catch { failure = failure ?? error }
      }
      if let failure { throw failure }
    }.value
  }

  private func take(forClosing: Bool = false) async throws -> PooledConnection {
    let number = state.withLock { state in
      defer { state.nextNumber += 1 }
      return state.nextNumber
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result: Result<PooledConnection, any Error>? = state.withLock { state in
          // If the cancellation comes later, its handler finds the continuation.
          if Task.isCancelled { return .failure(Self.canceled) }
          if state.isClosed, !forClosing { return .failure(Self.closed) }
          if let connection = state.idle.popLast() { return .success(connection) }
          state.wait(number, continuation)
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      let waiting = state.withLock { $0.waiting.removeValue(forKey: number) }
      waiting?.resume(throwing: Self.canceled)
    }
  }

  private static let canceled = SQLiteError(.interrupted, "the task was canceled")
  private static let closed = SQLiteError(.misuse, "the pool is closed")
}

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
      if let transaction { return try connection.transaction(transaction) { try body(connection) } }
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
