import CSQLite

extension Connection {
  /// Runs `body` and stops its statements when the current task is canceled.
  ///
  ///     let count = try connection.interruptingOnCancellation { () throws(SQLiteError) in
  ///       try connection.value(of: "SELECT count(*) FROM parts")
  ///     }
  ///
  /// After a cancellation, whether it came before `body`, during a statement or between two,
  /// statements fail with `interrupted`. Only `ROLLBACK` still runs, so that a transaction can be
  /// undone. A statement outside a transaction may have taken full effect if the cancellation came
  /// at its very end. A cancellation after the last statement has no effect: the result of `body`
  /// is returned. A wait for another connection's lock continues until its timeout.
  ///
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`.
  /// - Complexity: One check of the task for each statement, and for each thousand steps of
  ///   SQLite's virtual machine (<https://www.sqlite.org/c3ref/progress_handler.html>).
  public func interruptingOnCancellation<Result>(
    _ body: () throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    guard !stopsOnCancellation else { return try body() }
    // SQLite calls the handler on the thread of the statement, and so within the task.
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

  /// Runs `body`, for cleaning up, even if the current task is canceled.
  func ignoringCancellation(_ body: () throws(SQLiteError) -> Void) throws(SQLiteError) {
    let stops = stopsOnCancellation
    stopsOnCancellation = false
    defer { stopsOnCancellation = stops }
    try body()
  }

  /// Throws if the current task is canceled and its statements must stop.
  ///
  /// Call it before each run of a statement: SQLite itself checks only statements that take long.
  func checkCancellation(before sql: @autoclosure () -> String?) throws(SQLiteError) {
    guard stopsOnCancellation, Task.isCancelled else { return }
    let sql = sql()
    guard sql?.prefix(8).uppercased() != "ROLLBACK" else { return }
    throw SQLiteError(.interrupted, "the task was canceled", sql: sql)
  }
}
