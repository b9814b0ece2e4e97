/// Something that is read from the columns of a row, from the first on, by any decoder.
///
/// A model of a program that has SQLite and nothing else is shorter as a `RowDecodable`.
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
  /// Reads as many columns as it needs.
  init<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
    decoder: inout Decoder
  ) throws(Decoder.Failure)

  /// Reads as many columns as it needs of a row of SQLite's, which is there already for every type.
  ///
  /// Types that are read one by one, as those of a tuple, are read without asking at run time for what a
  /// decoder can do.
  init(columns decoder: inout SQLiteQueryDecoder) throws(SQLiteError)
}

extension QueryDecodable {
  /// Reads as many columns as it needs of a row of SQLite's.
  @inlinable
  public init(columns decoder: inout SQLiteQueryDecoder) throws(SQLiteError) {
    try self.init(decoder: &decoder)
  }

  /// Reads as many columns as it needs, from the first on.
  @inlinable
  public init(row: borrowing Row) throws(SQLiteError) {
    var decoder = row.decoder(at: 0)
    try self.init(decoder: &decoder)
  }
}

/// Something that is read from one column.
///
/// An enumeration with raw values of such a type only needs to declare the conformance.
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
  ) throws(Decoder.Failure) {
    self = try Wrapped.decodeIfPresent(from: &decoder)
  }
}

extension QueryDecodableValue where Self: RawRepresentable, RawValue: QueryDecodableValue {
  /// Reads a raw value, which must be that of a case.
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

  /// Reads a raw value; nil for NULL, and, unless the decoder is strict, for the raw value of no case.
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
  ) throws(Decoder.Failure) -> Self? {
    try decoder.decode(Self.self)
  }
}

extension Bool: QueryDecodableValue {
  /// Reads the next column as a truth value; NULL is nil.
  @inlinable
  public static func decodeIfPresent<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
    from decoder: inout Decoder
  ) throws(Decoder.Failure) -> Self? {
    try decoder.decode(Self.self)
  }
}

extension [UInt8]: RowDecodable, QueryDecodable, QueryDecodableValue {
  /// Reads the next column as bytes; NULL is nil.
  @inlinable
  public static func decodeIfPresent<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
    from decoder: inout Decoder
  ) throws(Decoder.Failure) -> Self? {
    try decoder.decode(Self.self)
  }
}
