/// The extended codes: each refines a primary code with a second number.
extension SQLiteError.ResultCode {
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
