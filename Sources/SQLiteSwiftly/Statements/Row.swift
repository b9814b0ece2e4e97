import CSQLite

/// One row of a result, which is valid until its cursor advances.
///
/// Columns are numbered from 0. A number that the row does not have is an error with the code
/// `range`. Values of another storage class than the one asked for are converted as SQLite does
/// (<https://www.sqlite.org/c3ref/column_blob.html>); NULL is nil.
///
/// ```swift
/// try connection.forEachRow(of: "SELECT part_num, name FROM parts") { row in
///   guard try !row.isNull(at: 1) else { return }
///   names.append(try row.text(at: 1) ?? "")
/// }
/// ```
@safe public struct Row: ~Escapable {
  private let handle: OpaquePointer
  private let statement: Statement
  // The compiler lets some rows escape, which must not read what is gone.
  private let step: Int
  /// The number of columns.
  public let columnCount: Int

  @_lifetime(immortal)
  init(_ statement: Statement) {
    unsafe handle = statement.handle
    self.statement = statement
    step = statement.steps
    columnCount = Int(unsafe sqlite3_column_count(handle))
  }

  /// The name of a column, as the query gives it.
  public func name(at column: Int) throws(SQLiteError) -> String {
    let index = try checked(column)
    return unsafe sqlite3_column_name(handle, index).map { unsafe String(cString: $0) } ?? ""
  }

  /// Whether the value is NULL.
  public func isNull(at column: Int) throws(SQLiteError) -> Bool {
    let index = try checked(column)
    return unsafe sqlite3_column_type(handle, index) == SQLITE_NULL
  }

  /// The value as an integer.
  public func integer(at column: Int) throws(SQLiteError) -> Int64? {
    let index = try checked(column)
    let value = unsafe sqlite3_column_int64(handle, index)
    // NULL is read as 0, so that the type has to be looked at only then.
    if value == 0, unsafe sqlite3_column_type(handle, index) == SQLITE_NULL { return nil }
    return value
  }

  /// The value as a floating-point number.
  public func real(at column: Int) throws(SQLiteError) -> Double? {
    let index = try checked(column)
    guard unsafe sqlite3_column_type(handle, index) != SQLITE_NULL else { return nil }
    return unsafe sqlite3_column_double(handle, index)
  }

  /// A copy of the value as text; U+FFFD stands for bytes that are not UTF-8.
  public func text(at column: Int) throws(SQLiteError) -> String? {
    try unsafe memory(at: column).map { unsafe String(decoding: $0, as: UTF8.self) }
  }

  /// A copy of the bytes of a text or blob.
  public func bytes(at column: Int) throws(SQLiteError) -> [UInt8]? {
    try unsafe memory(at: column).map { unsafe Array($0) }
  }

  /// Passes the bytes of a text or blob to a closure, in place and without a copy.
  ///
  /// ```swift
  /// try connection.forEachRow(of: "SELECT name FROM parts") { row in
  ///   bytes += try row.withBytes(at: 0) { name in name.count } ?? 0
  /// }
  /// ```
  ///
  /// - Returns: What `body` returns; nil for NULL.
  @inlinable
  public func withBytes<Result>(
    at column: Int, _ body: (Span<UInt8>) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result? {
    // Inlined since the closure is known only where this is called: a quarter of a row's time less.
    guard let memory = try unsafe memory(at: column) else { return nil }
    return try body(unsafe Span(_unsafeElements: memory))
  }

  /// A copy of the value in the storage class that it has.
  public func value(at column: Int) throws(SQLiteError) -> SQLiteValue {
    let index = try checked(column)
    switch unsafe sqlite3_column_type(handle, index) {
    case SQLITE_INTEGER: return .integer(unsafe sqlite3_column_int64(handle, index))
    case SQLITE_FLOAT: return .real(unsafe sqlite3_column_double(handle, index))
    case SQLITE_TEXT: return .text(try text(at: column) ?? "")
    case SQLITE_BLOB: return .blob(try bytes(at: column) ?? [])
    default: return .null
    }
  }

  /// Copies of all values, in the order of the columns.
  public var values: [SQLiteValue] {
    get throws(SQLiteError) {
      var values: [SQLiteValue] = []
      values.reserveCapacity(columnCount)
      for column in 0..<columnCount { values.append(try value(at: column)) }
      return values
    }
  }

  /// A decoder that reads the columns from the first on.
  @_lifetime(copy self)
  public func decoder(_ mode: DecodingMode = .lenient) -> SQLiteQueryDecoder {
    let decoder = SQLiteQueryDecoder(self, mode)
    return unsafe _overrideLifetime(decoder, copying: self)
  }

  /// The storage class of a value, by SQLite's number.
  func storage(at column: Int) throws(SQLiteError) -> Int32 {
    let index = try checked(column)
    return unsafe sqlite3_column_type(handle, index)
  }

  /// The error of what was read from a column.
  func failure(
    _ code: SQLiteError.ResultCode, at column: Int, _ words: String
  ) -> SQLiteError {
    // The value was read from that column just now; without its name the message still has its number.
    let name = (try? name(at: column)) ?? ""
    return SQLiteError(code, "column \(column) (\(name)) \(words)", sql: statement.text)
  }

  /// The memory of a text or blob, or of a number written as text, which stays where it is until the
  /// cursor goes on; nil for NULL.
  ///
  /// The length is asked for first, at which SQLite makes UTF-8 of what is neither that nor a blob.
  /// It is never asked for the text of a blob, since that might move the bytes while they are read.
  @unsafe @usableFromInline
  func memory(at column: Int) throws(SQLiteError) -> UnsafeBufferPointer<UInt8>? {
    let index = try checked(column)
    let count = Int(unsafe sqlite3_column_bytes(handle, index))
    if count > 0, let start = unsafe sqlite3_column_blob(handle, index) {
      return unsafe UnsafeBufferPointer(
        start: start.assumingMemoryBound(to: UInt8.self), count: count)
    }
    switch unsafe sqlite3_column_type(handle, index) {
    case SQLITE_NULL: return nil
    case SQLITE_BLOB: break
    default:
      guard unsafe sqlite3_column_text(handle, index) != nil else {
        throw SQLiteError(.outOfMemory, "There is no memory for the text of column \(index)")
      }
    }
    return unsafe UnsafeBufferPointer(start: nil, count: 0)
  }

  /// The number of a column as SQLite takes it.
  ///
  /// Inlined into what reads a value, with the messages apart.
  @inline(__always)
  private func checked(_ column: Int) throws(SQLiteError) -> Int32 {
    guard statement.steps == step, 0 <= column, column < columnCount else {
      throw refusal(of: column)
    }
    return Int32(truncatingIfNeeded: column)
  }

  private func refusal(of column: Int) -> SQLiteError {
    statement.steps == step
      ? SQLiteError(
        .range, "There is no column \(column) in a row of \(counted(columnCount, "column"))",
        sql: statement.text)
      : SQLiteError(.misuse, "The row is gone: its cursor has left it", sql: statement.text)
  }
}

/// The SQL that a statement was compiled from, with the parameters' names in it and not their values.
@unsafe func text(of handle: OpaquePointer) -> String {
  unsafe sqlite3_sql(handle).map { unsafe String(cString: $0) } ?? ""
}
