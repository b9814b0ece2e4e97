/// A JSON value (RFC 8259), with the position it was read from.
package struct JSON: Sendable {
  package var value: Content
  /// The offset of its first byte in the file; 0 for a value that was not read.
  package var offset: Int32 = 0

  package enum Content: Sendable {
    case null
    case boolean(Bool)
    /// As written, so that no digit is lost.
    case number(String)
    case text(String)
    case list([JSON])
    /// In the order in which they are written.
    case object([Member])
  }

  package struct Member: Sendable {
    package let name: String
    package let value: JSON
  }

  init(_ value: Content, offset: Int32 = 0) {
    self.value = value
    self.offset = offset
  }

  package var text: String? { if case .text(let text) = value { text } else { nil } }
  package var truth: Bool? { if case .boolean(let isTrue) = value { isTrue } else { nil } }
  package var list: [JSON]? { if case .list(let values) = value { values } else { nil } }
  package var members: [Member]? { if case .object(let members) = value { members } else { nil } }

  /// The value of a member; nil for one that is missing, and for a value that is not an object.
  package subscript(_ name: String) -> JSON? { members?.first { $0.name == name }?.value }

  /// The integer, also if it is written with zeros after a point.
  package var integer: Int64? {
    guard case .number(let digits) = value else { return nil }
    if let integer = Int64(digits) { return integer }
    // A double does not represent larger integers exactly.
    return Double(digits).flatMap { abs($0) <= 0x1p53 ? Int64(exactly: $0) : nil }
  }

  /// The value, shortened for a message.
  package var shortened: String {
    switch value {
    case .null: "null"
    case .boolean(let isTrue): "\(isTrue)"
    case .number(let digits): String(digits.prefix(40))
    case .text(let text):
      // By scalars, since a character can have any number of them.
      JSON(String(text.unicodeScalars.prefix(60))).written(as: .line)
        + (text.unicodeScalars.dropFirst(60).isEmpty ? "" : "...")
    case .list(let values): values.isEmpty ? "an empty list" : "a list"
    case .object: "an object"
    }
  }

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
    case .description:
      (list?.allSatisfy(\.isSimple)
        ?? members?.allSatisfy { $0.value.list?.allSatisfy(\.isSimple) ?? $0.value.isSimple })
        != false && written(as: .line).utf8.count <= 80
    case .metadata: members?.isEmpty != false
    case .report: false
    }
  }

  private var isSimple: Bool { list == nil && members == nil }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByDictionaryLiteral {
  package static let null = JSON(.null)

  package init(stringLiteral value: String) { self.init(.text(value)) }

  package init(dictionaryLiteral elements: (String, JSON)...) {
    self.init(Dictionary(uniqueKeysWithValues: elements))
  }

  /// Creates a text; nil becomes null.
  package init(_ text: String?) { self.init(text.map(Content.text) ?? .null) }
  /// Creates a number; nil becomes null.
  package init(_ number: (some BinaryInteger)?) {
    self.init(number.map { .number("\($0)") } ?? .null)
  }
  /// Creates a number; values that are not finite, which JSON cannot express, become null.
  package init(_ number: Double) { self.init(number.isFinite ? .number("\(number)") : .null) }
  package init(_ isTrue: Bool) { self.init(.boolean(isTrue)) }
  package init(_ texts: [String]) { self.init(.list(texts.map { JSON($0) })) }
  package init(_ lists: [[String]]) { self.init(.list(lists.map { JSON($0) })) }
  package init(_ numbers: [some BinaryInteger]) { self.init(.list(numbers.map { JSON($0) })) }
  package init(_ values: [JSON]) { self.init(.list(values)) }

  /// Nil for a list without elements, and for an object without members.
  package var unlessEmpty: JSON? { list?.isEmpty == true || members?.isEmpty == true ? nil : self }

  /// Creates an object with its members sorted by name.
  package init(_ members: [String: JSON]) {
    self.init(members: members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
  }

  /// Creates an object from the members that are not nil, in this order.
  package init(members: [(String, JSON?)]) {
    self.init(
      .object(members.compactMap { name, value in value.map { Member(name: name, value: $0) } }))
  }
}

extension String {
  fileprivate mutating func appendQuoted(_ text: String, _ layout: JSON.Layout) {
    self += "\""
    self += text.rewritten(
      escaping: { scalar in String(scalar).utf16.map { "\\u" + $0.hexadecimal }.joined() }
    ) { $0.escapedInJSON(layout) }
    self += "\""
  }
}

extension Unicode.Scalar {
  /// The scalar's short escape in JSON; nil if there is none.
  fileprivate func escapedInJSON(_ layout: JSON.Layout) -> String? {
    switch self {
    case "\"", "\\": "\\\(self)"
    case "\n" where layout != .record: "\\n"
    case "\u{8}" where layout == .report: "\\b"
    case "\u{C}" where layout == .report: "\\f"
    case "\r" where layout == .report: "\\r"
    case "\t" where layout == .report: "\\t"
    default: nil
    }
  }
}
