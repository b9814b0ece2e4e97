@testable import Vocabulary
import SQLiteSwiftly
import Testing

struct IngestErrorTests {
  @Test(
    arguments: [
      (
        SQLiteError(.full, "database or disk is full"), .inputOutput,
        "out.sqlite: database or disk is full (SQLITE_FULL, 13). Free space there, or in the "
          + "folder of SQLite's temporary files, \(TemporaryFolders.names); SQLITE_TMPDIR selects another "
          + "folder."
      ),
      (
        SQLiteError(.inputOutputSync, "disk I/O error"), .inputOutput,
        "out.sqlite: disk I/O error (SQLITE_IOERR_FSYNC, 1034)."
      ),
      (
        SQLiteError(.cannotOpen, opening: "out.sqlite", "unable to open database file"),
        .inputOutput,
        "out.sqlite: unable to open database file (SQLITE_CANTOPEN, 14)."
      ),
      (
        SQLiteError(.corrupt, "database disk image is malformed"), .inputOutput,
        "out.sqlite: database disk image is malformed (SQLITE_CORRUPT, 11). Check the disk and the "
          + "memory of this machine."
      ),
      (
        SQLiteError(.busy, "database is locked"), .locked,
        "out.sqlite: database is locked (SQLITE_BUSY, 5). Another program is using the file; run again "
          + "once it has finished."
      ),
      (
        SQLiteError(.constraintUnique, "UNIQUE constraint failed: t.a", sql: "INSERT …"), .fault,
        "out.sqlite: UNIQUE constraint failed: t.a (SQLITE_CONSTRAINT_UNIQUE, 2067)."
      ),
    ] as [(SQLiteError, IngestError.Kind, String)])
  func `an SQLite error names the file and the code`(
    error: SQLiteError, kind: IngestError.Kind, message: String
  ) {
    let headline = error.code == .full ? "no space left on ." : nil
    #expect(
      IngestError(error, writing: "out.sqlite") == IngestError(kind, headline: headline, message))
  }
}
