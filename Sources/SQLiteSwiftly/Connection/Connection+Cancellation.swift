import CSQLite

extension Connection {
  /// Runs `body`, whose statements stop when the current task is cancelled.
  ///
  ///     let count = try connection.interruptingOnCancellation { () throws(SQLiteError) in
  ///       try connection.value(of: "SELECT count(*) FROM parts")
  ///     }
  ///
  /// From the cancellation on, whether it came before `body`, during one of its statements or between
  /// two, they fail with `interrupted`; only `ROLLBACK` still runs, so that a transaction is undone. A
  /// statement outside a transaction may still have taken full effect if the cancellation came at its
  /// very end. When the last statement is done, so is `body`, and its result is returned. A wait for
  /// another connection's lock goes on until its time is out.
  ///
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  /// - Complexity: One look at the task for each statement, and for each thousand steps of SQLite's
  ///   machine (<https://www.sqlite.org/c3ref/progress_handler.html>).
  public func interruptingOnCancellation<Result>(
    _ body: () throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    guard !stopsOnCancellation else { return try body() }
    // SQLite calls it on the thread that runs the statement, and so within the task.
    unsafe sqlite3_progress_handler(
      try openHandle(), 1000, { _ in Task.isCancelled ? 1 : 0 }, nil)
    stopsOnCancellation = true
    defer {
      stopsOnCancellation = false
      // The body may have closed the connection.
      if let handle = try? unsafe openHandle() {
        unsafe sqlite3_progress_handler(handle, 0, nil, nil)
      }
    }
    try checkCancellation(before: nil)
    return try body()
  }

  /// Runs `body`, which cleans up, whether or not the current task is cancelled.
  func ignoringCancellation(_ body: () throws(SQLiteError) -> Void) throws(SQLiteError) {
    let stops = stopsOnCancellation
    stopsOnCancellation = false
    defer { stopsOnCancellation = stops }
    try body()
  }

  /// Throws if the current task is cancelled and its statements are to stop then; to be called before
  /// each run of one, since SQLite itself looks only into those that take long.
  func checkCancellation(before sql: @autoclosure () -> String?) throws(SQLiteError) {
    guard stopsOnCancellation, Task.isCancelled else { return }
    let sql = sql()
    guard sql?.prefix(8).uppercased() != "ROLLBACK" else { return }
    throw SQLiteError(.interrupted, "The task was cancelled", sql: sql)
  }
}
