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
    get throws(SQLiteError) { try current.value(at: try current.place(ofColumn: column)) }
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
  public var values: [SQLiteValue] {
    get throws(SQLiteError) {
      var values: [SQLiteValue] = []
      values.reserveCapacity(columnCount)
      for column in 0..<columnCount { values.append(try value(at: column)) }
      return values
    }
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
    SQLiteQueryDecoder(current, mode ?? .strict, column: try current.place(ofColumn: name))
  }

  @unsafe @usableFromInline
  func memory(at column: Int) throws(SQLiteError) -> UnsafeBufferPointer<UInt8>? {
    try unsafe current.memory(at: column)
  }
}
