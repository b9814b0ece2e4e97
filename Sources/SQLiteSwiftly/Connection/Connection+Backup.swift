import CSQLite
import Glibc

/// The progress of a backup.
public struct BackupProgress: Equatable, Sendable {
  /// The pages still to be copied.
  public let remainingPages: Int
  /// The total number of pages in the database.
  public let totalPages: Int
}

extension Connection {
  /// Copies the main database to the file at `path` (<https://www.sqlite.org/backup.html>).
  ///
  /// ```swift
  /// try connection.backUp(to: path, opening: .createNew) { progress in
  ///   print("\(progress.remainingPages) of \(progress.totalPages) pages remain")
  /// }
  /// ```
  ///
  /// An existing database is replaced. The other parameters are those of `backUp(into:pagesPerStep:progress:)`.
  ///
  /// - Throws: An error of opening the file or of the backup. A file created for the copy is then
  ///   removed, and an existing one is unchanged.
  public func backUp(
    to path: String, opening: Opening, pagesPerStep: Int = 1024,
    progress: (BackupProgress) throws(SQLiteError) -> Void = { _ throws(SQLiteError) in }
  ) throws(SQLiteError) {
    var isNew = false
    do throws(SQLiteError) {
      // Closed at the end of the scope, before a file is removed.
      let target = try backupTarget(path, opening: opening, isNew: &isNew)
      try backUp(into: target, pagesPerStep: pagesPerStep, progress: progress)
    } catch {
      if isNew { unsafe unlink(path) }
      throw error
    }
  }

  /// Copies the main database over the main database of another connection (<https://www.sqlite.org/backup.html>).
  ///
  /// The copy has the state of the database at the start of the backup. Until it ends, other connections can write only
  /// if the database has a write-ahead log. The copy is one transaction on the target: an error or a crash leaves the
  /// target unchanged. Waits for locks last up to the busy timeouts of both connections.
  ///
  /// - Parameters:
  ///   - target: the connection to copy into, not in a transaction. It adopts the page size, unless it has a
  ///     write-ahead log or is in memory: a different page size is an error there. Until the backup ends, every use of
  ///     it, including `close()`, throws `busy`, and a new busy timeout has no effect.
  ///   - pagesPerStep: the number of pages to copy between two calls of `progress`.
  ///   - progress: called while pages remain; throwing ends the backup.
  /// - Throws: `SQLiteError`, with `misuse` if the target is the database itself, if `pagesPerStep`
  ///   is not positive, or if this connection is in a write transaction.
  /// - Complexity: Reads and writes each page once.
  public func backUp(
    into target: Connection, pagesPerStep: Int = 1024,
    progress: (BackupProgress) throws(SQLiteError) -> Void = { _ throws(SQLiteError) in }
  ) throws(SQLiteError) {
    let isOutermost = try beginCall()
    defer { endCall(isOutermost) }
    guard pagesPerStep > 0 else {
      throw SQLiteError(.misuse, "pagesPerStep must be positive, not \(pagesPerStep)")
    }
    let file = try unsafe identity(ofFile: sqlite3_db_filename(openHandle(), "main"))
    let targetFile = try unsafe identity(ofFile: sqlite3_db_filename(target.openHandle(), "main"))
    guard target !== self, file == nil || file != targetFile else {
      throw SQLiteError(.misuse, "a database cannot be backed up into itself")
    }
    guard unsafe sqlite3_txn_state(try openHandle(), "main") != SQLITE_TXN_WRITE else {
      throw SQLiteError(.misuse, "a backup cannot run within a write transaction; commit it first")
    }
    // While this read runs, commits of other connections cannot restart the copy.
    try forEachRow(of: "SELECT count(*) FROM sqlite_schema") { _ throws(SQLiteError) in
      // SQLite does not check whether the target is used or closed during the backup.
      try unsafe target.lendHandle { destination throws(SQLiteError) in
        try unsafe copyPages(into: destination, pagesPerStep: pagesPerStep, progress: progress)
      }
    }
  }

  @unsafe private func copyPages(
    into destination: OpaquePointer, pagesPerStep: Int,
    progress: (BackupProgress) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    let source = try unsafe openHandle()
    guard let backup = unsafe sqlite3_backup_init(destination, "main", source, "main") else {
      throw unsafe SQLiteError(sqlite3_extended_errcode(destination), on: destination, sql: nil)
    }
    // Before the last step has succeeded, this rolls back.
    defer { unsafe sqlite3_backup_finish(backup) }
    while true {
      try checkCancellation(before: nil)
      let code = unsafe sqlite3_backup_step(backup, Int32(clamping: pagesPerStep))
      if code == SQLITE_DONE { return }
      guard code == SQLITE_OK else {
        throw unsafe SQLiteError(code, on: nil, sql: nil).prefixed(by: "backup")
      }
      try progress(
        BackupProgress(
          remainingPages: Int(unsafe sqlite3_backup_remaining(backup)),
          totalPages: Int(unsafe sqlite3_backup_pagecount(backup))))
    }
  }

  private func backupTarget(
    _ path: String, opening: Opening, isNew: inout Bool
  ) throws(SQLiteError) -> Connection {
    // Tried first, since only this shows which process created the file.
    if opening == .openOrCreate, let target = try? Connection(path, opening: .createNew) {
      isNew = true
      return target
    }
    // An invalid path fails here.
    let target = try Connection(path, opening: opening, busyTimeout: busyTimeout)
    isNew = opening == .createNew
    return target
  }
}

/// The device and the node, equal for all paths to a file; nil if there is none, as for a database in memory.
private func identity(ofFile path: UnsafePointer<CChar>?) -> [UInt64]? {
  var status = stat()
  guard let path = unsafe path, unsafe stat(path, &status) == 0 else { return nil }
  return [UInt64(status.st_dev), UInt64(status.st_ino)]
}
