import CSQLite

/// One row of a result, valid until its cursor advances.
///
/// Columns are identified by name, ignoring the case of ASCII letters, or by number, from 0. An
/// unknown name or number is an error with the code `range`. NULL is nil.
///
/// The subscripts `row["name"]` and `row[0]` refuse values of another storage class, unless the row is read with
/// `decoding: .lenient`. The methods named after a storage class, such as ``text(at:)``, convert values in every mode,
/// as SQLite does (<https://www.sqlite.org/c3ref/column_blob.html>).
///
/// ```swift
/// try connection.forEachRow(of: "SELECT part_num, name FROM parts") { row in
///   let name: String? = try row["name"]
///   names[try row["part_num"]] = name
/// }
/// ```
@safe public struct Row: ~Escapable {
  let current: CurrentRow
  /// The mode that was requested for the rows, if any.
  private let mode: DecodingMode?

  @_lifetime(immortal)
  init(_ statement: Statement, _ mode: DecodingMode?) {
    current = CurrentRow(statement)
    self.mode = mode
  }

  /// The number of columns.
  public var columnCount: Int { current.columnCount }

  /// The name of a column in the query's result.
  public func name(at column: Int) throws(SQLiteError) -> String { try current.name(at: column) }

  /// Reads a column by name as any type of one column, such as `Bool`, `Int?` or an enumeration.
  ///
  /// - Throws: `SQLiteError` with `range` if no column or more than one has the name; with `mismatch` if the value is
  ///   not valid for the type, or has another storage class and the row is not read leniently.
  @inlinable
  public subscript<Value: QueryDecodable>(_ column: String) -> Value {
    get throws(SQLiteError) {
      var decoder = try decoder(ofColumn: column)
      return try Value(decoder: &decoder)
    }
  }

  /// Reads a column by number as any type of one column.
  @inlinable
  public subscript<Value: QueryDecodable>(_ column: Int) -> Value {
    get throws(SQLiteError) {
      var decoder = decoder(at: column)
      return try Value(decoder: &decoder)
    }
  }

  /// Copies the value of a column by name, in its own storage class; used if no type is requested.
  @_disfavoredOverload
  public subscript(_ column: String) -> SQLiteValue {
    get throws(SQLiteError) { try current.value(at: try current.index(ofColumn: column)) }
  }

  /// Copies the value of a column by number, in its own storage class.
  @_disfavoredOverload
  public subscript(_ column: Int) -> SQLiteValue {
    get throws(SQLiteError) { try current.value(at: column) }
  }

  /// Whether the value is NULL.
  public func isNull(at column: Int) throws(SQLiteError) -> Bool {
    try current.storageClass(at: column) == .null
  }

  /// The value as an integer, converted as SQLite does: 0 for text without a number.
  public func integer(at column: Int) throws(SQLiteError) -> Int64? {
    try current.integer(at: column)
  }

  /// The value as a floating-point number, converted as SQLite does.
  public func real(at column: Int) throws(SQLiteError) -> Double? { try current.real(at: column) }

  /// A copy of the value as text, converted as SQLite does; U+FFFD replaces bytes that are not UTF-8.
  public func text(at column: Int) throws(SQLiteError) -> String? { try current.text(at: column) }

  /// A copy of the bytes of a text or blob, or of a number as text.
  public func bytes(at column: Int) throws(SQLiteError) -> [UInt8]? {
    try current.bytes(at: column)
  }

  /// Passes the bytes of a text or blob to a closure, without copying them.
  ///
  /// ```swift
  /// try connection.forEachRow(of: "SELECT name FROM parts") { row in
  ///   bytes += try row.withBytes(at: 0) { name in name.count } ?? 0
  /// }
  /// ```
  ///
  /// - Returns: The result of `body`; nil for NULL.
  @inlinable
  public func withBytes<Result>(
    at column: Int, _ body: (Span<UInt8>) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result? {
    // Inlined, since the closure is known only at the call: saves a quarter of a row's time.
    guard let memory = try unsafe memory(at: column) else { return nil }
    return try body(unsafe Span(_unsafeElements: memory))
  }

  /// A copy of the value in its own storage class.
  public func value(at column: Int) throws(SQLiteError) -> SQLiteValue {
    try current.value(at: column)
  }

  /// Copies of all values, in the order of the columns.
  public var values: [SQLiteValue] { get throws(SQLiteError) { try values(isStrict: false) } }

  func values(isStrict: Bool) throws(SQLiteError) -> [SQLiteValue] {
    var values: [SQLiteValue] = []
    values.reserveCapacity(columnCount)
    for column in 0..<columnCount {
      values.append(try current.value(at: column, isStrict: isStrict))
    }
    return values
  }

  /// Returns a decoder that starts at the first column.
  ///
  /// It can be stored; reads after the cursor has moved on are errors with the code `misuse`.
  ///
  /// By default it has the mode of the typed query, or the one requested for the rows; without one
  /// it is lenient, as drivers of query builders need it.
  public func decoder(decoding mode: DecodingMode? = nil) -> SQLiteQueryDecoder {
    SQLiteQueryDecoder(current, mode ?? self.mode ?? .lenient)
  }

  @usableFromInline
  func decoder(at column: Int) -> SQLiteQueryDecoder {
    SQLiteQueryDecoder(current, mode ?? .strict, column: column)
  }

  @usableFromInline
  func decoder(ofColumn name: String) throws(SQLiteError) -> SQLiteQueryDecoder {
    SQLiteQueryDecoder(current, mode ?? .strict, column: try current.index(ofColumn: name))
  }

  @unsafe @usableFromInline
  func memory(at column: Int) throws(SQLiteError) -> UnsafeBufferPointer<UInt8>? {
    try unsafe current.memory(at: column)
  }
}

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

  func index(ofColumn name: String) throws(SQLiteError) -> Int {
    guard let column = try column(name) else { throw columnNameError(name) }
    return column
  }

  /// The only column of that name; nil if there is none or more than one.
  func column(_ name: String) throws(SQLiteError) -> Int? {
    // Another run may have other names.
    guard statement.steps == step else { throw outdatedRowError }
    return statement.column(name)
  }

  func columnNameError(_ name: String) -> SQLiteError { statement.columnNameError(name) }

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

  /// The text, which must be UTF-8.
  func strictText(at column: Int) throws(SQLiteError) -> String? {
    guard let memory = try unsafe memory(at: column) else { return nil }
    // A fifth of the time of String(validating:as:).
    guard let text = try? unsafe UTF8Span(validating: Span(_unsafeElements: memory)) else {
      throw failure(.mismatch, at: column, "expected text in UTF-8, found other bytes")
    }
    return String(copying: text)
  }

  func bytes(at column: Int) throws(SQLiteError) -> [UInt8]? {
    try unsafe memory(at: column).map { unsafe Array($0) }
  }

  func value(at column: Int, isStrict: Bool = false) throws(SQLiteError) -> SQLiteValue {
    switch try storageClass(at: column) {
    case .integer: .integer(try integer(at: column) ?? 0)
    case .real: .real(try real(at: column) ?? 0)
    case .text: .text(try (isStrict ? strictText(at: column) : text(at: column)) ?? "")
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
