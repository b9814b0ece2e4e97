public import FoundationEssentials
public import SQLiteSwiftly

extension UUID: SQLiteValueConvertible {
  /// A text of 36 characters in upper case, as `uuidString` gives it.
  public var sqliteValue: SQLiteValue { .text(uuidString) }
}

extension UUID: QueryDecodable, QueryDecodableValue {
  /// Reads the next column as a text of 36 characters in upper or lower case; NULL is nil.
  ///
  /// Any other text is an error, whether the decoder is strict or not. So are blobs of 16 bytes, in which
  /// some programs store UUIDs. To SQL a text in lower case is another one, unless it compares with
  /// `COLLATE NOCASE`.
  public static func decodeIfPresent<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
    from decoder: inout Decoder
  ) throws(Decoder.Failure) -> UUID? {
    guard let text = try decoder.decode(String.self) else { return nil }
    guard hasForm(text), let value = UUID(uuidString: text) else {
      throw decoder.failure(.invalidValue(expected: "a UUID"))
    }
    return value
  }

  /// Whether a text is hexadecimal digits and hyphens, each in its place (RFC 9562, 4).
  ///
  /// `UUID(uuidString:)` also takes signs, blanks and `0x` for digits, and ends at a NUL character.
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
