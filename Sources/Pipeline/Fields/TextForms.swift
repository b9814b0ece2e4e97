package import SQLiteSwiftly
package import Text

extension Span<UInt8> {
  /// An unquoted local part, and a domain of several labels, with letters beyond ASCII in both (RFC 6531).
  var isEmail: Bool {
    guard count <= 254, let at = indices.last(where: { self[$0] == UInt8(ascii: "@") }),
      1...64 ~= at
    else { return false }
    for index in 0..<at {
      guard self[index].isInMailbox else { return false }
      guard self[index] == UInt8(ascii: ".") else { continue }
      guard index > 0, index + 1 < at, self[index + 1] != UInt8(ascii: ".") else { return false }
    }
    return extracting((at + 1)...).isDomain
  }

  /// Labels of letters, digits and hyphens, separated by points, the last one of letters or in Punycode.
  private var isDomain: Bool {
    var (start, names) = (0, 0)
    for index in 0...count {
      guard index == count || self[index] == UInt8(ascii: ".") else {
        guard self[index].isAlphanumeric || self[index] >= 0x80 || self[index] == UInt8(ascii: "-")
        else { return false }
        continue
      }
      guard 1...63 ~= index - start, self[start] != UInt8(ascii: "-"),
        self[index - 1] != UInt8(ascii: "-")
      else { return false }
      names += 1
      if index < count { start = index + 1 }
    }
    let isPunycode = count - start > 4 && word(at: start, count: 4) | 0x2020 == 0x2d2d_6e78
    for index in start..<count where self[index] < 0x80 && !self[index].isLetter && !isPunycode {
      return false
    }
    return names > 1 && count - start > 1
  }
}

/// The forms of texts that match a regular expression of XML Schema.
package enum TextForms {
  /// A scheme, a colon, and characters allowed in a URI (RFC 3986).
  package static let uri = pattern(
    #"[A-Za-z][A-Za-z0-9+.\-]*:([A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*"#)
  package static let uuid = pattern("[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
  /// Base 64 with its padding.
  static let base64 = pattern("([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")
  /// A year as in XML Schema: four digits or more, with an optional minus sign.
  static let year = pattern("-?([0-9]{4}|[1-9][0-9]{4,17})")
  package static let yearMonth = pattern("[0-9]{4}-(0[1-9]|1[0-2])")
  /// A duration as in XML Schema, such as `-P1Y2M3DT4H5M6.7S`.
  static let duration = {
    let number = "[0-9]+"
    let seconds = #"[0-9]+(\.[0-9]+)?S"#
    let time = "T(\(number)H(\(number)M)?(\(seconds))?|\(number)M(\(seconds))?|\(seconds))"
    let days = "\(number)Y(\(number)M)?(\(number)D)?|\(number)M(\(number)D)?|\(number)D"
    return pattern("-?P((\(days))(\(time))?|\(time))")
  }()

  package static func pattern(_ text: String) -> TextPattern {
    guard let pattern = TextPattern(text) else {
      preconditionFailure("\(text) is not a valid pattern")
    }
    return pattern
  }
}

extension UInt8 {
  fileprivate var isAlphanumeric: Bool { isDigit || isLetter }

  fileprivate var isInMailbox: Bool {
    isAlphanumeric || self >= 0x80 || ".!#$%&'*+/=?^_`{|}~-".utf8.contains(self)
  }
}

extension Span<UInt8> {
  /// Whether it is JSON (RFC 8259) of a form, no deeper than SQLite allows.
  package func isJSON(_ form: ColumnDescription.JSONForm) -> Bool {
    var cursor = JSONCursor()
    cursor.skipBlanks(of: self)
    guard cursor.index < count else { return false }
    switch form {
    case .value: break
    case .object: guard self[cursor.index] == UInt8(ascii: "{") else { return false }
    case .array: guard self[cursor.index] == UInt8(ascii: "[") else { return false }
    }
    return cursor.readValue(of: self) && cursor.index == count
  }
}

private struct JSONCursor {
  /// The deepest nesting that SQLite accepts.
  private static let deepest = 1000

  var index = 0

  mutating func skipBlanks(of text: Span<UInt8>) {
    while index < text.count, text[index].isBlank { index += 1 }
  }

  private mutating func skip(_ byte: UInt8, of text: Span<UInt8>) -> Bool {
    guard index < text.count, text[index] == byte else { return false }
    index += 1
    return true
  }

  /// Parses a value with its contents and the surrounding whitespace.
  mutating func readValue(of text: Span<UInt8>, depth: Int = 0) -> Bool {
    skipBlanks(of: text)
    guard index < text.count else { return false }
    defer { skipBlanks(of: text) }
    return switch text[index] {
    case UInt8(ascii: "{"): readItems(of: text, isObject: true, depth: depth + 1)
    case UInt8(ascii: "["): readItems(of: text, isObject: false, depth: depth + 1)
    case UInt8(ascii: "\""): readString(of: text)
    case UInt8(ascii: "t"): read("true", of: text)
    case UInt8(ascii: "f"): read("false", of: text)
    case UInt8(ascii: "n"): read("null", of: text)
    default: readNumber(of: text)
    }
  }

  private mutating func readItems(of text: Span<UInt8>, isObject: Bool, depth: Int) -> Bool {
    guard depth <= Self.deepest else { return false }
    index += 1
    skipBlanks(of: text)
    let end = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
    if skip(end, of: text) { return true }
    repeat {
      guard !isObject || readKey(of: text), readValue(of: text, depth: depth) else { return false }
    } while skip(UInt8(ascii: ","), of: text)
    return skip(end, of: text)
  }

  private mutating func readKey(of text: Span<UInt8>) -> Bool {
    skipBlanks(of: text)
    guard readString(of: text) else { return false }
    skipBlanks(of: text)
    return skip(UInt8(ascii: ":"), of: text)
  }

  private mutating func read(_ word: StaticString, of text: Span<UInt8>) -> Bool {
    let count = word.utf8CodeUnitCount
    guard index + count <= text.count else { return false }
    for offset in 0..<count {
      guard unsafe text[index + offset] == word.utf8Start[offset] else { return false }
    }
    index += count
    return true
  }

  private mutating func readString(of text: Span<UInt8>) -> Bool {
    guard skip(UInt8(ascii: "\""), of: text) else { return false }
    while index < text.count {
      let byte = text[index]
      index += 1
      if byte == UInt8(ascii: "\"") { return true }
      if byte < 0x20 { return false }
      if byte == UInt8(ascii: "\\"), !readEscape(of: text) { return false }
    }
    return false
  }

  private mutating func readEscape(of text: Span<UInt8>) -> Bool {
    guard index < text.count else { return false }
    index += 1
    switch text[index - 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return true
    case UInt8(ascii: "u"):
      guard index + 4 <= text.count else { return false }
      for place in index..<index + 4 where !text[place].isHexadecimal { return false }
      index += 4
      return true
    default: return false
    }
  }

  private mutating func readNumber(of text: Span<UInt8>) -> Bool {
    _ = skip(UInt8(ascii: "-"), of: text)
    let first = index
    guard readDigits(of: text) else { return false }
    if text[first] == UInt8(ascii: "0"), index > first + 1 { return false }
    if skip(UInt8(ascii: "."), of: text), !readDigits(of: text) { return false }
    if index < text.count, text[index] | 0x20 == UInt8(ascii: "e") {
      index += 1
      _ = skip(UInt8(ascii: "+"), of: text) || skip(UInt8(ascii: "-"), of: text)
      guard readDigits(of: text) else { return false }
    }
    return true
  }

  private mutating func readDigits(of text: Span<UInt8>) -> Bool {
    let start = index
    while index < text.count, text[index].isDigit { index += 1 }
    return index > start
  }
}
