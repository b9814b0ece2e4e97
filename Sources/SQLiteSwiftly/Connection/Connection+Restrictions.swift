import CSQLite
import Glibc

package struct WorkLimit: Sendable {
  /// The steps of SQLite's virtual machine, over all statements.
  package var steps: Int
  /// The pages requested, whether or not they are cached.
  package var pages: Int

  package init(steps: Int, pages: Int) {
    self.steps = steps
    self.pages = pages
  }
}

@unsafe private struct Budget {
  var steps: Int
  let pages: Int
  let handle: OpaquePointer
}

extension Connection {
  /// Runs `body`; its statements fail with `interrupted` beyond `limit`, which replaces a check for cancellation.
  ///
  /// A damaged or malicious file can make SQLite visit the same pages forever: zero bytes can hold
  /// any number of rows. The count is checked only every thousand steps, and a `count(*)` of a
  /// whole table is one step, regardless of its duration.
  package func limitingWork<Result, Failure>(
    to limit: WorkLimit, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let handle = try? unsafe openHandle() else { return try body() }
    let budget = UnsafeMutablePointer<Budget>.allocate(capacity: 1)
    // For any limit, neither the sum nor the countdown may overflow.
    let (last, isUnlimited) = unsafe pages(of: handle).addingReportingOverflow(limit.pages)
    unsafe budget.initialize(
      to: Budget(
        steps: max(limit.steps, -1), pages: isUnlimited ? .max : last, handle: handle))
    defer { unsafe budget.deallocate() }
    return try unsafe handlingProgress(
      of: handle,
      { context in
        guard let budget = unsafe context?.assumingMemoryBound(to: Budget.self) else { return 1 }
        unsafe budget.pointee.steps -= 1000
        let (steps, limit) = unsafe (budget.pointee.steps, budget.pointee.pages)
        let pages = unsafe pages(of: budget.pointee.handle)
        return steps < 0 || pages > limit ? 1 : 0
      }, budget, body)
  }

  package var cacheMisses: Int {
    get throws(SQLiteError) { unsafe count(SQLITE_DBSTATUS_CACHE_MISS, of: try openHandle()) }
  }

  /// Makes values and rows of more than `bytes` an error, `tooBig`, before they are read; returns the previous limit.
  @discardableResult package func limitLength(to bytes: Int) throws(SQLiteError) -> Int {
    Int(unsafe sqlite3_limit(try openHandle(), SQLITE_LIMIT_LENGTH, Int32(clamping: bytes)))
  }

  /// Runs `body` with a limit as above, after which the previous one applies again.
  package func limitingLength(
    to bytes: Int, _ body: () throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    let previous = try limitLength(to: bytes)
    defer { _ = try? limitLength(to: previous) }
    try body()
  }
}

@unsafe private func pages(of handle: OpaquePointer) -> Int {
  unsafe count(SQLITE_DBSTATUS_CACHE_HIT, of: handle)
    + count(SQLITE_DBSTATUS_CACHE_MISS, of: handle)
}

@unsafe private func count(_ counter: Int32, of handle: OpaquePointer) -> Int {
  var (current, highest): (Int32, Int32) = (0, 0)
  unsafe sqlite3_db_status(handle, counter, &current, &highest, 0)
  return Int(UInt32(bitPattern: current))
}

// A statement must return the same result whenever and wherever it runs. SQLite's own functions
// depend on the clock, random numbers and the time zone only.
extension Connection {
  /// Opens a database through a file system that records whether a statement reads the clock.
  package convenience init(
    recordingClockIn path: String, busyTimeout: Duration
  ) throws(SQLiteError) {
    try self.init(
      path, opening: .openExisting, busyTimeout: busyTimeout, fileSystem: clockRecordingFileSystem)
  }

  /// Whether a recording connection has read the clock on this thread since the last call.
  package static func consumeClockReading() -> Bool {
    defer { pthread_setspecific(clockReading, nil) }
    return unsafe pthread_getspecific(clockReading) != nil
  }

  /// Makes every call of the functions for random numbers fail, also in column defaults.
  package func refuseRandomNumbers() throws(SQLiteError) {
    for name in ["random", "randomblob"] {
      let code = unsafe sqlite3_create_function_v2(
        try openHandle(), name, -1, SQLITE_UTF8, nil,
        { context, _, _ in
          unsafe sqlite3_result_error(
            context, "random() and randomblob() return a different result each time", -1)
        }, nil, nil, nil)
      guard code == SQLITE_OK else {
        throw unsafe SQLiteError(code, on: try openHandle(), sql: nil)
      }
    }
  }
}

/// Null on a thread that has not read the clock.
private let clockReading: pthread_key_t = {
  var key = pthread_key_t()
  unsafe pthread_key_create(&key, nil)
  return key
}()

/// The name of a copy of SQLite's file system that records clock readings; nil without memory.
///
/// SQLite reads the clock only for functions that return the time, once for each statement.
private let clockRecordingFileSystem: String? = {
  let name = "SQLiteSwiftly.clock"
  guard let usual = unsafe sqlite3_vfs_find(nil), let copiedName = unsafe strdup(name) else {
    return nil
  }
  // The copy lives as long as the process, since SQLite keeps its address.
  let copy = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
  unsafe copy.initialize(to: usual.pointee)
  unsafe copy.pointee.zName = UnsafePointer(copiedName)
  unsafe copy.pointee.pNext = nil
  unsafe copy.pointee.xCurrentTimeInt64 = { _, time in
    unsafe pthread_setspecific(clockReading, UnsafeRawPointer(bitPattern: 1))
    let usual = unsafe sqlite3_vfs_find(nil)
    return unsafe usual?.pointee.xCurrentTimeInt64?(usual, time) ?? SQLITE_ERROR
  }
  return unsafe sqlite3_vfs_register(copy, 0) == SQLITE_OK ? name : nil
}()
