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
  ) async throws -> Value {
    try await readers.run(.deferred, body)
  }

  /// Runs `body` on the connection that writes, in a transaction: all of its changes are committed,
  /// or none if it throws.
  ///
  /// - Throws: The error of `body`, or `SQLiteError`.
  public func write<Value: Sendable>(
    _ body: @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    try await writer.run(.immediate, body)
  }

  /// Runs `body` on the connection that writes, without a transaction, for work that cannot run in
  /// one: migrations, `VACUUM`, pragmas.
  ///
  /// Each statement is then a transaction of its own, unless `body` begins one.
  ///
  /// - Throws: The error of `body`, or `SQLiteError`.
  public func writeWithoutTransaction<Value: Sendable>(
    _ body: @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    try await writer.run(nil, body)
  }

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
