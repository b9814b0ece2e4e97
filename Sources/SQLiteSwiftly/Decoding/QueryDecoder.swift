/// Reads the columns of one row, starting at the first, from any database or test double.
///
/// Each call reads one column and advances to the next, even for NULL, which is nil.
public protocol QueryDecoder<Failure>: ~Copyable, ~Escapable {
  /// The error that it throws.
  associatedtype Failure: Error

  /// Whether it refuses values of another storage class, and raw values without a case. Otherwise
  /// it converts the former, and reads the latter as nil.
  var isStrict: Bool { get }

  /// Reads the next column as bytes.
  mutating func decode(_ type: [UInt8].Type) throws(Failure) -> [UInt8]?
  /// Reads the next column as a floating-point number.
  mutating func decode(_ type: Double.Type) throws(Failure) -> Double?
  /// Reads the next column as an integer of 64 bits.
  mutating func decode(_ type: Int64.Type) throws(Failure) -> Int64?
  /// Reads the next column as text.
  mutating func decode(_ type: String.Type) throws(Failure) -> String?
  /// Reads the next column as a truth value: false for 0, otherwise true.
  mutating func decode(_ type: Bool.Type) throws(Failure) -> Bool?
  /// Reads the next column as an integer.
  mutating func decode(_ type: Int.Type) throws(Failure) -> Int?

  /// Returns an error for the column that was read last.
  func failure(_ problem: QueryDecodingProblem) -> Failure
}

/// A problem with a column that was read.
///
/// It does not contain the value, so errors can be logged.
///
/// ```swift
/// let numbers = try connection.query("SELECT part_num FROM parts ORDER BY 1") { row in
///   let text = try String(decoder: &row)
///   if let number = Int(text, radix: 16) { return number }
///   throw row.failure(.invalidValue(expected: "a hexadecimal number"))
/// }
/// ```
public enum QueryDecodingProblem: Hashable, Sendable {
  /// The column is NULL, but a value is required.
  case missingValue
  /// The value is not a raw value of the named type's cases.
  case unknownValue(of: String)
  /// The value is not valid for its type, which is described with an article, as in `a date` or
  /// `an integer of 8 bits`; an error in every mode.
  case invalidValue(expected: String)

  var message: String {
    switch self {
    case .missingValue: "expected a value, found NULL; read it as an optional"
    case .unknownValue(let type): "expected a case of \(type)"
    case .invalidValue(let expected): "expected \(expected)"
    }
  }
}

/// The handling of values of another storage class than requested, of raw values without a case, and of unread columns.
///
/// Typed queries and the typed subscripts of rows are strict by default.
///
/// ```swift
/// let years = try connection.query("SELECT year FROM drafts", as: Int.self, decoding: .lenient)
/// ```
public enum DecodingMode: Sendable {
  /// Convert values as SQLite does (<https://www.sqlite.org/c3ref/column_blob.html>), read raw
  /// values without a case as nil if the type is optional, and ignore unread columns.
  case lenient
  /// Refuse values of another storage class, text that is not UTF-8 and raw values without a case, with the code
  /// `mismatch`, and columns that a tuple, a single value or a `QueryDecodable` model does not read, with `range`.
  case strict
}

extension QueryDecoder where Self: ~Copyable & ~Escapable {
  /// Reads the next column as a truth value: false for 0, otherwise true.
  @inlinable
  public mutating func decode(_ type: Bool.Type) throws(Failure) -> Bool? {
    try decode(Int64.self).map { $0 != 0 }
  }

  /// Reads the next column as an integer.
  @inlinable
  public mutating func decode(_ type: Int.Type) throws(Failure) -> Int? {
    try decode(Int64.self).map { Int($0) }
  }

  /// Reads the next column as any type of one column, such as an enumeration with raw values.
  @inlinable
  public mutating func decode<Value: QueryDecodableValue>(
    _ type: Value.Type
  ) throws(Failure) -> Value? { try Value.decodeIfPresent(from: &self) }
}

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

  /// Reads the next column as a copy of the text, including NUL characters.
  ///
  /// Bytes that are not UTF-8 are an error if it is strict; otherwise U+FFFD replaces them.
  public mutating func decode(_ type: String.Type) throws(SQLiteError) -> String? {
    let column = try next(.text)
    return try isStrict ? row.strictText(at: column) : row.text(at: column)
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

/// Reads the columns of a row of values, without a database.
///
/// By default it converts values as SQLite does, so decoding can be tested with plain values, and rows that
/// were read before can be decoded later. Text with a number becomes the nearest floating-point
/// number; SQLite may miss it by one unit in the last place.
///
/// ```swift
/// var decoder = ValueQueryDecoder(["Rubber", .null, "12"])
/// let material = try Material(decoder: &decoder)
/// let weight = try decoder.decode(Double.self)
/// let count = try decoder.decode(Int.self)
/// ```
public struct ValueQueryDecoder: QueryDecoder {
  private let values: [SQLiteValue]
  private var index = 0
  /// Whether the caller adds the name of the one column to errors.
  @usableFromInline var isNamed = false
  /// The function whose arguments it reads, if any.
  private var function: String?
  /// Whether a value of another storage class is an error.
  public let isStrict: Bool

  /// Creates a decoder for the values of one row, in the order of the columns.
  public init(_ values: [SQLiteValue], decoding mode: DecodingMode = .lenient) {
    self.values = values
    isStrict = mode == .strict
  }

  init(argumentsOf function: String, _ values: [SQLiteValue]) {
    self.init(values, decoding: .strict)
    self.function = function
  }

  /// Reads the next column as bytes; text is read as UTF-8.
  public mutating func decode(_ type: [UInt8].Type) throws(SQLiteError) -> [UInt8]? {
    try next(.blob)?.convertedToBytes
  }

  /// Reads the next column as a floating-point number.
  public mutating func decode(_ type: Double.Type) throws(SQLiteError) -> Double? {
    try next(.real)?.convertedToReal
  }

  /// Reads the next column as an integer of 64 bits.
  public mutating func decode(_ type: Int64.Type) throws(SQLiteError) -> Int64? {
    try next(.integer)?.convertedToInteger
  }

  /// Reads the next column as text; U+FFFD replaces bytes that are not UTF-8.
  public mutating func decode(_ type: String.Type) throws(SQLiteError) -> String? {
    try next(.text)?.convertedToText
  }

  /// Returns an error for the column that was read last.
  public func failure(_ problem: QueryDecodingProblem) -> SQLiteError {
    SQLiteError(.mismatch, "\(place)\(problem.message)")
  }

  private var place: String {
    if let function { return "argument \(index) of \(function)(): " }
    return isNamed ? "" : "column \(index - 1): "
  }

  private mutating func next(_ expected: StorageClass) throws(SQLiteError) -> SQLiteValue? {
    guard index < values.count else {
      throw SQLiteError(
        .range, "no column \(index) in the row (it has \(counted(values.count, "column")))")
    }
    let value = values[index]
    index += 1
    let found = value.storageClass
    if found == .null { return nil }
    guard !isStrict || found == expected else {
      throw SQLiteError(.mismatch, "\(place)\(found.mismatch(expected))")
    }
    return value
  }
}
