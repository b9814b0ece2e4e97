/// A value of JSON (RFC 8259), and where it was read.
struct JSON {
  var value: Value
  /// The place of its first byte in the file; 0 for one that was not read.
  var offset: Int32 = 0

  enum Value {
    case null
    case boolean(Bool)
    /// As it is written, so that no digit is lost.
    case number(String)
    case text(String)
    case list([JSON])
    /// In the order in which they are written.
    case object([Member])
  }

  struct Member {
    let name: String
    let value: JSON
  }

  init(_ value: Value, offset: Int32 = 0) {
    self.value = value
    self.offset = offset
  }
}

extension JSON {
  var text: String? { if case .text(let text) = value { text } else { nil } }
  var truth: Bool? { if case .boolean(let isTrue) = value { isTrue } else { nil } }
  var list: [JSON]? { if case .list(let values) = value { values } else { nil } }
  var members: [Member]? { if case .object(let members) = value { members } else { nil } }

  /// The whole number, also if it is written with zeros after a point.
  var integer: Int64? {
    guard case .number(let digits) = value else { return nil }
    if let integer = Int64(digits) { return integer }
    // A double has no digits for larger ones.
    return Double(digits).flatMap { abs($0) <= 0x1p53 ? Int64(exactly: $0) : nil }
  }

  /// The value in a message, which it must not fill.
  var shortened: String {
    switch value {
    case .null: "null"
    case .boolean(let isTrue): "\(isTrue)"
    case .number(let digits): String(digits.prefix(40))
    case .text(let text):
      // Scalars, since a character can have any number of them.
      JSON(.text(String(text.unicodeScalars.prefix(60)))).line
        + (text.unicodeScalars.dropFirst(60).isEmpty ? "" : "...")
    case .list(let values): values.isEmpty ? "an empty list" : "a list"
    case .object: "an object"
    }
  }
}
