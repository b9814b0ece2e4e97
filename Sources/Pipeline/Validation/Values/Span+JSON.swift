package import SQLiteSwiftly

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

/// A position in JSON, with its open objects and arrays.
private struct JSONCursor {
  /// The deepest nesting that SQLite accepts.
  private static let deepest = 1000

  var index = 0
  private var depth = 0
  /// One bit for each open container: whether it is an object.
  private var areObjects = InlineArray<16, UInt64>(repeating: 0)

  private var isInObject: Bool {
    depth > 0 && areObjects[(depth - 1) / 64] >> UInt64((depth - 1) % 64) & 1 == 1
  }

  mutating func skipBlanks(of text: Span<UInt8>) {
    while index < text.count, text[index].isBlank { index += 1 }
  }

  /// Parses a value with its contents and the surrounding whitespace.
  mutating func readValue(of text: Span<UInt8>) -> Bool {
    repeat {
      guard readStart(of: text) else { return false }
    } while continues(in: text)
    return depth == 0
  }

  /// Parses through the first value that contains no other.
  private mutating func readStart(of text: Span<UInt8>) -> Bool {
    while true {
      skipBlanks(of: text)
      guard index < text.count else { return false }
      switch text[index] {
      case UInt8(ascii: "{"):
        guard open(isObject: true) else { return false }
        skipBlanks(of: text)
        if close(in: text) { return true }
        guard readKey(of: text) else { return false }
      case UInt8(ascii: "["):
        guard open(isObject: false) else { return false }
        skipBlanks(of: text)
        if close(in: text) { return true }
      default: return readScalar(of: text)
      }
    }
  }

  /// Advances to the next value; returns false at the end or on an error.
  ///
  /// After an error `depth` is not 0, or text remains.
  private mutating func continues(in text: Span<UInt8>) -> Bool {
    while true {
      skipBlanks(of: text)
      guard depth > 0, index < text.count else { return false }
      if close(in: text) { continue }
      guard text[index] == UInt8(ascii: ",") else { return false }
      index += 1
      return !isInObject || readKey(of: text)
    }
  }

  private mutating func open(isObject: Bool) -> Bool {
    guard depth < Self.deepest else { return false }
    let bit = UInt64(1) << UInt64(depth % 64)
    if isObject { areObjects[depth / 64] |= bit } else { areObjects[depth / 64] &= ~bit }
    depth += 1
    index += 1
    return true
  }

  private mutating func close(in text: Span<UInt8>) -> Bool {
    let end = isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
    guard index < text.count, text[index] == end else { return false }
    index += 1
    depth -= 1
    return true
  }

  private mutating func readKey(of text: Span<UInt8>) -> Bool {
    skipBlanks(of: text)
    guard readString(of: text) else { return false }
    skipBlanks(of: text)
    guard index < text.count, text[index] == UInt8(ascii: ":") else { return false }
    index += 1
    return true
  }

  private mutating func readScalar(of text: Span<UInt8>) -> Bool {
    switch text[index] {
    case UInt8(ascii: "\""): readString(of: text)
    case UInt8(ascii: "t"): read("true", of: text)
    case UInt8(ascii: "f"): read("false", of: text)
    case UInt8(ascii: "n"): read("null", of: text)
    default: readNumber(of: text)
    }
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
    guard index < text.count, text[index] == UInt8(ascii: "\"") else { return false }
    index += 1
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
    if text[index] == UInt8(ascii: "-") { index += 1 }
    let first = index
    guard readDigits(of: text) else { return false }
    if text[first] == UInt8(ascii: "0"), index > first + 1 { return false }
    if index < text.count, text[index] == UInt8(ascii: ".") {
      index += 1
      guard readDigits(of: text) else { return false }
    }
    if index < text.count, text[index] | 0x20 == UInt8(ascii: "e") {
      index += 1
      if index < text.count, text[index] == UInt8(ascii: "+") || text[index] == UInt8(ascii: "-") {
        index += 1
      }
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
