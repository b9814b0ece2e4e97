import Glibc
import Synchronization

/// A call on a connection, during which calls of other threads are refused.
///
/// Two threads at once would damage memory: SQLite is opened without its mutex, and the compiler cannot detect every
/// closure that leaves a thread. It costs one atomic exchange, and calls within a call a comparison.
@safe struct Call: ~Copyable {
  private let connection: Connection
  private let isOutermost: Bool

  init(on connection: Connection) throws(SQLiteError) {
    isOutermost = try connection.beginCall()
    self.connection = connection
  }

  deinit { connection.endCall(isOutermost) }
}

extension Connection {
  /// Begins a call without a value to hold, where one would cost more than the rest.
  ///
  /// - Returns: Whether it is within no other call; `endCall` must get it.
  @usableFromInline
  func beginCall() throws(SQLiteError) -> Bool {
    let thread = UInt(pthread_self())
    if callingThread.load(ordering: .relaxed) == thread { return false }
    let (isFree, _) = callingThread.compareExchange(
      expected: 0, desired: thread, ordering: .acquiringAndReleasing)
    guard isFree else {
      throw SQLiteError(
        .misuse,
        "another thread is using the connection; use it from one thread at a time, or use a pool")
    }
    return true
  }

  @usableFromInline
  func endCall(_ isOutermost: Bool) {
    if isOutermost { callingThread.store(0, ordering: .releasing) }
  }

  /// Makes it a connection of a pool, which refuses all calls but those of the work that it is lent to.
  ///
  /// - Parameter statements: the number of compiled statements to keep, those used last.
  package func joinPool(keeping statements: Int) {
    statementCache = StatementCache(limit: statements)
    isPooled = true
    hasChanged = false
    occupation = .pool
  }

  /// Runs the work of a task on a connection of a pool.
  package func lend<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // A connection that has left its task is refused soon.
    while (try? beginCall()) == nil { sched_yield() }
    occupation = nil
    defer {
      occupation = .pool
      endCall(true)
    }
    return try body()
  }

  /// Closes a connection of a pool.
  package func leavePool() throws(SQLiteError) {
    try lend { () throws(SQLiteError) in
      isPooled = false
      defer { isPooled = true }
      try close()
    }
  }
}
