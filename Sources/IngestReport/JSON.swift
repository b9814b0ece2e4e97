/// A value of JSON (RFC 8259).
enum JSON: Encodable {
  case null
  case boolean(Bool)
  case integer(Int)
  case real(Double)
  case text(String)
  case list([JSON])
  case object([String: JSON])

  /// What is not there is null.
  init(_ number: Int?) { self = number.map(JSON.integer) ?? .null }

  /// What is not there is null.
  init(_ text: String?) { self = text.map(JSON.text) ?? .null }

  init(_ isTrue: Bool) { self = .boolean(isTrue) }

  /// Seconds with six decimals, and zero for what is not a number, which JSON cannot express.
  init(seconds: Double) {
    self = .real(seconds.isFinite ? (seconds * 1e6).rounded() / 1e6 : 0)
  }

  init(_ values: [JSON]) { self = .list(values) }

  init(_ texts: [String]) { self = .list(texts.map(JSON.text)) }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .boolean(let isTrue): try container.encode(isTrue)
    case .integer(let number): try container.encode(number)
    case .real(let number): try container.encode(number)
    case .text(let text): try container.encode(text)
    case .list(let values): try container.encode(values)
    case .object(let values): try container.encode(values)
    }
  }
}

extension JSON: ExpressibleByDictionaryLiteral {
  init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(Dictionary(uniqueKeysWithValues: elements))
  }
}
