public import FoundationEssentials
public import SQLiteSwiftly

/// A date that is stored as an integer: whole seconds since 1970 in UTC, as SQLite's `unixepoch()` counts them.
///
/// ```swift
/// try connection.execute("INSERT INTO visits VALUES (\(IntegerDate(visit)))")
/// let visits = try connection.query("SELECT at FROM visits", as: IntegerDate.self).map(\.date)
/// ```
public struct IntegerDate: SQLiteValueConvertible, QueryDecodableValue, Hashable, Sendable {
  /// The date.
  public var date: Date

  /// Wraps a date.
  public init(_ date: Date) { self.date = date }

  /// The seconds, rounded down; a date beyond 64 bits is an error with the code `range`.
  public var sqliteValue: SQLiteValue {
    get throws(SQLiteError) {
      guard let seconds = Int64(exactly: date.timeIntervalSince1970.rounded(.down)) else {
        throw SQLiteError(.range, "the date does not fit into 64 bits of seconds")
      }
      return .integer(seconds)
    }
  }

  /// Reads the next column as an integer; NULL is nil.
  public static func decodeIfPresent<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
    from decoder: inout Decoder
  ) throws(Decoder.Failure) -> IntegerDate? {
    try decoder.decode(Int64.self).map { Self(Date(timeIntervalSince1970: Double($0))) }
  }
}

/// A date that is stored as a floating-point number: seconds since 1970 in UTC, with a fraction.
public struct RealDate: SQLiteValueConvertible, QueryDecodableValue, Hashable, Sendable {
  /// The date.
  public var date: Date

  /// Wraps a date.
  public init(_ date: Date) { self.date = date }

  /// The seconds; a date that is not finite is an error with the code `range`.
  public var sqliteValue: SQLiteValue {
    get throws(SQLiteError) {
      guard date.timeIntervalSince1970.isFinite else {
        throw SQLiteError(.range, "the date is not finite")
      }
      return .real(date.timeIntervalSince1970)
    }
  }

  /// Reads the next column as a finite floating-point number; NULL is nil.
  public static func decodeIfPresent<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
    from decoder: inout Decoder
  ) throws(Decoder.Failure) -> RealDate? {
    guard let seconds = try decoder.decode(Double.self) else { return nil }
    guard seconds.isFinite else { throw decoder.failure(.invalidValue(expected: "a finite date")) }
    return Self(Date(timeIntervalSince1970: seconds))
  }
}

/// A UUID that is stored as a blob of its 16 bytes.
public struct BlobUUID: SQLiteValueConvertible, QueryDecodableValue, Hashable, Sendable {
  /// The UUID.
  public var uuid: UUID

  /// Wraps a UUID.
  public init(_ uuid: UUID) { self.uuid = uuid }

  /// The bytes, the most significant first (RFC 9562, 4).
  public var sqliteValue: SQLiteValue {
    let (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p) = uuid.uuid
    return .blob([a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p])
  }

  /// Reads the next column as 16 bytes; NULL is nil, and any other length is an error.
  public static func decodeIfPresent<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
    from decoder: inout Decoder
  ) throws(Decoder.Failure) -> BlobUUID? {
    guard let b = try decoder.decode([UInt8].self) else { return nil }
    guard b.count == 16 else { throw decoder.failure(.invalidValue(expected: "16 bytes")) }
    return Self(
      UUID(
        uuid: (
          b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13],
          b[14], b[15]
        )))
  }
}
