/// A model that reads the columns of a result row by name.
///
///     struct Theme: RowDecodable {
///       var id: Int
///       var name: String
///       var parent: Int?
///
///       init(row: borrowing Row) throws(SQLiteError) {
///         id = try row["id"]
///         name = try row["name"]
///         parent = try row["parent_id"]
///       }
///     }
///
///     let themes = try connection.query("SELECT * FROM themes", as: Theme.self)
///
/// For a model that can also be read without SQLite, use `QueryDecodable`.
public protocol RowDecodable {
  /// Reads the row.
  init(row: borrowing Row) throws(SQLiteError)
}

/// A type that any decoder can read from the columns of a row, starting at the first.
///
/// A model that is only ever read from SQLite is shorter as a `RowDecodable`.
///
///     struct Theme: QueryDecodable {
///       var id: Int
///       var name: String
///       var parent: Int?
///
///       init<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
///         decoder: inout Decoder
///       ) throws(Decoder.Failure) {
///         id = try Int(decoder: &decoder)
///         name = try String(decoder: &decoder)
///         parent = try decoder.decode(Int.self)
///       }
///     }
///
///     let themes = try connection.query("SELECT id, name, parent_id FROM themes", as: Theme.self)
public protocol QueryDecodable: RowDecodable {
  /// Reads as many columns as the type needs.
  init<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
    decoder: inout Decoder
  ) throws(Decoder.Failure)

  /// Reads the columns of a SQLite row; the default spares tuples a check of the decoder's abilities at run time.
  init(columns decoder: inout SQLiteQueryDecoder) throws(SQLiteError)
}

extension QueryDecodable {
  /// Reads as many columns as the type needs from a SQLite row.
  @inlinable
  public init(columns decoder: inout SQLiteQueryDecoder) throws(SQLiteError) {
    try self.init(decoder: &decoder)
  }

  /// Reads as many columns as the type needs, starting at the first.
  ///
  /// - Throws: `SQLiteError`; with `range` if the row has more columns and is not read leniently.
  ///   To read only the first columns, pass `row.decoder()` to `init(decoder:)`.
  @inlinable
  public init(row: borrowing Row) throws(SQLiteError) {
    var decoder = row.decoder(at: 0)
    try self.init(decoder: &decoder)
    try decoder.checkAllColumnsRead(by: Self.self)
  }
}

/// A type that is read from one column.
///
/// An enumeration with raw values of such a type only has to declare the conformance.
///
/// ```swift
/// enum Material: String, QueryDecodableValue { case plastic = "Plastic", rubber = "Rubber" }
///
/// let materials = try connection.query("SELECT material FROM parts", as: Material?.self)
/// ```
public protocol QueryDecodableValue: QueryDecodable {
  /// Reads the next column; NULL is nil.
  static func decodeIfPresent<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
    from decoder: inout Decoder
  ) throws(Decoder.Failure) -> Self?
}

extension QueryDecodableValue {
  /// Reads the next column, which must not be NULL.
  @inlinable
  public init<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
    decoder: inout Decoder
  ) throws(Decoder.Failure) {
    guard let value = try Self.decodeIfPresent(from: &decoder) else {
      throw decoder.failure(.missingValue)
    }
    self = value
  }
}

extension Optional: RowDecodable, QueryDecodable where Wrapped: QueryDecodableValue {
  /// Reads the next column; NULL is nil.
  @inlinable
  public init<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
    decoder: inout Decoder
  ) throws(Decoder.Failure) { self = try Wrapped.decodeIfPresent(from: &decoder) }
}

extension QueryDecodableValue where Self: RawRepresentable, RawValue: QueryDecodableValue {
  /// Reads a raw value, which must belong to a case.
  @inlinable
  public init<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
    decoder: inout Decoder
  ) throws(Decoder.Failure) {
    let rawValue = try RawValue(decoder: &decoder)
    guard let value = Self(rawValue: rawValue) else {
      throw decoder.failure(.unknownValue(of: "\(Self.self)"))
    }
    self = value
  }

  /// Reads a raw value; nil for NULL and, unless the decoder is strict, for a value without a case.
  @inlinable
  public static func decodeIfPresent<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
    from decoder: inout Decoder
  ) throws(Decoder.Failure) -> Self? {
    guard let rawValue = try RawValue.decodeIfPresent(from: &decoder) else { return nil }
    if let value = Self(rawValue: rawValue) { return value }
    guard !decoder.isStrict else { throw decoder.failure(.unknownValue(of: "\(Self.self)")) }
    return nil
  }
}

extension String: QueryDecodableValue {
  /// Reads the next column as text; NULL is nil.
  @inlinable
  public static func decodeIfPresent<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
    from decoder: inout Decoder
  ) throws(Decoder.Failure) -> Self? { try decoder.decode(Self.self) }
}

extension Character: QueryDecodableValue {
  /// Reads the next column as text of one character; NULL is nil, and any other text is an error.
  @inlinable
  public static func decodeIfPresent<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
    from decoder: inout Decoder
  ) throws(Decoder.Failure) -> Self? {
    guard let text = try decoder.decode(String.self) else { return nil }
    guard let character = text.first, text.count == 1 else {
      throw decoder.failure(.invalidValue(expected: "one character"))
    }
    return character
  }
}

extension Bool: QueryDecodableValue {
  /// Reads the next column as a truth value; NULL is nil.
  @inlinable
  public static func decodeIfPresent<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
    from decoder: inout Decoder
  ) throws(Decoder.Failure) -> Self? { try decoder.decode(Self.self) }
}

extension [UInt8]: RowDecodable, QueryDecodable, QueryDecodableValue {
  /// Reads the next column as bytes; NULL is nil.
  @inlinable
  public static func decodeIfPresent<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
    from decoder: inout Decoder
  ) throws(Decoder.Failure) -> Self? { try decoder.decode(Self.self) }
}

extension QueryDecodableValue where Self: FixedWidthInteger {
  /// Reads the next column as an integer; NULL is nil, and a number beyond the type is an error.
  @inlinable
  public static func decodeIfPresent<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
    from decoder: inout Decoder
  ) throws(Decoder.Failure) -> Self? {
    guard let number = try decoder.decode(Int64.self) else { return nil }
    guard let value = Self(exactly: number) else {
      let kind = Self.isSigned ? "an integer" : "an unsigned integer"
      throw decoder.failure(.invalidValue(expected: "\(kind) of \(bitWidth) bits"))
    }
    return value
  }
}

extension Int: QueryDecodableValue {
  /// Reads the next column as an integer; NULL is nil.
  @inlinable
  public static func decodeIfPresent<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
    from decoder: inout Decoder
  ) throws(Decoder.Failure) -> Self? { try decoder.decode(Self.self) }
}

extension Int64: QueryDecodableValue {
  /// Reads the next column as an integer of 64 bits; NULL is nil.
  @inlinable
  public static func decodeIfPresent<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
    from decoder: inout Decoder
  ) throws(Decoder.Failure) -> Self? { try decoder.decode(Self.self) }
}

extension Int8: QueryDecodableValue {}
extension Int16: QueryDecodableValue {}
extension Int32: QueryDecodableValue {}
extension Int128: QueryDecodableValue {}
extension UInt: QueryDecodableValue {}
extension UInt8: QueryDecodableValue {}
extension UInt16: QueryDecodableValue {}
extension UInt32: QueryDecodableValue {}
extension UInt64: QueryDecodableValue {}
extension UInt128: QueryDecodableValue {}

extension Double: QueryDecodableValue {
  /// Reads the next column as a floating-point number; NULL is nil.
  @inlinable
  public static func decodeIfPresent<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
    from decoder: inout Decoder
  ) throws(Decoder.Failure) -> Self? { try decoder.decode(Self.self) }
}

extension Float: QueryDecodableValue {
  /// Reads the next column as a floating-point number, rounded to 32 bits; NULL is nil, and a
  /// finite number beyond the type is an error.
  @inlinable
  public static func decodeIfPresent<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
    from decoder: inout Decoder
  ) throws(Decoder.Failure) -> Self? {
    guard let number = try decoder.decode(Double.self) else { return nil }
    let value = Self(number)
    guard value.isFinite || !number.isFinite else {
      throw decoder.failure(.invalidValue(expected: "a number of 32 bits"))
    }
    return value
  }
}
