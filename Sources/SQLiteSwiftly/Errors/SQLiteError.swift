import CSQLite

/// An error reported by SQLite, or a misuse of this library.
///
/// Codes are those of <https://www.sqlite.org/rescode.html>. The SQL text does not include bound values.
///
/// ```swift
/// do throws(SQLiteError) {
///   try connection.execute("INSERT INTO parts VALUES ('3001', 'Brick')")
/// } catch {
///   guard error.extendedCode == .constraintPrimaryKey else { throw error }
///   isThere = true
/// }
/// ```
public struct SQLiteError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The extended result code, such as `SQLITE_CONSTRAINT_UNIQUE`; equal to `code` if SQLite reports no details.
  public let extendedCode: ResultCode
  /// SQLite's message, perhaps with a hint, or this library's.
  public let message: String
  /// The statement that failed, if any.
  public let sql: String?
  /// The message without the path of a file that could not be opened.
  package let reason: String

  /// Creates an error with a primary or extended code, for example in the conversion of a value.
  public init(_ code: ResultCode, _ message: String, sql: String? = nil) {
    self.init(code, opening: nil, message, sql: sql)
  }

  /// The failure to open the file at `path`, unless that is nil.
  package init(_ code: ResultCode, opening path: String?, _ reason: String, sql: String? = nil) {
    extendedCode = code
    message = path.map { "\($0): \(reason)" } ?? reason
    self.reason = reason
    self.sql = sql
  }

  init(_ code: Int32, on handle: OpaquePointer?, sql: String?) {
    // The connection may still hold the message of an earlier failure.
    let hasMessage = unsafe handle != nil && sqlite3_extended_errcode(handle) & 0xff == code & 0xff
    let message = unsafe String(cString: hasMessage ? sqlite3_errmsg(handle) : sqlite3_errstr(code))
    let cause = unsafe String(cString: sqlite3_errstr(code))
    // A virtual table reports a failure, but not that the disk or the memory caused it.
    let isKnown =
      message.contains(cause) || ![SQLITE_IOERR, SQLITE_FULL, SQLITE_NOMEM].contains(code & 0xff)
    self.init(ResultCode(rawValue: code), isKnown ? message : "\(message): \(cause)", sql: sql)
  }

  /// The same error with the place or the consequence before its message.
  @usableFromInline package func prefixed(by words: String) -> SQLiteError {
    SQLiteError(extendedCode, "\(words): \(message)", sql: sql)
  }

  /// The primary result code, such as `SQLITE_CONSTRAINT`.
  public var code: ResultCode { extendedCode.primary }

  /// An error of a type's own coding at a path, without its description, which may contain a value.
  init(
    coding error: any Error, of type: Any.Type, at path: [any CodingKey] = [], sql: String? = nil
  ) {
    var path = path
    var problem = "not a valid value for \(type)"
    switch error {
    case let error as SQLiteError:
      self = error
      return
    case DecodingError.typeMismatch(let expected, let context),
      DecodingError.valueNotFound(let expected, let context):
      path = context.codingPath
      problem = "expected a value of type \(expected)"
    case DecodingError.keyNotFound(let key, let context):
      path = context.codingPath + [key]
      problem = "expected a value"
    case DecodingError.dataCorrupted(let context): path = context.codingPath
    case EncodingError.invalidValue(_, let context): path = context.codingPath
    default: problem = "coding \(type) failed with an error of type \(Swift.type(of: error))"
    }
    let place = path.map(\.stringValue).joined(separator: ".")
    self.init(.mismatch, place.isEmpty ? problem : "\(place): \(problem)", sql: sql)
  }

  /// The message, the extended code's name and number, and the SQL.
  public var description: String {
    "\(message) (\(extendedCode.name), \(extendedCode.rawValue))" + (sql.map { " in: \($0)" } ?? "")
  }
}

extension Connection {
  /// What to do about the error of a statement, where it does not follow from SQLite's message.
  func hint(for error: SQLiteError) -> String {
    switch error.extendedCode {
    case .busy where busyTimeout == .zero: "; set busyTimeout to wait for the lock"
    case .busySnapshot: "; run the whole transaction again"
    case .locked: "; finish the cursors of this connection first"
    case .readOnly where isPooled: "; only the pool's write can write"
    case .constraintForeignKey where error.sql == "COMMIT":
      "; foreignKeyViolations() lists the rows before the commit"
    default: ""
    }
  }

  /// Nil after a success, and on an unusable connection, whose error is thrown elsewhere.
  var lastErrorMessage: String? {
    guard let handle = try? unsafe openHandle(),
      ![SQLITE_OK, SQLITE_ROW, SQLITE_DONE].contains(unsafe sqlite3_errcode(handle))
    else { return nil }
    return unsafe String(cString: sqlite3_errmsg(handle))
  }
}
