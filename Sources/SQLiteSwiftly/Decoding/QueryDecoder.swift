/// Reads the columns of one row, from the first on, whatever database or double provides it.
///
/// Each call reads one column and advances by one, also when the value is NULL, which is nil.
public protocol QueryDecoder<Failure>: ~Copyable, ~Escapable {
  /// What it throws.
  associatedtype Failure: Error

  /// Whether a value of another storage class than the one asked for is an error, as is the raw
  /// value of no case of an enumeration. A decoder that is not strict converts the former, and
  /// treats the latter as no value.
  var isStrict: Bool { get }

  /// Reads the next column as bytes.
  mutating func decode(_ type: [UInt8].Type) throws(Failure) -> [UInt8]?
  /// Reads the next column as a floating-point number.
  mutating func decode(_ type: Double.Type) throws(Failure) -> Double?
  /// Reads the next column as an integer of 64 bits.
  mutating func decode(_ type: Int64.Type) throws(Failure) -> Int64?
  /// Reads the next column as text.
  mutating func decode(_ type: String.Type) throws(Failure) -> String?
  /// Reads the next column as a truth value: whether the integer is other than 0.
  mutating func decode(_ type: Bool.Type) throws(Failure) -> Bool?
  /// Reads the next column as an integer.
  mutating func decode(_ type: Int.Type) throws(Failure) -> Int?

  /// The error of a problem with the column that was read last.
  func failure(_ problem: QueryDecodingProblem) -> Failure
}

/// What may be wrong with a column that was read.
///
/// The value itself is not in it, so that errors can be logged.
///
/// ```swift
/// let numbers = try connection.query("SELECT part_num FROM parts ORDER BY 1") { row in
///   let text = try String(decoder: &row)
///   if let number = Int(text, radix: 16) { return number }
///   throw row.failure(.invalidValue(expected: "a number to the base of 16"))
/// }
/// ```
public enum QueryDecodingProblem: Hashable, Sendable {
  /// It is NULL, and a value was required.
  case missingValue
  /// Its value is the raw value of no case of a type, which is named.
  case unknownValue(of: String)
  /// Its value is none of the type that it was read as, which is put into words with an article: `a date`,
  /// `an integer of 8 bits`; an error in every mode.
  case invalidValue(expected: String)
}

/// How values of another storage class than the one asked for are read.
///
/// ```swift
/// let lengths = try connection.query("SELECT length(name) FROM parts", as: Int.self, .strict)
/// ```
public enum DecodingMode: Sendable {
  /// They are converted as SQLite does (<https://www.sqlite.org/c3ref/column_blob.html>).
  case lenient
  /// They are errors with the code `mismatch`.
  case strict
}

extension QueryDecoder where Self: ~Copyable & ~Escapable {
  /// Reads the next column as a value of any type that one column can hold, such as an enumeration
  /// with raw values.
  @inlinable
  public mutating func decode<Value: QueryDecodableValue>(
    _ type: Value.Type
  ) throws(Failure) -> Value? {
    try Value.decodeIfPresent(from: &self)
  }
}
