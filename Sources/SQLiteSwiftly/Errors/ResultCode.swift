extension SQLiteError {
  /// A result code of SQLite's, primary or extended (<https://www.sqlite.org/rescode.html>).
  ///
  /// ```swift
  /// switch error.code {
  /// case .busy, .locked: action = "try again"
  /// case .constraint: action = "leave it out"
  /// default: throw error
  /// }
  /// ```
  public struct ResultCode: RawRepresentable, Hashable, Sendable {
    /// SQLite's number for it.
    public let rawValue: Int32

    /// Makes the code of a number, which need not be one that this library knows.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// The primary code: what an extended one makes more precise, and any other one itself.
    public var primary: ResultCode { ResultCode(rawValue: rawValue & 0xff) }

    /// SQLite's name, such as `SQLITE_CONSTRAINT_UNIQUE`.
    ///
    /// An extended code that this library does not know has the name of its primary one and its
    /// number, as in `SQLITE_CONSTRAINT_25363`, and any other one is `SQLITE_CODE_99`.
    public var name: String {
      Self.names[self] ?? (Self.names[primary] ?? "SQLITE_CODE") + "_\(rawValue)"
    }
  }
}

extension SQLiteError.ResultCode: CustomStringConvertible {
  /// The name.
  public var description: String { name }
}

/// The primary codes.
extension SQLiteError.ResultCode {
  /// Success.
  public static let ok = Self(rawValue: 0)
  /// An SQL error, or a use that this library refuses.
  public static let error = Self(rawValue: 1)
  /// A fault within SQLite.
  public static let internalError = Self(rawValue: 2)
  /// The access that was asked for a new database cannot be had.
  public static let permissionDenied = Self(rawValue: 3)
  /// The operation was given up, as a read is when its transaction is rolled back.
  public static let abort = Self(rawValue: 4)
  /// Another connection holds the lock.
  public static let busy = Self(rawValue: 5)
  /// A statement of the same connection, or of one that shares its cache, is in the way.
  public static let locked = Self(rawValue: 6)
  /// Memory ran out.
  public static let outOfMemory = Self(rawValue: 7)
  /// The database may not be written.
  public static let readOnly = Self(rawValue: 8)
  /// The operation was interrupted.
  public static let interrupted = Self(rawValue: 9)
  /// The operating system reported an error while reading or writing.
  public static let inputOutput = Self(rawValue: 10)
  /// The file is damaged.
  public static let corrupt = Self(rawValue: 11)
  /// SQLite does not know what it was asked to control.
  public static let notFound = Self(rawValue: 12)
  /// The disk, or the size that was allowed, is full.
  public static let full = Self(rawValue: 13)
  /// The file cannot be opened or made.
  public static let cannotOpen = Self(rawValue: 14)
  /// Connections cannot agree on the locks of a write-ahead log.
  public static let lockingProtocol = Self(rawValue: 15)
  /// Not used by SQLite.
  public static let empty = Self(rawValue: 16)
  /// The schema changed too often while a statement was to be run.
  public static let schemaChanged = Self(rawValue: 17)
  /// A text, a blob or a statement is too large.
  public static let tooBig = Self(rawValue: 18)
  /// A constraint was violated.
  public static let constraint = Self(rawValue: 19)
  /// A value has the wrong type for where it is used.
  public static let mismatch = Self(rawValue: 20)
  /// The library was used wrongly, such as a connection that is closed.
  public static let misuse = Self(rawValue: 21)
  /// The system cannot have files as large as the database.
  public static let noLargeFiles = Self(rawValue: 22)
  /// An authorizer does not allow the statement.
  public static let notAuthorized = Self(rawValue: 23)
  /// Not used by SQLite.
  public static let format = Self(rawValue: 24)
  /// A parameter has no value, or a value no parameter.
  public static let range = Self(rawValue: 25)
  /// The file is not a database.
  public static let notADatabase = Self(rawValue: 26)
  /// A notice in SQLite's log; never an error.
  public static let notice = Self(rawValue: 27)
  /// A warning in SQLite's log; never an error.
  public static let warning = Self(rawValue: 28)
  /// A statement has a row; never an error.
  public static let row = Self(rawValue: 100)
  /// A statement has come to its end; never an error.
  public static let done = Self(rawValue: 101)
}
