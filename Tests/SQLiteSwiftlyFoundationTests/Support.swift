import SQLiteSwiftly
import Testing

/// The decoders of the library.
enum DecoderKind: CaseIterable {
  /// A row of a SELECT.
  case row
  /// Values, without a database.
  case values

  static let inEveryMode = allCases.flatMap { kind in
    [DecodingMode.lenient, .strict].map { (kind, $0) }
  }

  /// Decodes one column that holds `value`.
  func decode<Value: QueryDecodable>(
    _ value: SQLiteValue, as type: Value.Type = Value.self, _ mode: DecodingMode = .lenient
  ) throws -> Value {
    switch self {
    case .row:
      return try #require(
        try Connection.inMemory().query("SELECT \(value) AS value", as: type, decoding: mode).first)
    case .values:
      var decoder = ValueQueryDecoder([value], decoding: mode)
      return try Value(decoder: &decoder)
    }
  }

  /// How decoding fails, without the name of the column.
  func failure<Value: QueryDecodable>(
    of value: SQLiteValue, as type: Value.Type, _ mode: DecodingMode,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> String {
    let error = try #require(throws: SQLiteError.self, "\(value)", sourceLocation: sourceLocation) {
      _ = try decode(value, as: type, mode)
    }
    #expect(error.code == .mismatch, sourceLocation: sourceLocation)
    let column = self == .row ? "column 0 (value): " : "column 0: "
    #expect(error.message.hasPrefix(column), sourceLocation: sourceLocation)
    return String(error.message.dropFirst(column.count))
  }
}
