import CSQLite

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
  /// Runs `body`; its statements fail with `interrupted` once they exceed `limit`, which replaces a
  /// check for cancellation.
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
