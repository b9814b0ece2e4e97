/// A value of JSON whose members stay in the order in which they were written: readers see it.
enum OrderedJSON: ExpressibleByStringLiteral {
  case text(String)
  case number(Int)
  case truth(Bool)
  case list([OrderedJSON])
  case members([(String, OrderedJSON)])

  init(stringLiteral value: String) { self = .text(value) }

  /// As text, with a member a line.
  var written: String { written(indentation: "") }

  private func written(indentation: String) -> String {
    let inner = indentation + "  "
    switch self {
    case .text(let text): return Self.quoted(text)
    case .number(let number): return "\(number)"
    case .truth(let isTrue): return isTrue ? "true" : "false"
    case .list(let values):
      return "[" + values.map { $0.written(indentation: inner) }.joined(separator: ", ") + "]"
    case .members(let members):
      if members.isEmpty { return "{}" }
      let lines = members.map { name, value in
        inner + Self.quoted(name) + ": " + value.written(indentation: inner)
      }
      return "{\n" + lines.joined(separator: ",\n") + "\n" + indentation + "}"
    }
  }

  private static func quoted(_ text: String) -> String {
    let letters = text.unicodeScalars.map { letter in
      switch letter {
      case "\"": "\\\""
      case "\\": "\\\\"
      case "\n": "\\n"
      case "\u{0}"..<" ", "\u{7F}"..."\u{9F}":
        "\\u" + String(repeating: "0", count: letter.value < 16 ? 3 : 2)
          + String(letter.value, radix: 16)
      default: String(letter)
      }
    }
    return "\"" + letters.joined() + "\""
  }
}
