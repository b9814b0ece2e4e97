import CSQLite

/// A failure that SQLite reported, or a use of this library that cannot work.
///
/// Codes are those of <https://www.sqlite.org/rescode.html>. The SQL text is given without the
/// values that were bound to it.
public struct SQLiteError: Error, Equatable, Sendable {
  /// The primary result code, such as `SQLITE_CONSTRAINT` = 19.
  public let code: ResultCode
  /// The extended result code, which says more: 2067 is `SQLITE_CONSTRAINT_UNIQUE`.
  public let extendedCode: Int32
  /// SQLite's message, or this library's.
  public let message: String
  /// The statement that failed, if there was one.
  public let sql: String?

  /// A primary result code.
  public struct ResultCode: RawRepresentable, Hashable, Sendable {
    /// SQLite's number for it.
    public let rawValue: Int32

    /// Makes the code of a number.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// An SQL error, or a use that this library refuses.
    public static let error = ResultCode(rawValue: SQLITE_ERROR)
    /// The operation was ended by a rollback.
    public static let abort = ResultCode(rawValue: SQLITE_ABORT)
    /// Another connection holds the lock.
    public static let busy = ResultCode(rawValue: SQLITE_BUSY)
    /// Memory ran out.
    public static let outOfMemory = ResultCode(rawValue: SQLITE_NOMEM)
    /// The database may not be written.
    public static let readOnly = ResultCode(rawValue: SQLITE_READONLY)
    /// The operation was interrupted.
    public static let interrupted = ResultCode(rawValue: SQLITE_INTERRUPT)
    /// The operating system reported an error while reading or writing.
    public static let inputOutput = ResultCode(rawValue: SQLITE_IOERR)
    /// The file is damaged.
    public static let corrupt = ResultCode(rawValue: SQLITE_CORRUPT)
    /// The disk, or the size that was allowed, is full.
    public static let full = ResultCode(rawValue: SQLITE_FULL)
    /// The file cannot be opened or made.
    public static let cannotOpen = ResultCode(rawValue: SQLITE_CANTOPEN)
    /// A constraint was violated.
    public static let constraint = ResultCode(rawValue: SQLITE_CONSTRAINT)
    /// A value has the wrong type, or is too large.
    public static let mismatch = ResultCode(rawValue: SQLITE_MISMATCH)
    /// A parameter has no value, or a value no parameter.
    public static let range = ResultCode(rawValue: SQLITE_RANGE)
    /// The library was used wrongly, such as a connection that is closed.
    public static let misuse = ResultCode(rawValue: SQLITE_MISUSE)
    /// The file is not a database.
    public static let notADatabase = ResultCode(rawValue: SQLITE_NOTADB)
  }

  init(_ code: ResultCode, _ message: String, sql: String? = nil) {
    self.init(code, extendedCode: code.rawValue, message, sql: sql)
  }

  init(_ code: ResultCode, extendedCode: Int32, _ message: String, sql: String?) {
    self.code = code
    self.extendedCode = extendedCode
    self.message = message
    self.sql = sql
  }
}

extension SQLiteError: CustomStringConvertible {
  /// The message, the extended code and the SQL.
  public var description: String {
    "\(message) (SQLite code \(extendedCode))" + (sql.map { " in: \($0)" } ?? "")
  }
}
