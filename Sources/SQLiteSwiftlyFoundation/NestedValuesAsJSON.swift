import FoundationEssentials
package import SQLiteSwiftly

/// Arrays, dictionaries and nested structures of records are stored as JSON text: keys sorted, dates as in columns,
/// and data in base 64.
extension NestedValues: NestedValueCoding {
  package static func text(of value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(try date.sqliteValue.textValue)
    }
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  package static func value<Value: Decodable>(
    _ type: Value.Type, from text: String
  ) throws -> Value {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let container = try decoder.singleValueContainer()
      guard let seconds = TimeValue.secondsSince2001(try container.decode(String.self)) else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "expected \(TimeValue.phrase)")
      }
      return Date(timeIntervalSinceReferenceDate: seconds)
    }
    return try decoder.decode(type, from: Data(text.utf8))
  }
}
