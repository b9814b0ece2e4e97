import CSQLite
import Glibc
import Text

/// Stops the work of a connection from any thread.
///
/// It may outlive the connection, and then has no effect.
///
/// ```swift
/// let interrupter = connection.interrupter
/// let deadline = Task.detached {
///   try await Task.sleep(for: .seconds(10))
///   interrupter.interrupt()
/// }
/// defer { deadline.cancel() }
/// let count = try connection.value(of: "SELECT count(*) FROM parts, parts, parts")
/// ```
@safe public final class Interrupter: Sendable {
  // SQLite forbids an interrupt once the connection is closed.
  private let handle = unsafe LockedState<OpaquePointer?>(nil)

  init() {}

  /// Makes the running statements fail with `interrupted` soon; has no effect if there are none.
  ///
  /// An interrupted statement changes nothing; if it writes within a transaction, SQLite rolls the transaction back.
  /// Statements that begin before an interrupted one has finished fail as well
  /// (<https://www.sqlite.org/c3ref/interrupt.html>). Waits for locks and backups continue. Never blocks.
  public func interrupt() {
    unsafe handle.withLock { handle in
      if let handle = unsafe handle { unsafe sqlite3_interrupt(handle) }
    }
  }

  /// Call it with nil before the handle is closed.
  func attach(_ handle: OpaquePointer?) { unsafe self.handle.withLock { unsafe $0 = handle } }
}

extension Connection {
  /// Runs `body` and stops its statements when the current task is canceled.
  ///
  ///     let count = try connection.interruptingOnCancellation { () throws(SQLiteError) in
  ///       try connection.value(of: "SELECT count(*) FROM parts")
  ///     }
  ///
  /// After a cancellation, whether it came before `body`, during a statement or between two, statements fail with
  /// `interrupted`. Only `ROLLBACK` still runs, so that a transaction can be undone. A statement outside a transaction
  /// may have taken full effect if the cancellation came at its very end. A cancellation after the last statement has
  /// no effect: the result of `body` is returned. A wait for another connection's lock continues until its timeout.
  ///
  /// - Complexity: One check of the task for each statement, and for each thousand steps of
  ///   SQLite's virtual machine (<https://www.sqlite.org/c3ref/progress_handler.html>).
  public func interruptingOnCancellation<Result>(
    _ body: () throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result { try interruptingOnCancellation(body, failure: { $0 }) }

  /// Runs `body`, which may throw its own errors, as above.
  @_disfavoredOverload
  public func interruptingOnCancellation<Result>(_ body: () throws -> Result) throws -> Result {
    try interruptingOnCancellation(body, failure: { $0 as any Error })
  }

  private func interruptingOnCancellation<Result, Failure>(
    _ body: () throws(Failure) -> Result, failure: (SQLiteError) -> Failure
  ) throws(Failure) -> Result {
    guard !stopsOnCancellation else { return try body() }
    stopsOnCancellation = true
    defer { stopsOnCancellation = false }
    let handle = try unsafe mapError(openHandle(), as: failure)
    try mapError(checkCancellation(before: nil), as: failure)
    // SQLite calls the handler on the thread of the statement, and so within the task.
    return try unsafe handlingProgress(of: handle, { _ in Task.isCancelled ? 1 : 0 }, nil, body)
  }

  /// Runs `body`; its statements fail with `interrupted` if the handler, which is called every
  /// thousand steps of SQLite's virtual machine, does not return 0.
  @unsafe func handlingProgress<Result, Failure>(
    of handle: OpaquePointer, _ handler: @convention(c) (UnsafeMutableRawPointer?) -> Int32,
    _ context: UnsafeMutableRawPointer?, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe sqlite3_progress_handler(handle, 1000, handler, context)
    defer {
      // The body may have closed the connection.
      if let handle = try? unsafe openHandle() {
        unsafe sqlite3_progress_handler(handle, 0, nil, nil)
      }
    }
    return try body()
  }

  /// Runs `body`, for cleaning up, even if the current task is canceled.
  package func ignoringCancellation(_ body: () throws(SQLiteError) -> Void) throws(SQLiteError) {
    let stops = stopsOnCancellation
    stopsOnCancellation = false
    defer { stopsOnCancellation = stops }
    try body()
  }

  /// Throws if the current task is canceled and its statements must stop.
  ///
  /// Called before each run of a statement: SQLite itself checks only statements that take long.
  func checkCancellation(before sql: @autoclosure () -> String?) throws(SQLiteError) {
    guard stopsOnCancellation, Task.isCancelled else { return }
    let sql = sql()
    guard sql?.prefix(8).uppercased() != "ROLLBACK" else { return }
    throw SQLiteError(.interrupted, "the task was canceled", sql: sql)
  }
}

/// State that threads use in turn: a pthread mutex, since the thread sanitizer cannot see the one of Synchronization.
@safe package final class LockedState<State>: @unchecked Sendable {
  private var state: State
  // A lock in use must not move.
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  package init(_ state: State) {
    self.state = state
    unsafe pthread_mutex_init(lock, nil)
  }

  deinit {
    unsafe pthread_mutex_destroy(lock)
    unsafe lock.deallocate()
  }

  package func withLock<Result>(_ body: (inout State) -> Result) -> Result {
    unsafe pthread_mutex_lock(lock)
    defer { unsafe pthread_mutex_unlock(lock) }
    return body(&state)
  }
}
