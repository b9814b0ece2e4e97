import Files

extension JSON {
  /// How a value is laid out: programs have come to rely on each of these.
  package enum Layout {
    /// On one line, with numbers for all control characters.
    case record
    /// On one line, with `\n` for a line feed.
    case line
    /// A member or an element a line; an object or a list with neither in it, and short, on one line.
    case description
    /// A member a line; lists on one line.
    case metadata
    /// A member or an element a line, as Foundation's encoder writes them: with spaces around colons, `1` for 1.0,
    /// and a letter for each control character that has one.
    case report
  }

  /// The text of the value, in which nothing controls a terminal.
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
    self += text.rewritten { $0.escapedInJSON(layout) }
    self += "\""
  }
}

extension Unicode.Scalar {
  /// The scalar as JSON must have it in a text, or by its numbers if it would control a terminal; nil if it may stay
  /// as it is.
  fileprivate func escapedInJSON(_ layout: JSON.Layout) -> String? {
    switch self {
    case "\"": return "\\\""
    case "\\": return "\\\\"
    case "\n" where layout != .record: return "\\n"
    case "\u{8}" where layout == .report: return "\\b"
    case "\u{C}" where layout == .report: return "\\f"
    case "\r" where layout == .report: return "\\r"
    case "\t" where layout == .report: return "\\t"
    default:
      guard controlsTerminal else { return nil }
      return String(self).utf16.map { unit in
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      }.joined()
    }
  }
}
