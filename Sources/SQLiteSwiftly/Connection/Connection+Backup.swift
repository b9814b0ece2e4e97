import CSQLite
import Glibc

/// How far a backup has come.
///
/// ```swift
/// try connection.backUp(to: copy, opening: .createNew, pagesPerStep: 1) { progress in
///   done = 1 - Double(progress.remainingPages) / Double(progress.totalPages)
/// }
/// ```
public struct BackupProgress: Equatable, Sendable {
  /// The pages that are still to be copied.
  public let remainingPages: Int
  /// The pages of the database.
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
  /// - Parameters:
  ///   - path: where the copy is to be.
  ///   - opening: what is expected there. A database that is there is replaced.
  ///   - pagesPerStep: how many pages are copied between two calls of `progress`.
  ///   - progress: called while pages remain; what it throws ends the backup.
  /// - Throws: What opening the file or `backUp(into:pagesPerStep:progress:)` throws. A file that was
  ///   made for the copy is then gone again, and one that was there is as it was before.
  public func backUp(
    to path: String, opening: Opening, pagesPerStep: Int = 1024,
    progress: (BackupProgress) throws(SQLiteError) -> Void = { _ throws(SQLiteError) in }
  ) throws(SQLiteError) {
    var isNew = false
    do throws(SQLiteError) {
      // Closed when it goes away, which is before a file is removed.
      let target = try backupTarget(path, opening: opening, isNew: &isNew)
      try backUp(into: target, pagesPerStep: pagesPerStep, progress: progress)
    } catch {
      if isNew { unsafe unlink(path) }
      throw error
    }
  }

  /// Copies the main database over the main database of another connection
  /// (<https://www.sqlite.org/backup.html>).
  ///
  /// The copy is what the database was when the backup began. Until it ends, other connections can
  /// write only if the database has a write-ahead log. The copy is one transaction on the target: in
  /// the end all of it is there or, after an error or a crash, nothing. The busy timeouts of both
  /// connections say how long to wait for locks.
  ///
  /// ```swift
  /// let copy = try Connection.inMemory()
  /// try connection.backUp(into: copy)
  /// ```
  ///
  /// - Parameters:
  ///   - target: where the copy is to be, in no transaction. It takes on the page size, unless it has a
  ///     write-ahead log or is in memory: then another page size of its own is an error. Until the
  ///     backup ends, every use of it, `close()` included, throws `busy`, and a new busy timeout takes
  ///     effect only afterwards.
  ///   - pagesPerStep: how many pages are copied between two calls of `progress`.
  ///   - progress: called while pages remain; what it throws ends the backup.
  /// - Throws: `SQLiteError`, with `misuse` when the target is the database itself, when
  ///   `pagesPerStep` is not positive, and when this connection is in a transaction that writes.
  /// - Complexity: Reads and writes each page once.
  public func backUp(
    into target: Connection, pagesPerStep: Int = 1024,
    progress: (BackupProgress) throws(SQLiteError) -> Void = { _ throws(SQLiteError) in }
  ) throws(SQLiteError) {
    try checkBackup(into: target, pagesPerStep: pagesPerStep)
    // While this read is under way, no other connection's commit makes the copy begin again.
    try forEachRow(of: "SELECT count(*) FROM sqlite_schema") { _ throws(SQLiteError) in
      // SQLite does not check whether the target is used meanwhile, or closed.
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
      guard code == SQLITE_OK else { throw unsafe SQLiteError(code, on: nil, sql: nil) }
      try progress(
        BackupProgress(
          remainingPages: Int(unsafe sqlite3_backup_remaining(backup)),
          totalPages: Int(unsafe sqlite3_backup_pagecount(backup))))
    }
  }

  private func checkBackup(into target: Connection, pagesPerStep: Int) throws(SQLiteError) {
    guard pagesPerStep > 0 else {
      throw SQLiteError(.misuse, "A backup of \(pagesPerStep) pages per step would never end")
    }
    let file = try unsafe FileIdentity(sqlite3_db_filename(openHandle(), "main"))
    let targetFile = try unsafe FileIdentity(sqlite3_db_filename(target.openHandle(), "main"))
    guard target !== self, file == nil || file != targetFile else {
      throw SQLiteError(.misuse, "A database cannot be backed up into itself")
    }
    guard unsafe sqlite3_txn_state(try openHandle(), "main") != SQLITE_TXN_WRITE else {
      throw SQLiteError(.misuse, "A database cannot be backed up within a transaction that writes")
    }
  }

  private func backupTarget(
    _ path: String, opening: Opening, isNew: inout Bool
  ) throws(SQLiteError) -> Connection {
    // Tried first, since only this shows who has made the file.
    if opening == .openOrCreate, let target = try? Connection(path, opening: .createNew) {
      isNew = true
      return target
    }
    // What is wrong with a path that cannot be created shows here.
    let target = try Connection(path, opening: opening, busyTimeout: busyTimeout)
    isNew = opening == .createNew
    return target
  }
}

/// What two paths to the same file have in common.
private struct FileIdentity: Equatable {
  let device: dev_t
  let node: ino_t

  /// Identifies the file at a path; nil if there is none, as for a database in memory.
  init?(_ path: UnsafePointer<CChar>?) {
    var status = stat()
    guard let path = unsafe path, unsafe stat(path, &status) == 0 else { return nil }
    device = status.st_dev
    node = status.st_ino
  }
}
