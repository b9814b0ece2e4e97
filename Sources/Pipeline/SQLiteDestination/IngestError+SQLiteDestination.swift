import Vocabulary
import Platform
import SQLiteSwiftly
import Schema
import Text

extension IngestError {
  private static let moveAway = "Move it away, or choose another file for --out."
  private static let tryLater =
    "Nothing was published. Try again later, or wait with --wait SECONDS."
  private static let checkMachine =
    "Nothing was published. Check the disk and the memory of this machine."
  private static let reportBug = "Nothing was published. Please report this as a bug in ingest."

  // MARK: - Files

  static func publishedButNotSynced(_ output: String, _ error: FileError) -> IngestError {
    IngestError(
      .inputOutput, undone: "its folder cannot be synced to disk",
      "\(output): published, but its folder cannot be synced to disk: \(error.message). If the machine stops "
        + "now, the previous database may reappear. Check the disk, and run again.")
  }

  // MARK: - Output

  /// The folder accepts neither the lock nor the new database.
  static func cannotBeCreated(
    _ output: String, _ path: String, _ error: FileError = .last
  ) -> IngestError {
    IngestError(
      .of(error.code, otherwise: .output),
      "\(output): cannot be created: \(error.message) (\(path)). Check that the folder exists and is writable."
    )
  }

  static func folderTaken(_ output: String, by folder: String) -> IngestError {
    IngestError(
      .output,
      "\(output): cannot be created: expected at \(folder) nothing, or a folder that belongs to this user and that "
        + "no other user can open (mode 0700), since the new database is built in it. \(moveAway)")
  }

  static func nameTaken(_ output: String, by name: String, _ error: FileError) -> IngestError {
    IngestError(
      .of(error.code, otherwise: .output),
      "\(output): cannot be created: \(error.message) (\(name)). \(moveAway)")
  }

  static func cannotBeKept(_ output: String, as place: String, _ error: FileError) -> IngestError {
    failed(
      "cannot be kept as \(place):", output, error, otherwise: .output,
      advice: " Nothing was published. Check the folder, or run without --keep-previous.")
  }

  static func notRegularFile(_ path: String) -> IngestError {
    IngestError(.output, "\(path): not a regular file. \(moveAway)")
  }

  static func cannotBeOpened(_ path: String, _ error: FileError) -> IngestError {
    failed("cannot be opened:", path, error, otherwise: .output, advice: " \(moveAway)")
  }

  static func notMadeByIngest(_ path: String) -> IngestError {
    IngestError(.output, "\(path): was not made by ingest, so it is not replaced. \(moveAway)")
  }

  static func writeAheadLog(_ path: String) -> IngestError {
    IngestError(
      .output,
      "\(path): the database uses a write-ahead log (WAL). A program that has it open could leave a log that "
        + "SQLite would apply to the new file. Nothing was published. Switch it back with: "
        + "sqlite3 \(path) 'PRAGMA journal_mode = DELETE'")
  }

  static func journalNotRegularFile(_ path: String) -> IngestError {
    IngestError(
      .output, "\(path): not a regular file, but readers of the database would open it. Remove it.")
  }

  static func unfinishedTransaction(_ journal: String) -> IngestError {
    IngestError(
      .output,
      "\(journal): another program is writing to the database, or was killed while writing. Wait for it to "
        + "finish, or open the database once with sqlite3 to recover it.")
  }

  static func replacedDuringRun(_ path: String) -> IngestError {
    IngestError(
      .inputOutput,
      "\(path): this file was removed or replaced by another program during the run. Nothing was published. "
        + "Run again, and leave this file and its lock alone.")
  }

  static func notEnoughSpace(
    _ output: String, needed: Int, free: Int, on fileSystem: String
  ) -> IngestError {
    IngestError(
      .inputOutput,
      "\(output): not enough free space: the new database needs at least \(needed.of("byte")), a quarter of the "
        + "previous one, but the file system of \(fileSystem) has \(free.grouped). Nothing was published. Free "
        + "some space there; if the new database really is that small, move the previous one to another disk."
    )
  }

  // MARK: - Locks

  /// `holder` is empty, or the process that holds the lock, in parentheses.
  static func lockedByRun(_ output: String, _ holder: String) -> IngestError {
    IngestError(
      .locked,
      "\(output): another run is writing to it\(holder). Try again later, or wait with --wait SECONDS."
    )
  }

  static func notLockFile(_ path: String) -> IngestError {
    IngestError(.output, "\(path): not a lock file of ingest, which needs this name. \(moveAway)")
  }

  /// `writer` is empty, or the process that writes, in parentheses.
  static func lockedByWriter(_ path: String, _ writer: String) -> IngestError {
    IngestError(
      .locked, "\(path): another program\(writer) is writing to the database. \(tryLater)")
  }

  static func lockedForComparison(_ path: String) -> IngestError {
    IngestError(
      .locked,
      "\(path): locked by another program, so the new database cannot be compared with it. \(tryLater)"
    )
  }

  // MARK: - Contents

  static func previousUnreadable(
    _ path: String, _ reason: String, kind: Kind = .inputOutput
  ) -> IngestError {
    IngestError(
      kind,
      "\(path): the previous database cannot be read: \(reason). Nothing was published. Check the disk."
    )
  }

  static func damaged(_ path: String, _ fault: String) -> IngestError {
    IngestError(.inputOutput, "\(path): \(fault). \(checkMachine)")
  }

  static func rowCountWrong(
    _ path: String, table: String, found: Int, inserted: Int
  ) -> IngestError {
    IngestError(
      .fault, code: .run(.accountsUnbalanced),
      "\(path): the table \(table) has \(found.of("row")), but \(inserted.grouped) \(inserted.verb("was", "were")) inserted. \(reportBug)"
    )
  }

  static func parentMissing(_ path: String, _ fault: String) -> IngestError {
    IngestError(.fault, "\(path): \(fault). \(reportBug)")
  }

  static func sqlFailed(at place: String, _ reason: String, advice: String) -> IngestError {
    IngestError(
      .data, code: .run(.sqlFailed), "\(place): \(reason). Nothing was published.\(advice)")
  }

  static func cannotSort(_ error: FileError, writing path: String) -> IngestError {
    let error = SQLiteError(error, "the indexes cannot be sorted in \(TemporaryFolders.names)")
    let advice = " Check that folder, or set SQLITE_TMPDIR to another one."
    let whole = IngestError(error, writing: path)
    // The message for a full disk names the folder already.
    return IngestError(whole.kind, whole.message + (error.code == .inputOutput ? advice : ""))
  }
}

extension Warning {
  static func searchAbsent(_ search: SearchDescription) -> Warning {
    Warning(
      file: search.name, code: .searchAbsent,
      "the database has no search: SQLite \(SQLiteLibrary.version), which ingest uses, was built without "
        + search.module.uppercased())
  }

  static func accessChanged(_ output: String, lost: String) -> Warning {
    Warning(
      file: output, code: .accessChanged, "could not be copied from the previous file: \(lost)")
  }

  static func previousUnreadable(_ path: String, _ reason: String) -> Warning {
    Warning(
      file: path, code: .catalogUnreadable,
      "the previous database cannot be read, so nothing was compared with it: \(reason)")
  }

  static func valueTooLong(_ path: String, table: String, limit: Int) -> Warning {
    Warning(
      file: path, code: .catalogUnreadable,
      "\(table) has a value of more than \(limit.grouped) bytes in the previous database, so only its rows were "
        + "counted")
  }
}
