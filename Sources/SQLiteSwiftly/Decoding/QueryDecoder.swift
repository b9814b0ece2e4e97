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
}

/// The handling of values whose storage class differs from the requested one, of raw values without
/// a case, and of unread columns.
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
  /// Refuse values of another storage class and raw values without a case, with the code `mismatch`, and columns that a
  /// tuple, a single value or a `QueryDecodable` model does not read, with `range`.
  case strict
}

extension QueryDecoder where Self: ~Copyable & ~Escapable {
  /// Reads the next column as any type of one column, such as an enumeration with raw values.
  @inlinable
  public mutating func decode<Value: QueryDecodableValue>(
    _ type: Value.Type
  ) throws(Failure) -> Value? {
    try Value.decodeIfPresent(from: &self)
  }
}
