import CSQLite

/// A failure that SQLite reported, or a use of this library that cannot work.
///
/// Codes are those of <https://www.sqlite.org/rescode.html>. The SQL text is given without the
/// values that were bound to it.
///
/// ```swift
/// do throws(SQLiteError) {
///   try connection.execute("INSERT INTO parts VALUES ('3001', 'Brick')")
/// } catch {
///   guard error.extendedCode == .constraintPrimaryKey else { throw error }
///   isThere = true
/// }
/// ```
public struct SQLiteError: Error, Equatable, Sendable {
  /// The extended result code, which says more, such as `SQLITE_CONSTRAINT_UNIQUE`; it is equal to
  /// `code` where SQLite has no more to say.
  public let extendedCode: ResultCode
  /// SQLite's message, or this library's.
  public let message: String
  /// The statement that failed, if there was one.
  public let sql: String?

  /// Makes an error, such as one that a closure or a value's own conversion throws.
  ///
  /// ```swift
  /// guard let name = try connection.first(sql, as: String.self) else {
  ///   throw SQLiteError(.notFound, "no part is so new", sql: sql.text)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - code: the result code, primary or extended.
  ///   - message: what happened.
  ///   - sql: the statement at fault, without its values.
  public init(_ code: ResultCode, _ message: String, sql: String? = nil) {
    extendedCode = code
    self.message = message
    self.sql = sql
  }

  init(_ code: Int32, on handle: OpaquePointer?, sql: String?) {
    // The words that the connection holds may be those of an earlier failure.
    let hasWords = unsafe handle != nil && sqlite3_extended_errcode(handle) & 0xff == code & 0xff
    let words = unsafe String(cString: hasWords ? sqlite3_errmsg(handle) : sqlite3_errstr(code))
    let cause = unsafe String(cString: sqlite3_errstr(code))
    // A virtual table says that it failed, and not that it was the disk or the memory.
    let isKnown =
      words.contains(cause) || ![SQLITE_IOERR, SQLITE_FULL, SQLITE_NOMEM].contains(code & 0xff)
    self.init(
      ResultCode(rawValue: code), isKnown ? words : "\(words): \(cause)", sql: sql)
  }

  /// The primary result code, such as `SQLITE_CONSTRAINT`.
  ///
  /// ```swift
  /// do throws(SQLiteError) {
  ///   try connection.execute("INSERT INTO parts VALUES ('3001', NULL, NULL)")
  /// } catch {
  ///   guard error.code == .constraint else { throw error }
  ///   refused += 1
  /// }
  /// ```
  public var code: ResultCode { extendedCode.primary }
}

extension SQLiteError: CustomStringConvertible {
  /// The message, the extended code's name and number, and the SQL.
  public var description: String {
    "\(message) (\(extendedCode.name), \(extendedCode.rawValue))" + (sql.map { " in: \($0)" } ?? "")
  }
}

extension Connection {
  /// SQLite's words for the last call on this connection if it failed; nil if it did not, and on a
  /// closed connection.
  ///
  /// It says no more than the error that was thrown, and must decide nothing.
  var lastErrorMessage: String? {
    // A connection that cannot be used has no last call, and the error that says so is thrown elsewhere.
    guard let handle = try? unsafe openHandle(),
      ![SQLITE_OK, SQLITE_ROW, SQLITE_DONE].contains(unsafe sqlite3_errcode(handle))
    else { return nil }
    return unsafe String(cString: sqlite3_errmsg(handle))
  }
}
