/// Reads the columns of a row of a SQLite statement; the closure of a query gets one.
public struct SQLiteQueryDecoder: QueryDecoder, ~Copyable, ~Escapable {
  private let row: Row
  private var column = 0
  /// Whether a value of another storage class than the one asked for is an error.
  public let isStrict: Bool

  @_lifetime(copy row)
  init(_ row: Row, _ mode: DecodingMode) {
    self.row = row
    isStrict = mode == .strict
  }

  /// Reads the next column as bytes, which are copied; a text is its UTF-8.
  @_lifetime(self: copy self)
  public mutating func decode(_ type: [UInt8].Type) throws(SQLiteError) -> [UInt8]? {
    try row.bytes(at: try next(.blob))
  }

  /// Reads the next column as a floating-point number.
  @_lifetime(self: copy self)
  public mutating func decode(_ type: Double.Type) throws(SQLiteError) -> Double? {
    try row.real(at: try next(.real))
  }

  /// Reads the next column as an integer of 64 bits.
  @_lifetime(self: copy self)
  public mutating func decode(_ type: Int64.Type) throws(SQLiteError) -> Int64? {
    try row.integer(at: try next(.integer))
  }

  /// Reads the next column as text, which is copied, NUL characters included; U+FFFD stands for bytes
  /// that are not UTF-8.
  @_lifetime(self: copy self)
  public mutating func decode(_ type: String.Type) throws(SQLiteError) -> String? {
    try row.text(at: try next(.text))
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
    row.failure(problem.code, at: column - 1, problem.words)
  }

  /// Returns the number of the next column, and advances by one.
  @_lifetime(self: copy self)
  private mutating func next(_ expected: StorageClass) throws(SQLiteError) -> Int {
    let found = StorageClass(rawValue: try row.storage(at: column)) ?? .null
    column += 1
    guard !isStrict || found == expected || found == .null else {
      throw row.failure(.mismatch, at: column - 1, found.mismatch(expected))
    }
    return column - 1
  }
}
