import CSQLite

/// A prepared statement, finalized when its only owner goes out of scope.
///
/// It may outlive the caller's last reference to its connection.
@safe struct Statement: ~Copyable {
  private let handle: OpaquePointer
  let text: String

  /// Compiles one statement; `isPersistent` says that it is kept for many runs.
  init(_ text: String, on connection: Connection, isPersistent: Bool = false) throws(SQLiteError) {
    let database = try unsafe connection.openHandle()
    guard !text.utf8.contains(0) else {
      throw SQLiteError(.misuse, "There is a NUL in the SQL", sql: text)
    }
    var handle: OpaquePointer?
    var next: OpaquePointer?
    let flags = UInt32(isPersistent ? SQLITE_PREPARE_PERSISTENT : 0)
    let bytes = Array(text.utf8)
    let (code, nextCode) = unsafe bytes.withUnsafeBytes { bytes in
      var tail: UnsafePointer<CChar>?
      let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      // SQLite refuses text that is too long, far below the largest count.
      let code = unsafe sqlite3_prepare_v3(
        database, start, Int32(clamping: bytes.count), flags, &handle, &tail)
      guard code == SQLITE_OK, let start = unsafe start, let tail = unsafe tail else {
        return (code, SQLITE_OK)
      }
      // Blanks, comments and semicolons may follow, which are nothing to SQLite.
      let rest = unsafe Int32(clamping: bytes.count - start.distance(to: tail))
      return (code, unsafe sqlite3_prepare_v3(database, tail, rest, 0, &next, nil))
    }
    guard code == SQLITE_OK else { throw unsafe SQLiteError(code, on: database, sql: text) }
    guard let handle = unsafe handle else {
      throw SQLiteError(.misuse, "There is no statement in the SQL", sql: text)
    }
    guard nextCode == SQLITE_OK, unsafe next == nil else {
      unsafe sqlite3_finalize(handle)
      unsafe sqlite3_finalize(next)
      throw SQLiteError(.misuse, "There is a second statement in the SQL", sql: text)
    }
    unsafe self.handle = handle
    self.text = text
  }

  deinit { unsafe sqlite3_finalize(handle) }

  var parameterCount: Int { Int(unsafe sqlite3_bind_parameter_count(handle)) }

  /// Runs the statement from its beginning and gives each row of the result to `body`.
  ///
  /// It is then ready for another run. The values are those of its parameters, in their order.
  mutating func run(
    _ values: [SQLiteValue], forEachRow body: (borrowing Row) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    guard values.count == parameterCount else {
      let message =
        "The SQL has \(parameterCount) parameters, but \(values.count) values were given"
      throw SQLiteError(.range, message, sql: text)
    }
    // The code that a reset returns is that of the run, which has been thrown already.
    defer { unsafe sqlite3_reset(handle) }
    for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
    while true {
      let code = unsafe sqlite3_step(handle)
      if code == SQLITE_DONE { return }
      try check(code, is: SQLITE_ROW)
      try body(unsafe Row(handle))
    }
  }

  /// Runs a statement whose rows, if it has any, nobody wants.
  mutating func run(_ values: [SQLiteValue] = []) throws(SQLiteError) {
    try run(values) { _ throws(SQLiteError) in }
  }

  private func bind(_ value: SQLiteValue, at index: Int32) throws(SQLiteError) {
    let code =
      switch value {
      case .null: unsafe sqlite3_bind_null(handle, index)
      case .integer(let value): unsafe sqlite3_bind_int64(handle, index, value)
      case .real(let value): unsafe sqlite3_bind_double(handle, index, value)
      case .text(let value):
        unsafe value.utf8Span.span.withUnsafeBytes { bytes in
          unsafe csqlite_bind_text(handle, index, bytes.baseAddress, UInt64(bytes.count))
        }
      case .blob(let value):
        unsafe value.withUnsafeBytes { bytes in
          unsafe csqlite_bind_blob(handle, index, bytes.baseAddress, UInt64(bytes.count))
        }
      }
    try check(code, is: SQLITE_OK)
  }

  private func check(_ code: Int32, is expected: Int32) throws(SQLiteError) {
    guard code == expected else {
      throw unsafe SQLiteError(code, on: sqlite3_db_handle(handle), sql: text)
    }
  }
}

/// One row of a result, valid until the statement goes on to the next.
@safe struct Row: ~Copyable {
  private let handle: OpaquePointer

  fileprivate init(_ handle: OpaquePointer) { unsafe self.handle = handle }

  var values: [SQLiteValue] {
    let count = unsafe sqlite3_column_count(handle)
    return (0..<count).map { value(at: $0) }
  }

  private func value(at column: Int32) -> SQLiteValue {
    switch unsafe sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: return .integer(unsafe sqlite3_column_int64(handle, column))
    case SQLITE_FLOAT: return .real(unsafe sqlite3_column_double(handle, column))
    case SQLITE_TEXT:
      let start = unsafe sqlite3_column_text(handle, column)
      let count = Int(unsafe sqlite3_column_bytes(handle, column))
      let bytes = unsafe UnsafeBufferPointer(start: start, count: count)
      return unsafe .text(String(decoding: bytes, as: UTF8.self))
    case SQLITE_BLOB:
      let start = unsafe sqlite3_column_blob(handle, column)
      let count = Int(unsafe sqlite3_column_bytes(handle, column))
      return unsafe .blob(Array(UnsafeRawBufferPointer(start: start, count: count)))
    default: return .null
    }
  }
}
