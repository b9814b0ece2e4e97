/// One row of a result, which is valid until its cursor advances.
///
/// Columns are found by their names, without regard to the case of ASCII letters, or numbered from 0. A
/// name or number that the row does not have is an error with the code `range`. Values of another storage
/// class than the one asked for are converted as SQLite does
/// (<https://www.sqlite.org/c3ref/column_blob.html>); NULL is nil.
///
/// ```swift
/// try connection.forEachRow(of: "SELECT part_num, name FROM parts") { row in
///   let name: String? = try row["name"]
///   names[try row["part_num"]] = name
/// }
/// ```
@safe public struct Row: ~Escapable {
  private let current: CurrentRow
  let mode: DecodingMode

  @_lifetime(immortal)
  init(_ statement: Statement, _ mode: DecodingMode) {
    current = CurrentRow(statement)
    self.mode = mode
  }

  /// The number of columns.
  public var columnCount: Int { current.columnCount }

  /// The name of a column, as the query gives it.
  public func name(at column: Int) throws(SQLiteError) -> String { try current.name(at: column) }

  /// The value of the column of a name, read as a type that one column can hold, such as `Bool`, `Int?`
  /// or an enumeration.
  ///
  /// ```swift
  /// try connection.forEachRow(of: "SELECT part_num, name FROM parts") { row in
  ///   let number: String = try row["Part_Num"]
  ///   names[number] = try row["name"] as String?
  /// }
  /// ```
  ///
  /// - Throws: `SQLiteError` with `range` if no column has the name, or more than one; with `mismatch` if
  ///   the value is none of the type.
  @inlinable
  public subscript<Value: QueryDecodable>(_ column: String) -> Value {
    get throws(SQLiteError) {
      var decoder = try decoder(ofColumn: column)
      return try Value(decoder: &decoder)
    }
  }

  /// The value of the column of a number, read as a type that one column can hold.
  ///
  /// ```swift
  /// try connection.forEachRow(of: "SELECT part_num, name FROM parts") { row in
  ///   names[try row[0]] = try row[1] as String?
  /// }
  /// ```
  @inlinable
  public subscript<Value: QueryDecodable>(_ column: Int) -> Value {
    get throws(SQLiteError) {
      var decoder = decoder(at: column)
      return try Value(decoder: &decoder)
    }
  }

  /// A copy of the value of the column of a name, in the storage class that it has; this is what is read
  /// where no type is asked for.
  ///
  /// ```swift
  /// try connection.forEachRow(of: "SELECT part_num, name FROM parts") { row in
  ///   let number = try row["part_num"]
  ///   values.append(number)
  /// }
  /// ```
  @_disfavoredOverload
  public subscript(_ column: String) -> SQLiteValue {
    get throws(SQLiteError) { try current.value(at: try current.place(ofColumn: column)) }
  }

  /// A copy of the value of the column of a number, in the storage class that it has.
  @_disfavoredOverload
  public subscript(_ column: Int) -> SQLiteValue {
    get throws(SQLiteError) { try current.value(at: column) }
  }

  /// Whether the value is NULL.
  ///
  /// ```swift
  /// try connection.forEachRow(of: "SELECT part_num, name FROM parts") { row in
  ///   if try row.isNull(at: 1) { unnamed.append(try row["part_num"]) }
  /// }
  /// ```
  public func isNull(at column: Int) throws(SQLiteError) -> Bool {
    try current.storageClass(at: column) == .null
  }

  /// The value as an integer.
  public func integer(at column: Int) throws(SQLiteError) -> Int64? {
    try current.integer(at: column)
  }

  /// The value as a floating-point number.
  public func real(at column: Int) throws(SQLiteError) -> Double? { try current.real(at: column) }

  /// A copy of the value as text; U+FFFD stands for bytes that are not UTF-8.
  public func text(at column: Int) throws(SQLiteError) -> String? { try current.text(at: column) }

  /// A copy of the bytes of a text or blob.
  public func bytes(at column: Int) throws(SQLiteError) -> [UInt8]? {
    try current.bytes(at: column)
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
    try current.value(at: column)
  }

  /// Copies of all values, in the order of the columns.
  ///
  /// ```swift
  /// try connection.forEachRow(of: "SELECT name, year FROM parts WHERE year > 0") { row in
  ///   copies.append(try row.values)
  /// }
  /// ```
  public var values: [SQLiteValue] {
    get throws(SQLiteError) {
      var values: [SQLiteValue] = []
      values.reserveCapacity(columnCount)
      for column in 0..<columnCount { values.append(try value(at: column)) }
      return values
    }
  }

  /// A decoder that reads the columns from the first on, in the mode of the query unless another is given.
  ///
  /// It can be kept; what it reads when the cursor has gone on is an error with the code `misuse`.
  public func decoder(_ mode: DecodingMode? = nil) -> SQLiteQueryDecoder {
    SQLiteQueryDecoder(current, mode ?? self.mode)
  }

  @usableFromInline
  func decoder(at column: Int) -> SQLiteQueryDecoder {
    SQLiteQueryDecoder(current, mode, column: column)
  }

  @usableFromInline
  func decoder(ofColumn name: String) throws(SQLiteError) -> SQLiteQueryDecoder {
    SQLiteQueryDecoder(current, mode, column: try current.place(ofColumn: name))
  }

  @unsafe @usableFromInline
  func memory(at column: Int) throws(SQLiteError) -> UnsafeBufferPointer<UInt8>? {
    try unsafe current.memory(at: column)
  }
}
