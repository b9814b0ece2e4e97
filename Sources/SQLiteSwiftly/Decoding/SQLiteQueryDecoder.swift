import CSQLite

/// Reads the columns of a row of a SQLite statement; it is met in the closure of a query.
@safe public struct SQLiteQueryDecoder: QueryDecoder, ~Copyable, ~Escapable {
  private let handle: OpaquePointer
  private let columnCount: Int
  private var index: Int32 = 0
  /// Whether a value of another storage class than the one asked for is an error.
  public let isStrict: Bool

  @_lifetime(immortal)
  init(_ handle: OpaquePointer, columnCount: Int, _ mode: DecodingMode) {
    unsafe self.handle = handle
    self.columnCount = columnCount
    isStrict = mode == .strict
  }

  /// Reads the next column as bytes, which are copied; a text is its UTF-8.
  @_lifetime(self: copy self)
  public mutating func decode(_ type: [UInt8].Type) throws(SQLiteError) -> [UInt8]? {
    guard let column = try next(.blob) else { return nil }
    return unsafe Array(try columnBytes(of: handle, at: column))
  }

  /// Reads the next column as a floating-point number.
  @_lifetime(self: copy self)
  public mutating func decode(_ type: Double.Type) throws(SQLiteError) -> Double? {
    guard let column = try next(.real) else { return nil }
    return unsafe sqlite3_column_double(handle, column)
  }

  /// Reads the next column as an integer of 64 bits.
  @_lifetime(self: copy self)
  public mutating func decode(_ type: Int64.Type) throws(SQLiteError) -> Int64? {
    guard let column = try next(.integer) else { return nil }
    return unsafe sqlite3_column_int64(handle, column)
  }

  /// Reads the next column as text, which is copied, NUL characters included; U+FFFD stands for bytes
  /// that are not UTF-8.
  @_lifetime(self: copy self)
  public mutating func decode(_ type: String.Type) throws(SQLiteError) -> String? {
    guard let column = try next(.text) else { return nil }
    return unsafe String(decoding: try columnBytes(of: handle, at: column), as: UTF8.self)
  }

  /// Reads the next column as a truth value: whether the integer is other than 0.
  @_lifetime(self: copy self)
  public mutating func decode(_ type: Bool.Type) throws(SQLiteError) -> Bool? {
    try decode(Int64.self).map { $0 != 0 }
  }

  /// Reads the next column as an integer.
  @_lifetime(self: copy self)
  public mutating func decode(_ type: Int.Type) throws(SQLiteError) -> Int? {
    try decode(Int64.self).map { Int($0) }
  }

  /// The error of a problem with the column that was read last.
  public func failure(_ problem: QueryDecodingProblem) -> SQLiteError {
    decodingError(problem.code, problem.words)
  }

  /// The next column, or nil if it is NULL.
  @_lifetime(self: copy self)
  private mutating func next(_ expected: StorageClass) throws(SQLiteError) -> Int32? {
    guard index < columnCount else {
      throw unsafe noSuchColumn(Int(index), of: handle, columnCount: columnCount)
    }
    let column = index
    index += 1
    let code = unsafe sqlite3_column_type(handle, column)
    if code == SQLITE_NULL { return nil }
    guard !isStrict || code == expected.rawValue else {
      let found = StorageClass(rawValue: code) ?? .null
      throw decodingError(.mismatch, found.mismatch(expected))
    }
    return column
  }

  private func decodingError(_ code: SQLiteError.ResultCode, _ words: String) -> SQLiteError {
    let name = unsafe sqlite3_column_name(handle, index - 1).map { unsafe String(cString: $0) }
    return unsafe SQLiteError(
      code, "column \(index - 1) (\(name ?? "")) \(words)", sql: text(of: handle))
  }
}
