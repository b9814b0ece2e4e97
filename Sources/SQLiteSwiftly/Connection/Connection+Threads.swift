import Glibc
import Synchronization

// Two threads at once would damage memory: SQLite is opened without its mutex, and the compiler cannot detect every
// closure that leaves a thread. A call costs one atomic exchange, and calls within it a comparison.
extension Connection {
  /// Begins a call, during which calls of other threads are refused.
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

  /// Begins a call that cannot be refused, once that of another thread has ended.
  func beginCallLater() -> Bool {
    while true {
      if let isOutermost = try? beginCall() { return isOutermost }
      sched_yield()
    }
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
    let isOutermost = beginCallLater()
    occupation = nil
    defer {
      if !isKnownUniquelyReferenced(&interrupter) { replaceInterrupter() }
      occupation = .pool
      endCall(isOutermost)
    }
    return try body()
  }

  /// What has kept the interrupter must not stop other work.
  private func replaceInterrupter() {
    guard let handle = try? unsafe openHandle() else { return }
    unsafe interrupter.attach(nil)
    interrupter = Interrupter()
    unsafe interrupter.attach(handle)
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
