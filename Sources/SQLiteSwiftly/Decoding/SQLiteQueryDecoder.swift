/// Reads the columns of a row of a SQLite statement; queries pass one to their closure.
///
/// It can be copied and stored, as query builders do, and is valid while its cursor is at the row: later reads throw an
/// error with the code `misuse`. It retains the statement, so the connection cannot be closed meanwhile.
public struct SQLiteQueryDecoder: QueryDecoder {
  @usableFromInline let row: CurrentRow
  @usableFromInline var column: Int
  /// Whether a value of another storage class is an error.
  public let isStrict: Bool

  init(_ row: CurrentRow, _ mode: DecodingMode, column: Int = 0) {
    self.row = row
    self.column = column
    isStrict = mode == .strict
  }

  /// Reads the next column as bytes, which are copied; text is read as UTF-8.
  public mutating func decode(_ type: [UInt8].Type) throws(SQLiteError) -> [UInt8]? {
    try row.bytes(at: try next(.blob))
  }

  /// Reads the next column as a floating-point number.
  public mutating func decode(_ type: Double.Type) throws(SQLiteError) -> Double? {
    try row.real(at: try next(.real))
  }

  /// Reads the next column as an integer of 64 bits.
  public mutating func decode(_ type: Int64.Type) throws(SQLiteError) -> Int64? {
    try row.integer(at: try next(.integer))
  }

  /// Reads the next column as text, which is copied, including NUL characters; U+FFFD replaces
  /// bytes that are not UTF-8.
  public mutating func decode(_ type: String.Type) throws(SQLiteError) -> String? {
    try row.text(at: try next(.text))
  }

  /// Reads the next column as a truth value: false for 0, otherwise true.
  public mutating func decode(_ type: Bool.Type) throws(SQLiteError) -> Bool? {
    try decode(Int64.self).map { $0 != 0 }
  }

  /// Reads the next column as an integer.
  public mutating func decode(_ type: Int.Type) throws(SQLiteError) -> Int? {
    try decode(Int64.self).map { Int($0) }
  }

  /// Returns an error for the column that was read last.
  public func failure(_ problem: QueryDecodingProblem) -> SQLiteError {
    row.failure(.mismatch, at: column &- 1, problem.message)
  }

  /// Throws in strict mode if `type`, which was just read, did not read all columns of the row.
  ///
  /// Inlined, so that a row costs one comparison.
  @inlinable
  func checkAllColumnsRead(by type: Any.Type) throws(SQLiteError) {
    guard isStrict, column < row.columnCount else { return }
    throw excessOfColumns(for: type)
  }

  @usableFromInline
  func excessOfColumns(for type: Any.Type) -> SQLiteError {
    var name = "\(type)"
    // The first value of a query is read as an optional.
    if name.hasPrefix("Optional<"), name.hasSuffix(">") {
      name = String(name.dropFirst("Optional<".count).dropLast())
    }
    return row.failure(
      .range, at: column,
      "the row has \(counted(row.columnCount, "column")), and \(name) reads \(column)")
  }

  private mutating func next(_ expected: StorageClass) throws(SQLiteError) -> Int {
    let place = column
    // A column number that is out of range is refused by the read.
    column &+= 1
    guard isStrict else { return place }
    let found = try row.storageClass(at: place)
    guard found == expected || found == .null else {
      throw row.failure(.mismatch, at: place, found.mismatch(expected))
    }
    return place
  }
}
