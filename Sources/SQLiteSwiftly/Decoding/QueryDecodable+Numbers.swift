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
  ) throws(Decoder.Failure) -> Self? {
    try decoder.decode(Self.self)
  }
}

extension Int64: QueryDecodableValue {
  /// Reads the next column as an integer of 64 bits; NULL is nil.
  @inlinable
  public static func decodeIfPresent<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
    from decoder: inout Decoder
  ) throws(Decoder.Failure) -> Self? {
    try decoder.decode(Self.self)
  }
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
  ) throws(Decoder.Failure) -> Self? {
    try decoder.decode(Self.self)
  }
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
