import CSQLite

/// Limits on the work of statements.
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

/// The remaining work, and the connection that uses it.
@unsafe private struct Budget {
  var steps: Int
  let pages: Int
  let handle: OpaquePointer
}

extension Connection {
  /// The number of steps between two checks.
  private static let stride = 1000

  /// Runs `body`; its statements fail with `interrupted` once they exceed `limit`.
  ///
  /// A damaged or malicious file can make SQLite visit the same pages forever: zero bytes can hold
  /// any number of rows.
  ///
  /// The count is checked only every thousand steps, and a `count(*)` of a whole table is one step,
  /// regardless of its duration. The limit replaces a check for cancellation.
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
    unsafe sqlite3_progress_handler(
      handle, Int32(Self.stride),
      { context in
        guard let budget = unsafe context?.assumingMemoryBound(to: Budget.self) else { return 1 }
        unsafe budget.pointee.steps -= Connection.stride
        let (steps, limit) = unsafe (budget.pointee.steps, budget.pointee.pages)
        let pages = unsafe pages(of: budget.pointee.handle)
        return steps < 0 || pages > limit ? 1 : 0
      }, budget)
    defer {
      // The body may have closed the connection.
      if let handle = try? unsafe openHandle() {
        unsafe sqlite3_progress_handler(handle, 0, nil, nil)
      }
      unsafe budget.deallocate()
    }
    return try body()
  }

  /// The number of pages read so far because they were not cached.
  package var cacheMisses: Int {
    get throws(SQLiteError) { unsafe count(of: try openHandle(), [SQLITE_DBSTATUS_CACHE_MISS]) }
  }

  /// Makes values and rows of more than `bytes` an error, `tooBig`, before they are read into
  /// memory.
  package func limitLength(to bytes: Int) throws(SQLiteError) {
    let handle = try unsafe openHandle()
    unsafe sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(clamping: bytes))
  }
}

@unsafe private func pages(of handle: OpaquePointer) -> Int {
  unsafe count(of: handle, [SQLITE_DBSTATUS_CACHE_HIT, SQLITE_DBSTATUS_CACHE_MISS])
}

@unsafe private func count(of handle: OpaquePointer, _ counters: [Int32]) -> Int {
  var sum = 0
  for counter in counters {
    var current: Int32 = 0
    var highest: Int32 = 0
    unsafe sqlite3_db_status(handle, counter, &current, &highest, 0)
    sum += Int(UInt32(bitPattern: current))
  }
  return sum
}
