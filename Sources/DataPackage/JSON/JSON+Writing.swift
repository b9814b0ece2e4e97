import Files

extension JSON: ExpressibleByStringLiteral {
  init(stringLiteral value: String) { self.init(.text(value)) }

  init(_ text: String) { self.init(.text(text)) }
  init(_ isTrue: Bool) { self.init(.boolean(isTrue)) }
  init(_ number: some BinaryInteger) { self.init(.number("\(number)")) }
  init(_ number: Double) { self.init(.number("\(number)")) }
  init(_ texts: [String]) { self.init(.list(texts.map { JSON($0) })) }
  init(_ values: [JSON]) { self.init(.list(values)) }

  /// The members that are there.
  init(members: [(String, JSON?)]) {
    self.init(
      .object(members.compactMap { name, value in value.map { Member(name: name, value: $0) } }))
  }
}

extension JSON {
  /// The value on one line.
  var line: String {
    switch value {
    case .null: "null"
    case .boolean(let isTrue): "\(isTrue)"
    case .number(let digits): digits
    case .text(let text): Self.quoted(text)
    case .list(let values): "[" + values.map(\.line).joined(separator: ", ") + "]"
    case .object(let members):
      "{" + members.map { Self.quoted($0.name) + ": " + $0.value.line }.joined(separator: ", ")
        + "}"
    }
  }

  /// The value with a member a line; an object or a list that has none of either, and is short, on one line.
  func written(indentation: String = "") -> String {
    let inner = indentation + "  "
    let parts: [String]
    let brackets: (String, String)
    switch value {
    case .object(let members) where !isShort:
      parts = members.map { Self.quoted($0.name) + ": " + $0.value.written(indentation: inner) }
      brackets = ("{", "}")
    case .list(let values) where !isShort:
      parts = values.map { $0.written(indentation: inner) }
      brackets = ("[", "]")
    default: return line
    }
    return brackets.0 + "\n" + parts.map { inner + $0 }.joined(separator: ",\n") + "\n"
      + indentation + brackets.1
  }

  private var isShort: Bool {
    switch value {
    case .list(let values): values.allSatisfy(\.isSimple) && line.utf8.count <= 80
    case .object(let members):
      members.allSatisfy { $0.value.list.map { $0.allSatisfy(\.isSimple) } ?? $0.value.isSimple }
        && line.utf8.count <= 80
    default: true
    }
  }

  private var isSimple: Bool {
    switch value {
    case .list, .object: false
    default: true
    }
  }

  private static func quoted(_ text: String) -> String {
    var written = "\""
    for letter in text.unicodeScalars {
      switch letter {
      case "\"": written += "\\\""
      case "\\": written += "\\\\"
      case "\n": written += "\\n"
      // What would control a terminal.
      case _ where letter.controlsTerminal:
        for unit in UTF16.encode(letter) ?? .init() {
          let digits = String(unit, radix: 16)
          written += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
        }
      default: written.unicodeScalars.append(letter)
      }
    }
    return written + "\""
  }
}
