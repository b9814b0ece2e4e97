public import FoundationEssentials
public import SQLiteSwiftly

extension UUID: SQLiteValueConvertible {
  /// Text of 36 characters in upper case, equal to `uuidString`.
  public var sqliteValue: SQLiteValue { .text(uuidString) }
}

extension UUID: QueryDecodable, QueryDecodableValue {
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

extension Data: SQLiteValueConvertible {
  /// A blob of the bytes, which are copied.
  public var sqliteValue: SQLiteValue { .blob(Array(self)) }
}

extension Data: QueryDecodable, QueryDecodableValue {
  /// Reads the next column as bytes, which are copied; NULL is nil.
  ///
  /// A decoder that is not strict converts other values as SQLite does: text is read as UTF-8.
  public static func decodeIfPresent<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
    from decoder: inout Decoder
  ) throws(Decoder.Failure) -> Data? {
    try decoder.decode([UInt8].self).map { Data($0) }
  }
}
