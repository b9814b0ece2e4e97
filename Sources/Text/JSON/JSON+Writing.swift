extension JSON {
  /// The layout of a written value; programs depend on each of these.
  package enum Layout {
    /// On one line, with numeric escapes for all control characters.
    case record
    /// On one line, with `\n` for a line feed.
    case line
    /// One member or element per line; short objects and lists without nesting on one line.
    case description
    /// One member per line; lists on one line.
    case metadata
    /// One member or element per line, in the format of Foundation's encoder: spaces around colons,
    /// `1` for 1.0, and short escapes for control characters.
    case report
  }

  /// The text of the value, without terminal control characters.
  package func written(as layout: Layout) -> String {
    var text = ""
    write(to: &text, layout, indentation: "")
    return text
  }

  private func write(to text: inout String, _ layout: Layout, indentation: String) {
    switch value {
    case .null: text += "null"
    case .boolean(let isTrue): text += isTrue ? "true" : "false"
    case .number(let digits):
      text += layout == .report && digits.hasSuffix(".0") ? digits.dropLast(2) : digits[...]
    case .text(let string): text.appendQuoted(string, layout)
    case .list(let values):
      write(values, ("[", "]"), to: &text, layout, indentation) { value, inner, text in
        value.write(to: &text, layout, indentation: inner)
      }
    case .object(let members):
      write(members, ("{", "}"), to: &text, layout, indentation) { member, inner, text in
        text.appendQuoted(member.name, layout)
        text += layout == .report ? " : " : ": "
        member.value.write(to: &text, layout, indentation: inner)
      }
    }
  }

  private func write<Part>(
    _ parts: [Part], _ brackets: (open: String, close: String), to text: inout String,
    _ layout: Layout, _ indentation: String, _ writePart: (Part, String, inout String) -> Void
  ) {
    let isOnOneLine = isOnOneLine(layout)
    let inner = isOnOneLine ? indentation : indentation + "  "
    let space = isOnOneLine ? "" : "\n" + inner
    text += brackets.open
    for (index, part) in parts.enumerated() {
      text += index == 0 ? space : isOnOneLine ? ", " : "," + space
      writePart(part, inner, &text)
    }
    if !isOnOneLine { text += (parts.isEmpty ? "\n\n" : "\n") + indentation }
    text += brackets.close
  }

  private func isOnOneLine(_ layout: Layout) -> Bool {
    switch layout {
    case .record, .line: true
    case .description: isShort
    case .metadata: members?.isEmpty != false
    case .report: false
    }
  }

  private var isShort: Bool {
    let isFlat =
      list?.allSatisfy(\.isSimple)
      ?? members?.allSatisfy { $0.value.list?.allSatisfy(\.isSimple) ?? $0.value.isSimple }
    return isFlat != false && written(as: .line).utf8.count <= 80
  }

  private var isSimple: Bool { list == nil && members == nil }
}

extension String {
  fileprivate mutating func appendQuoted(_ text: String, _ layout: JSON.Layout) {
    self += "\""
    self += text.rewritten(escaping: \.numberInJSON) { $0.escapedInJSON(layout) }
    self += "\""
  }
}

extension Unicode.Scalar {
  /// The scalar's short escape in JSON; nil if there is none.
  fileprivate func escapedInJSON(_ layout: JSON.Layout) -> String? {
    switch self {
    case "\"": return "\\\""
    case "\\": return "\\\\"
    case "\n" where layout != .record: return "\\n"
    case "\u{8}" where layout == .report: return "\\b"
    case "\u{C}" where layout == .report: return "\\f"
    case "\r" where layout == .report: return "\\r"
    case "\t" where layout == .report: return "\\t"
    default: return nil
    }
  }

  fileprivate var numberInJSON: String {
    String(self).utf16.map { unit in
      let digits = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
    }.joined()
  }
}
