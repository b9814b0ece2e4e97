public import FoundationEssentials
public import SQLiteSwiftly
public import SQLiteSwiftlyData

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

extension UUID: SQLiteValueConvertible, QueryDecodable, QueryDecodableValue {
  /// Text of 36 characters in upper case, equal to `uuidString`.
  public var sqliteValue: SQLiteValue { .text(uuidString) }

  /// Reads the next column as text of 36 characters in upper or lower case; NULL is nil.
  ///
  /// Any other text is an error, whether or not the decoder is strict. So are blobs of 16 bytes, in which some programs
  /// store UUIDs. In SQL, upper and lower case differ, except with `COLLATE NOCASE`.
  public static func decodeIfPresent<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
    from decoder: inout Decoder
  ) throws(Decoder.Failure) -> UUID? {
    guard let text = try decoder.decode(String.self) else { return nil }
    guard hasForm(text), let value = UUID(uuidString: text) else {
      throw decoder.failure(.invalidValue(expected: "a UUID"))
    }
    return value
  }

  /// Whether a text consists of hexadecimal digits and hyphens in the right places (RFC 9562, 4).
  ///
  /// `UUID(uuidString:)` also accepts signs, blanks and `0x`, and stops at a NUL character.
  private static func hasForm(_ text: String) -> Bool {
    guard text.utf8.count == 36 else { return false }
    return text.utf8.enumerated().allSatisfy { place, character in
      switch place {
      case 8, 13, 18, 23: character == UInt8(ascii: "-")
      default: Character(Unicode.Scalar(character)).isHexDigit
      }
    }
  }
}

extension Data: SQLiteValueConvertible, QueryDecodable, QueryDecodableValue {
  /// A blob of the bytes, which are copied.
  public var sqliteValue: SQLiteValue { .blob(Array(self)) }

  /// Reads the next column as bytes, which are copied; NULL is nil.
  ///
  /// A decoder that is not strict converts other values as SQLite does: text is read as UTF-8.
  public static func decodeIfPresent<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
    from decoder: inout Decoder
  ) throws(Decoder.Failure) -> Data? { try decoder.decode([UInt8].self).map { Data($0) } }
}

extension URL: SQLiteValueConvertible, QueryDecodable, QueryDecodableValue {
  /// Text, equal to `absoluteString`.
  public var sqliteValue: SQLiteValue { .text(absoluteString) }

  /// Reads the next column as text that is a URL; NULL is nil, and any other text is an error.
  public static func decodeIfPresent<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
    from decoder: inout Decoder
  ) throws(Decoder.Failure) -> URL? {
    guard let text = try decoder.decode(String.self) else { return nil }
    guard let url = URL(string: text) else {
      throw decoder.failure(.invalidValue(expected: "a URL"))
    }
    return url
  }
}

/// This module makes `localizedDescription` return the description of an error; otherwise
/// Foundation reports only the name and number of its type.
extension SQLiteError: LocalizedError {
  /// The error's description.
  public var errorDescription: String? { description }
}

extension DataAccessError: LocalizedError {
  /// The error's description.
  public var errorDescription: String? { description }
}
