extension SQLiteError.ResultCode {
  static let names: [Self: String] = {
    var names: [Self: String] = [row: "SQLITE_ROW", done: "SQLITE_DONE"]
    for (number, word) in primaryWords.split(separator: " ").enumerated() {
      names[Self(rawValue: Int32(number))] = "SQLITE_\(word)"
    }
    for (code, words) in extendedWords {
      let name = names[code] ?? ""
      for (index, word) in words.split(separator: " ").enumerated() where word != "-" {
        names[code.extended(Int32(index + 1))] = "\(name)_\(word)"
      }
    }
    return names
  }()

  /// The suffixes of the names of the primary codes, from 0.
  private static let primaryWords = """
    OK ERROR INTERNAL PERM ABORT BUSY LOCKED NOMEM READONLY INTERRUPT IOERR CORRUPT NOTFOUND FULL \
    CANTOPEN PROTOCOL EMPTY SCHEMA TOOBIG CONSTRAINT MISMATCH MISUSE NOLFS AUTH FORMAT RANGE NOTADB \
    NOTICE WARNING
    """

  /// The suffixes of the names of the extended codes, from number 1; a dash marks an unused number.
  private static let extendedWords: [Self: String] = [
    ok: "LOAD_PERMANENTLY SYMLINK",
    error: "MISSING_COLLSEQ RETRY SNAPSHOT RESERVESIZE KEY UNABLE",
    abort: "- ROLLBACK",
    busy: "RECOVERY SNAPSHOT TIMEOUT",
    locked: "SHAREDCACHE VTAB",
    readOnly: "RECOVERY CANTLOCK ROLLBACK DBMOVED CANTINIT DIRECTORY",
    inputOutput: """
    READ SHORT_READ WRITE FSYNC DIR_FSYNC TRUNCATE FSTAT UNLOCK RDLOCK DELETE BLOCKED NOMEM ACCESS \
    CHECKRESERVEDLOCK LOCK CLOSE DIR_CLOSE SHMOPEN SHMSIZE SHMLOCK SHMMAP SEEK DELETE_NOENT MMAP \
    GETTEMPPATH CONVPATH VNODE AUTH BEGIN_ATOMIC COMMIT_ATOMIC ROLLBACK_ATOMIC DATA CORRUPTFS \
    IN_PAGE BADKEY CODEC
    """,
    corrupt: "VTAB SEQUENCE INDEX",
    cannotOpen: "NOTEMPDIR ISDIR FULLPATH CONVPATH DIRTYWAL SYMLINK",
    constraint: """
    CHECK COMMITHOOK FOREIGNKEY FUNCTION NOTNULL PRIMARYKEY TRIGGER UNIQUE VTAB ROWID PINNED DATATYPE
    """,
    notAuthorized: "USER",
    notice: "RECOVER_WAL RECOVER_ROLLBACK RBU",
    warning: "AUTOINDEX",
  ]
}
