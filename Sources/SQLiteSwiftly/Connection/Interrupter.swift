import CSQLite
import Glibc

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
@safe public final class Interrupter: @unchecked Sendable {
  private var handle: OpaquePointer?
  // SQLite forbids an interrupt once the connection is closed. A lock in use must not move.
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  init() { unsafe pthread_mutex_init(lock, nil) }

  deinit {
    unsafe pthread_mutex_destroy(lock)
    unsafe lock.deallocate()
  }

  /// Makes the running statements fail with `interrupted` soon; without any it has no effect.
  ///
  /// An interrupted statement changes nothing; if it writes within a transaction, SQLite rolls the
  /// transaction back. Statements that begin before an interrupted one has finished fail as well
  /// (<https://www.sqlite.org/c3ref/interrupt.html>). Waits for locks and backups continue. Never
  /// blocks.
  ///
  /// ```swift
  /// let interrupter = connection.interrupter
  /// let stop = Button("Stop") { interrupter.interrupt() }
  /// ```
  public func interrupt() {
    unsafe pthread_mutex_lock(lock)
    defer { unsafe pthread_mutex_unlock(lock) }
    if let handle = unsafe handle { unsafe sqlite3_interrupt(handle) }
  }

  /// Sets the handle to interrupt; nil before it is closed.
  func attach(_ handle: OpaquePointer?) {
    unsafe pthread_mutex_lock(lock)
    defer { unsafe pthread_mutex_unlock(lock) }
    unsafe self.handle = handle
  }
}
