import CSQLite

/// The current row of a statement; every access checks that the statement has not moved on.
///
/// It retains the statement, and can be stored. Values are copied, except by `memory(at:)`.
@usableFromInline @safe struct CurrentRow {
  private let handle: OpaquePointer
  private let statement: Statement
  private let step: Int
  @usableFromInline let columnCount: Int

  init(_ statement: Statement) {
    unsafe handle = statement.handle
    self.statement = statement
    step = statement.steps
    columnCount = statement.columnCount
  }

  var sql: String { statement.text }

  func name(at column: Int) throws(SQLiteError) -> String {
    let index = try checked(column)
    return unsafe string(sqlite3_column_name(handle, index)) ?? ""
  }

  func place(ofColumn name: String) throws(SQLiteError) -> Int {
    // Another run may have other names.
    guard statement.steps == step else { throw outdatedRowError }
    return try statement.place(ofColumn: name)
  }

  func storageClass(at column: Int) throws(SQLiteError) -> StorageClass {
    let index = try checked(column)
    return StorageClass(rawValue: unsafe sqlite3_column_type(handle, index)) ?? .null
  }

  func integer(at column: Int) throws(SQLiteError) -> Int64? {
    let index = try checked(column)
    let value = unsafe sqlite3_column_int64(handle, index)
    // NULL is read as 0, so only 0 needs a check of the type.
    if value == 0, unsafe sqlite3_column_type(handle, index) == SQLITE_NULL { return nil }
    return value
  }

  func real(at column: Int) throws(SQLiteError) -> Double? {
    let index = try checked(column)
    guard unsafe sqlite3_column_type(handle, index) != SQLITE_NULL else { return nil }
    return unsafe sqlite3_column_double(handle, index)
  }

  func text(at column: Int) throws(SQLiteError) -> String? {
    try unsafe memory(at: column).map { unsafe String(decoding: $0, as: UTF8.self) }
  }

  func bytes(at column: Int) throws(SQLiteError) -> [UInt8]? {
    try unsafe memory(at: column).map { unsafe Array($0) }
  }

  func value(at column: Int) throws(SQLiteError) -> SQLiteValue {
    switch try storageClass(at: column) {
    case .integer: .integer(try integer(at: column) ?? 0)
    case .real: .real(try real(at: column) ?? 0)
    case .text: .text(try text(at: column) ?? "")
    case .blob: .blob(try bytes(at: column) ?? [])
    case .null: .null
    }
  }

  func failure(
    _ code: SQLiteError.ResultCode, at column: Int, _ message: String
  ) -> SQLiteError {
    // The value was just read from that column; without its name the message still has its number.
    let name = (try? name(at: column)) ?? ""
    return SQLiteError(code, "column \(column) (\(name)): \(message)", sql: statement.text)
  }

  /// The memory of a text or blob, or of a number as text, which is valid until the statement moves on; nil for NULL.
  ///
  /// The length is requested first, which makes SQLite convert other encodings and numbers to
  /// UTF-8. The text of a blob is never requested, since that might move the bytes during a read.
  @unsafe func memory(at column: Int) throws(SQLiteError) -> UnsafeBufferPointer<UInt8>? {
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
        throw SQLiteError(.outOfMemory, "out of memory for the text of column \(index)")
      }
    }
    return unsafe UnsafeBufferPointer(start: nil, count: 0)
  }

  /// The checked column number as SQLite's type.
  ///
  /// Inlined into every read, with the messages in a separate function.
  @inline(__always)
  private func checked(_ column: Int) throws(SQLiteError) -> Int32 {
    guard statement.steps == step, 0 <= column, column < columnCount else {
      throw refusal(of: column)
    }
    return Int32(truncatingIfNeeded: column)
  }

  private func refusal(of column: Int) -> SQLiteError {
    guard statement.steps == step else { return outdatedRowError }
    return SQLiteError(
      .range, "no column \(column) in the row (it has \(counted(columnCount, "column")))",
      sql: statement.text)
  }

  private var outdatedRowError: SQLiteError {
    SQLiteError(.misuse, "the row is no longer valid: its cursor has moved on", sql: statement.text)
  }
}
