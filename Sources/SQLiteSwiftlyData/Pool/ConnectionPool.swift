public import SQLiteSwiftly
import Synchronization

/// Connections to one database file for `async` code: one that writes, and several that read.
///
/// Their work runs on threads of their own, so that waiting for a lock or the disk blocks no task.
/// The journal is a write-ahead log (<https://www.sqlite.org/wal.html>): reads and a write do not
/// wait for each other. Tasks wait for a free connection in the order of their priorities, and among
/// those of one priority in the order in which they ask.
///
/// ```swift
/// let pool = try ConnectionPool(path, opening: .openOrCreate, readers: 4)
/// try await pool.write { connection in
///   try connection.execute("INSERT INTO parts VALUES (\(number), \(name))")
/// }
/// let count = try await pool.read { connection in
///   try connection.first("SELECT count(*) FROM parts", as: Int.self)
/// }
/// ```
///
/// Closures are synchronous, and a connection that leaves them refuses all calls. Each connection
/// caches its compiled statements. It is lent as it was opened: after work that sets a property of
/// it, or runs a `PRAGMA` with a value, `ATTACH`, `DETACH` or `CREATE`, it is opened again.
///
/// The log becomes part of the file when no reader needs it. While reads overlap without a pause,
/// it only grows; ``checkpoint(_:)`` waits for them.
///
/// The cancellation of a task interrupts its statement or ends its wait for a connection, with the code `interrupted`;
/// a transaction is rolled back. A wait for another process's lock continues until its timeout.
public final class ConnectionPool: Sendable {
  private let readers: ConnectionQueue
  private let writer: ConnectionQueue
  let changes = ChangeHub()

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
  public convenience init(
    _ path: String, opening: Connection.Opening, readers: Int = 4,
    busyTimeout: Duration = .seconds(5),
    configuring: @escaping @Sendable (Connection) throws(SQLiteError) -> Void = { _ in }
  ) throws(SQLiteError) {
    try self.init(readers: readers) { isWriter, isFirst throws(SQLiteError) in
      let opening =
        !isWriter ? .readOnly : isFirst || opening == .readOnly ? opening : .openExisting
      let connection = try Connection(path, opening: opening, busyTimeout: busyTimeout)
      if opening != .readOnly { try Self.useLog(connection, path) }
      try configuring(connection)
      return connection
    }
  }

  /// Creates a database in memory that lasts as long as the pool, such as for tests.
  ///
  /// It has no log: reads and a write wait for each other. Files cannot be attached to it.
  ///
  /// - Throws: `SQLiteError` of `configuring`, or with `misuse` for no readers.
  public static func inMemory(
    readers: Int = 4, busyTimeout: Duration = .seconds(5),
    configuring: @escaping @Sendable (Connection) throws(SQLiteError) -> Void = { _ in }
  ) throws(SQLiteError) -> ConnectionPool {
    let number = databasesInMemory.add(1, ordering: .relaxed).newValue
    let open: @Sendable () throws(SQLiteError) -> Connection = { () throws(SQLiteError) in
      try Connection(inSharedMemory: "SQLiteSwiftlyData.\(number)", busyTimeout: busyTimeout)
    }
    // The database ends with its last connection, and all of the pool may be opened again at once.
    let keeper = PooledConnection(try open(), opening: open)
    return try ConnectionPool(readers: readers) { isWriter, _ throws(SQLiteError) in
      let connection = try withExtendedLifetime(keeper) { () throws(SQLiteError) in try open() }
      try configuring(connection)
      if !isWriter { try connection.execute("PRAGMA query_only = ON") }
      return connection
    }
  }

  private static let databasesInMemory = Atomic(0)

  private init(
    readers: Int,
    opening open:
      @escaping @Sendable (_ isWriter: Bool, _ isFirst: Bool) throws(SQLiteError) -> Connection
  ) throws(SQLiteError) {
    guard readers > 0 else {
      throw SQLiteError(.misuse, "a pool needs at least 1 reader, found \(readers)")
    }
    func pooled(isWriter: Bool) throws(SQLiteError) -> PooledConnection {
      PooledConnection(try open(isWriter, true)) { () throws(SQLiteError) in
        try open(isWriter, false)
      }
    }
    // The writer creates the file.
    writer = ConnectionQueue([try pooled(isWriter: true)])
    var others: [PooledConnection] = []
    for _ in 0..<readers { others.append(try pooled(isWriter: false)) }
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
    try await readers.run { try await $0.run(.deferred, body) }
  }

  /// Whether the task runs a closure of this pool.
  var isLending: Bool { readers.isLending || writer.isLending }

  /// Runs `body` as a read.
  ///
  /// - Returns: Its result, and the tables that it read; nil if it prevented their recording.
  func readRecording<Value: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws -> (Value, Set<String>?) {
    try await readers.run { try await $0.readRecording(body) }
  }

  /// Runs `body` on the connection that writes, in a transaction, of which nothing remains if it throws.
  ///
  /// - Throws: The error of `body`, or `SQLiteError`.
  @discardableResult
  public func write<Value: Sendable>(
    _ body: @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    try await writer.run { try await $0.write(.immediate, reportingTo: self.changes, body) }
  }

  /// Runs `body` on the connection that writes, without a transaction, for work that cannot run in
  /// one: migrations, `VACUUM`, pragmas.
  ///
  /// Each statement is then a transaction of its own, unless `body` begins one.
  ///
  /// - Throws: The error of `body`, or `SQLiteError`.
  @discardableResult
  public func writeWithoutTransaction<Value: Sendable>(
    _ body: @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    try await writer.run { try await $0.write(nil, reportingTo: self.changes, body) }
  }

  /// Observes the changes of tables by later writes of this pool, not by other connections.
  ///
  /// A table counts as changed if a statement was compiled that changes it, whether or not there are such rows, and
  /// so do tables that triggers and foreign keys change. All count after a change of the schema. While there are
  /// consumers, the writer compiles each statement again.
  ///
  /// - Parameter tables: the tables to observe, whatever the case of their ASCII letters; nil for all.
  /// - Returns: A sequence that ends when the pool is closed.
  public func changes(of tables: Set<String>? = nil) -> TableChanges {
    let subscription = changes.subscribe()
    subscription.watch(tables)
    return TableChanges(subscription: subscription)
  }

  /// Runs a query, and again after each write of this pool to a table that it has read.
  ///
  /// ```swift
  /// for try await names in pool.observe({ connection in
  ///   try connection.query("SELECT name FROM parts ORDER BY name", as: String.self)
  /// }) {
  ///   show(names)
  /// }
  /// ```
  ///
  /// The query runs as a ``read(_:)``. Its tables are those of its statements, including those of views. Each run
  /// compiles them again.
  public func observe<Value: Sendable>(
    _ query: @escaping @Sendable (Connection) throws -> Value
  ) -> ObservedQuery<Value> { ObservedQuery(pool: self, query: query) }

  /// Makes the write-ahead log part of the file (<https://www.sqlite.org/pragma.html#pragma_wal_checkpoint>).
  ///
  /// SQLite does so on its own after about 1,000 pages, but only up to what running reads need.
  ///
  /// - Returns: Whether all of it became part of the file; false if a read or another process still needed it.
  /// - Throws: `SQLiteError`.
  public func checkpoint(_ mode: CheckpointMode = .truncate) async throws -> Bool {
    try await writeWithoutTransaction { connection in try connection.checkpoint(mode) }
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
    defer { changes.close() }
    _ = writer.refuseTasks()
    var failure: (any Error)?
    for queue in [readers, writer] {
      do { try await queue.close() } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }
}
