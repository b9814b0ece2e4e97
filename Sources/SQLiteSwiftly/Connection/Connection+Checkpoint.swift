import CSQLite

/// What a checkpoint waits for (<https://www.sqlite.org/c3ref/wal_checkpoint_v2.html>).
public enum CheckpointMode: Sendable {
  /// Nothing: it moves what no running read needs.
  case passive
  /// Running writes and older reads, up to the busy timeout.
  case full
  /// As `full`, and all reads of the log, so that the next write begins it anew.
  case restart
  /// As `restart`; the log then has no bytes.
  case truncate
}

extension Connection {
  /// Moves the pages of the write-ahead log to the file of the main database.
  ///
  /// - Returns: Whether none remain in the log; true without a log. A read or a write of another
  ///   connection that lasts longer than the busy timeout makes it false.
  /// - Throws: `SQLiteError`, with `locked` within a write transaction of this connection.
  public func checkpoint(_ mode: CheckpointMode = .passive) throws(SQLiteError) -> Bool {
    let isOutermost = try beginCall()
    defer { endCall(isOutermost) }
    let handle = try unsafe openHandle()
    let number =
      switch mode {
      case .passive: SQLITE_CHECKPOINT_PASSIVE
      case .full: SQLITE_CHECKPOINT_FULL
      case .restart: SQLITE_CHECKPOINT_RESTART
      case .truncate: SQLITE_CHECKPOINT_TRUNCATE
      }
    // Both are -1 without a log.
    var (pages, moved): (Int32, Int32) = (0, 0)
    let code = unsafe sqlite3_wal_checkpoint_v2(handle, "main", number, &pages, &moved)
    guard code & 0xff != SQLITE_BUSY else { return false }
    guard code == SQLITE_OK else {
      throw unsafe SQLiteError(code, on: handle, sql: nil).prefixed(by: "checkpoint")
    }
    return pages == moved
  }
}
