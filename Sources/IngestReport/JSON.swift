import Files

/// A value of JSON (RFC 8259).
enum JSON: Encodable, Sendable {
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

extension JSON {
  /// Appends the value on one line, the keys of objects in their order.
  ///
  /// Foundation's encoder takes a whole document, which can have a million rows.
  func write(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .boolean(let isTrue): text += isTrue ? "true" : "false"
    case .integer(let number): text += String(number)
    case .real(let number): text += number.isFinite ? "\(number)" : "null"
    case .text(let value):
      text += "\""
      text += value.rewritten(\.escapedInJSON)
      text += "\""
    case .list(let values):
      text += "["
      for (index, value) in values.enumerated() {
        if index > 0 { text += ", " }
        value.write(to: &text)
      }
      text += "]"
    case .object(let values):
      text += "{"
      for (index, (key, value)) in values.sorted(by: { $0.key < $1.key }).enumerated() {
        if index > 0 { text += ", " }
        JSON.text(key).write(to: &text)
        text += ": "
        value.write(to: &text)
      }
      text += "}"
    }
  }

  /// The value on one line.
  var line: String {
    var text = ""
    write(to: &text)
    return text
  }
}

extension Unicode.Scalar {
  /// The scalar as JSON must have it in a text; nil if it may stay as it is.
  fileprivate var escapedInJSON: String? {
    switch self {
    case "\"": "\\\""
    case "\\": "\\\\"
    default: controlsTerminal ? numbersInJSON : nil
    }
  }

  /// The scalar by its numbers, if it would control a terminal or end a line; JSON itself would have some of
  /// them as they are.
  var escapedControlOfJSON: String? {
    // The line feeds between the members stay.
    controlsTerminal && value >= 0x20 ? numbersInJSON : nil
  }

  private var numbersInJSON: String {
    String(self).utf16.map { unit in
      let digits = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
    }.joined()
  }
}
