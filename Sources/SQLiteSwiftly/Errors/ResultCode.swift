extension SQLiteError {
  /// A SQLite result code, primary or extended (<https://www.sqlite.org/rescode.html>).
  public struct ResultCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
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

    /// The name.
    public var description: String { name }
  }
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

  // The extended codes: each refines a primary code with a second number.
  func extended(_ number: Int32) -> Self { Self(rawValue: rawValue | number << 8) }

  /// An extension is loaded permanently; never an error.
  public static let okLoadPermanently = ok.extended(1)
  /// A symbolic link was followed; used within SQLite only.
  public static let okSymbolicLink = ok.extended(2)

  /// A collating sequence is missing.
  public static let errorMissingCollation = error.extended(1)
  /// A statement must be prepared again; used within SQLite only.
  public static let errorRetry = error.extended(2)
  /// A snapshot is no longer available.
  public static let errorSnapshot = error.extended(3)
  /// A page does not have the reserved bytes that an extension needs.
  public static let errorReserveSize = error.extended(4)
  /// An encryption extension cannot use the key.
  public static let errorKey = error.extended(5)
  /// An extension cannot perform the operation.
  public static let errorUnable = error.extended(6)

  /// The transaction was rolled back while a statement was running.
  public static let abortRollback = abort.extended(2)

  /// Another process is recovering the write-ahead log.
  public static let busyRecovery = busy.extended(1)
  /// The transaction's snapshot is out of date, so it can no longer write.
  public static let busySnapshot = busy.extended(2)
  /// Waiting for a lock of the operating system took too long.
  public static let busyTimeout = busy.extended(3)

  /// A connection that shares the cache holds a lock on the table.
  public static let lockedSharedCache = locked.extended(1)
  /// A virtual table is in use.
  public static let lockedVirtualTable = locked.extended(2)

  /// A write-ahead log must be recovered, but cannot be written.
  public static let readOnlyRecovery = readOnly.extended(1)
  /// The shared memory of a write-ahead log cannot be locked.
  public static let readOnlyCannotLock = readOnly.extended(2)
  /// A journal must be played back, but the database cannot be written.
  public static let readOnlyRollback = readOnly.extended(3)
  /// The file was moved or removed since it was opened.
  public static let readOnlyMoved = readOnly.extended(4)
  /// The shared memory of a write-ahead log cannot be set up.
  public static let readOnlyCannotInitialize = readOnly.extended(5)
  /// No journal can be created because the folder is not writable.
  public static let readOnlyFolder = readOnly.extended(6)

  /// Reading a file failed.
  public static let inputOutputRead = inputOutput.extended(1)
  /// A file was shorter than expected.
  public static let inputOutputShortRead = inputOutput.extended(2)
  /// Writing a file failed.
  public static let inputOutputWrite = inputOutput.extended(3)
  /// Syncing a file failed.
  public static let inputOutputSync = inputOutput.extended(4)
  /// Syncing a folder failed.
  public static let inputOutputFolderSync = inputOutput.extended(5)
  /// Truncating a file failed.
  public static let inputOutputTruncate = inputOutput.extended(6)
  /// The status of a file cannot be read.
  public static let inputOutputStatus = inputOutput.extended(7)
  /// Releasing a lock failed.
  public static let inputOutputUnlock = inputOutput.extended(8)
  /// Acquiring a read lock failed.
  public static let inputOutputReadLock = inputOutput.extended(9)
  /// Removing a file failed.
  public static let inputOutputDelete = inputOutput.extended(10)
  /// No longer used by SQLite.
  public static let inputOutputBlocked = inputOutput.extended(11)
  /// Memory ran out while reading or writing.
  public static let inputOutputOutOfMemory = inputOutput.extended(12)
  /// Checking access to a file failed.
  public static let inputOutputAccess = inputOutput.extended(13)
  /// Checking for another connection's reserved lock failed.
  public static let inputOutputCheckReservedLock = inputOutput.extended(14)
  /// Locking a file failed.
  public static let inputOutputLock = inputOutput.extended(15)
  /// Closing a file failed.
  public static let inputOutputClose = inputOutput.extended(16)
  /// No longer used by SQLite.
  public static let inputOutputFolderClose = inputOutput.extended(17)
  /// Opening the shared memory of a write-ahead log failed.
  public static let inputOutputSharedMemoryOpen = inputOutput.extended(18)
  /// Enlarging the shared memory of a write-ahead log failed.
  public static let inputOutputSharedMemorySize = inputOutput.extended(19)
  /// No longer used by SQLite.
  public static let inputOutputSharedMemoryLock = inputOutput.extended(20)
  /// Mapping the shared memory of a write-ahead log failed.
  public static let inputOutputSharedMemoryMap = inputOutput.extended(21)
  /// Seeking in a file failed.
  public static let inputOutputSeek = inputOutput.extended(22)
  /// A file to be removed does not exist.
  public static let inputOutputDeleteMissing = inputOutput.extended(23)
  /// Mapping the database file failed.
  public static let inputOutputMap = inputOutput.extended(24)
  /// No folder for temporary files is available.
  public static let inputOutputTemporaryPath = inputOutput.extended(25)
  /// A path cannot be converted (Cygwin).
  public static let inputOutputConvertPath = inputOutput.extended(26)
  /// The volume under the file changed (Apple).
  public static let inputOutputVnode = inputOutput.extended(27)
  /// The system denied the access (Apple).
  public static let inputOutputAuthorization = inputOutput.extended(28)
  /// Beginning an atomic write failed.
  public static let inputOutputBeginAtomic = inputOutput.extended(29)
  /// Finishing an atomic write failed.
  public static let inputOutputCommitAtomic = inputOutput.extended(30)
  /// Undoing an atomic write failed.
  public static let inputOutputRollbackAtomic = inputOutput.extended(31)
  /// The checksum of a page is wrong.
  public static let inputOutputData = inputOutput.extended(32)
  /// The file system is damaged.
  public static let inputOutputCorruptFileSystem = inputOutput.extended(33)
  /// Reading memory that is mapped to the file failed (Windows).
  public static let inputOutputInPage = inputOutput.extended(34)
  /// An encryption extension has the wrong key.
  public static let inputOutputBadKey = inputOutput.extended(35)
  /// An extension failed to encrypt or decrypt.
  public static let inputOutputCodec = inputOutput.extended(36)

  /// The contents of a virtual table are damaged.
  public static let corruptVirtualTable = corrupt.extended(1)
  /// The table `sqlite_sequence` is damaged.
  public static let corruptSequence = corrupt.extended(2)
  /// An index lacks an entry.
  public static let corruptIndex = corrupt.extended(3)

  /// No longer used by SQLite.
  public static let cannotOpenNoTemporaryFolder = cannotOpen.extended(1)
  /// The path is a folder.
  public static let cannotOpenFolder = cannotOpen.extended(2)
  /// The full path cannot be determined.
  public static let cannotOpenFullPath = cannotOpen.extended(3)
  /// The path cannot be converted (Cygwin).
  public static let cannotOpenConvertPath = cannotOpen.extended(4)
  /// Not used by SQLite.
  public static let cannotOpenDirtyLog = cannotOpen.extended(5)
  /// The path is a symbolic link, which must not be followed.
  public static let cannotOpenSymbolicLink = cannotOpen.extended(6)

  /// A `CHECK` constraint failed.
  public static let constraintCheck = constraint.extended(1)
  /// A commit hook turned the commit into a rollback.
  public static let constraintCommitHook = constraint.extended(2)
  /// A foreign key has no parent.
  public static let constraintForeignKey = constraint.extended(3)
  /// A function of an extension reported a violation.
  public static let constraintFunction = constraint.extended(4)
  /// A `NOT NULL` column has no value.
  public static let constraintNotNull = constraint.extended(5)
  /// A primary key exists already.
  public static let constraintPrimaryKey = constraint.extended(6)
  /// A trigger raised an error.
  public static let constraintTrigger = constraint.extended(7)
  /// A unique key exists already.
  public static let constraintUnique = constraint.extended(8)
  /// A virtual table reported a violation.
  public static let constraintVirtualTable = constraint.extended(9)
  /// A rowid exists already.
  public static let constraintRowid = constraint.extended(10)
  /// An update would move or remove a row in use.
  public static let constraintPinned = constraint.extended(11)
  /// A value does not have the type of its `STRICT` column.
  public static let constraintDataType = constraint.extended(12)

  /// Not used by SQLite.
  public static let notAuthorizedUser = notAuthorized.extended(1)

  /// A write-ahead log was recovered; never an error.
  public static let noticeRecoverLog = notice.extended(1)
  /// A journal was played back; never an error.
  public static let noticeRecoverRollback = notice.extended(2)
  /// A notice of the RBU extension; never an error.
  public static let noticeBulkUpdate = notice.extended(3)

  /// SQLite created an index for one query; never an error.
  public static let warningAutomaticIndex = warning.extended(1)
}
