public import FoundationEssentials
public import SQLiteSwiftly

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
