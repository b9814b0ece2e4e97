extension SQLiteError {
  /// A SQLite result code, primary or extended (<https://www.sqlite.org/rescode.html>).
  public struct ResultCode: RawRepresentable, Hashable, Sendable {
    /// SQLite's number for the code.
    public let rawValue: Int32

    /// Creates a code from its number, which may be unknown to this library.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// The primary code; the code itself unless it is an extended one.
    public var primary: ResultCode { ResultCode(rawValue: rawValue & 0xff) }

    /// SQLite's name, such as `SQLITE_CONSTRAINT_UNIQUE`.
    ///
    /// An extended code unknown to this library has the name of its primary code and its number, as
    /// in `SQLITE_CONSTRAINT_25363`. Any other unknown code is named `SQLITE_CODE_99`.
    public var name: String {
      Self.names[self] ?? (Self.names[primary] ?? "SQLITE_CODE") + "_\(rawValue)"
    }
  }
}

extension SQLiteError.ResultCode: CustomStringConvertible {
  /// The name.
  public var description: String { name }
}

extension SQLiteError.ResultCode {
  /// Success.
  public static let ok = Self(rawValue: 0)
  /// An SQL error, or a use that this library refuses.
  public static let error = Self(rawValue: 1)
  /// An internal error of SQLite.
  public static let internalError = Self(rawValue: 2)
  /// The requested access to a new database is not available.
  public static let permissionDenied = Self(rawValue: 3)
  /// The operation was aborted, such as a read whose transaction was rolled back.
  public static let abort = Self(rawValue: 4)
  /// Another connection holds the lock.
  public static let busy = Self(rawValue: 5)
  /// A conflict with a statement of the same connection, or of one that shares its cache.
  public static let locked = Self(rawValue: 6)
  /// Memory ran out.
  public static let outOfMemory = Self(rawValue: 7)
  /// The database is read-only.
  public static let readOnly = Self(rawValue: 8)
  /// The operation was interrupted.
  public static let interrupted = Self(rawValue: 9)
  /// The operating system reported an error while reading or writing.
  public static let inputOutput = Self(rawValue: 10)
  /// The file is damaged.
  public static let corrupt = Self(rawValue: 11)
  /// SQLite does not support the requested control operation.
  public static let notFound = Self(rawValue: 12)
  /// The disk is full, or the database has reached its maximum size.
  public static let full = Self(rawValue: 13)
  /// The file cannot be opened or created.
  public static let cannotOpen = Self(rawValue: 14)
  /// Connections cannot agree on the locks of a write-ahead log.
  public static let lockingProtocol = Self(rawValue: 15)
  /// Not used by SQLite.
  public static let empty = Self(rawValue: 16)
  /// The schema changed too often while a statement was being run.
  public static let schemaChanged = Self(rawValue: 17)
  /// A text, a blob or a statement is too large.
  public static let tooBig = Self(rawValue: 18)
  /// A constraint was violated.
  public static let constraint = Self(rawValue: 19)
  /// A value has the wrong type for its use.
  public static let mismatch = Self(rawValue: 20)
  /// The library was misused, for example through a closed connection.
  public static let misuse = Self(rawValue: 21)
  /// The system does not support files as large as the database.
  public static let noLargeFiles = Self(rawValue: 22)
  /// An authorizer denied the statement.
  public static let notAuthorized = Self(rawValue: 23)
  /// Not used by SQLite.
  public static let format = Self(rawValue: 24)
  /// A parameter has no value, or a value has no parameter.
  public static let range = Self(rawValue: 25)
  /// The file is not a database.
  public static let notADatabase = Self(rawValue: 26)
  /// A notice in SQLite's log; never an error.
  public static let notice = Self(rawValue: 27)
  /// A warning in SQLite's log; never an error.
  public static let warning = Self(rawValue: 28)
  /// A statement has a row ready; never an error.
  public static let row = Self(rawValue: 100)
  /// A statement has finished; never an error.
  public static let done = Self(rawValue: 101)
}

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
