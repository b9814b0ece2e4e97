/// Reads one JSON value from bytes; Foundation's decoder reports neither the line of an error nor
/// duplicate names in an object, and converts numbers to doubles.
package struct JSONReader {
  /// The maximum nesting depth of lists and objects; descriptions need eight.
  private static let maximumDepth = 64
  /// The maximum number of bytes of a name and of a number.
  private static let longestName = 1000
  /// The maximum number of duplicate names to report.
  private static let maximumRepetitions = 1000

  /// Duplicate names in objects, with the pointer to the second one (RFC 6901).
  package private(set) var repetitions: [(pointer: String, offset: Int32)] = []
  /// The number of values still allowed; each takes memory.
  package private(set) var valuesLeft: Int
  private let bytes: [UInt8]
  private var position = 0
  /// The names and indexes of the path to the current position.
  private var path: [String] = []

  package struct Mistake: Error {
    package let offset: Int32
    package let problem: String
    package let expectation: String
  }

  package init(_ bytes: [UInt8], mostValues: Int) {
    self.bytes = bytes
    valuesLeft = mostValues
  }

  package mutating func read() throws(Mistake) -> JSON {
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: bytes.span)
    } catch {
      position = error.byteOffsets.lowerBound
      throw mistake("bytes that are not UTF-8", expected: "text in UTF-8")
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    let value = try readValue()
    skipSpace()
    guard position == bytes.count else {
      throw mistake("\(found) after the end", expected: "nothing after the description")
    }
    return value
  }

  private mutating func readValue() throws(Mistake) -> JSON {
    skipSpace()
    guard valuesLeft > 0 else {
      throw mistake("too many values", expected: "at most 250,000 values in total")
    }
    valuesLeft -= 1
    let offset = Int32(clamping: position)
    let value: JSON.Content
    switch next {
    case UInt8(ascii: "{"): value = .object(try readMembers())
    case UInt8(ascii: "["): value = .list(try readElements())
    case UInt8(ascii: "\""): value = .text(try readText())
    case let byte? where byte == UInt8(ascii: "-") || Self.isDigit(byte):
      value = .number(try readNumber())
    default:
      if skip("true") {
        value = .boolean(true)
      } else if skip("false") {
        value = .boolean(false)
      } else if skip("null") {
        value = .null
      } else {
        throw mistake(found, expected: "a value, such as a text in double quotes")
      }
    }
    return JSON(value, offset: offset)
  }

  private mutating func readMembers() throws(Mistake) -> [JSON.Member] {
    var members: [JSON.Member] = []
    var names: Set<[UInt8]> = []
    guard try !enter(closing: "}") else { return members }
    while true {
      skipSpace()
      let offset = Int32(clamping: position)
      guard next == UInt8(ascii: "\"") else {
        throw mistake(found, expected: "the name of a property in double quotes")
      }
      let name = try readText()
      guard name.utf8.count <= Self.longestName else {
        position = Int(offset)
        throw mistake("a name of \(name.utf8.count) bytes", expected: "at most \(Self.longestName)")
      }
      let isNew = names.insert(Array(name.utf8)).inserted
      if !isNew, repetitions.count < Self.maximumRepetitions {
        let pointer = (path + [name]).map { "/" + $0.escapedInPointer }.joined()
        repetitions.append((pointer, offset))
      }
      skipSpace()
      guard skip(":") else { throw mistake(found, expected: "a colon after the name") }
      members.append(JSON.Member(name: name, value: try readValue(named: name)))
      if skip("}") { return members }
      guard skip(",") else {
        throw mistake(found, expected: "a comma or } after the value of \(JSON(name).shortened)")
      }
    }
  }

  private mutating func readElements() throws(Mistake) -> [JSON] {
    var elements: [JSON] = []
    guard try !enter(closing: "]") else { return elements }
    while true {
      elements.append(try readValue(named: "\(elements.count)"))
      if skip("]") { return elements }
      guard skip(",") else { throw mistake(found, expected: "a comma or ] after the value") }
    }
  }

  /// Skips the bracket that opens a list or an object; true if the closing one follows.
  private mutating func enter(closing bracket: StaticString) throws(Mistake) -> Bool {
    guard path.count < Self.maximumDepth else {
      throw mistake("too many nested brackets", expected: "at most \(Self.maximumDepth)")
    }
    position += 1
    skipSpace()
    return skip(bracket)
  }

  /// Reads a value within another one, and the space after it.
  private mutating func readValue(named name: String) throws(Mistake) -> JSON {
    path.append(name)
    let value = try readValue()
    path.removeLast()
    skipSpace()
    return value
  }

  private mutating func readNumber() throws(Mistake) -> String {
    let start = position
    _ = skip("-")
    let whole = position
    guard skipDigits() else { throw mistake(found, expected: "a digit") }
    if bytes[whole] == UInt8(ascii: "0"), position > whole + 1 {
      position = whole
      throw mistake("a number that begins with 0", expected: "no leading zero")
    }
    if skip("."), !skipDigits() { throw mistake(found, expected: "a digit after the point") }
    if skip("e") || skip("E") {
      if !skip("-") { _ = skip("+") }
      guard skipDigits() else { throw mistake(found, expected: "a digit of the exponent") }
    }
    guard position - start <= Self.longestName else {
      let length = position - start
      position = start
      throw mistake("a number of \(length) characters", expected: "at most \(Self.longestName)")
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func skipDigits() -> Bool {
    let start = position
    while let byte = next, Self.isDigit(byte) { position += 1 }
    return position > start
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }

  private mutating func readText() throws(Mistake) -> String {
    position += 1
    var text = ""
    var start = position
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        text += String(decoding: bytes[start..<position], as: UTF8.self)
        position += 1
        return text
      case UInt8(ascii: "\\"):
        text += String(decoding: bytes[start..<position], as: UTF8.self)
        text.unicodeScalars.append(try readEscape())
        start = position
      case 0..<0x20:
        throw mistake(
          "a control character in a text", expected: "an escape such as \\n, \\t or \\u0000")
      default: position += 1
      }
    }
    throw mistake("the end of the file in a text", expected: "a closing double quote")
  }

  private mutating func readEscape() throws(Mistake) -> Unicode.Scalar {
    position += 1
    let letter = next
    position += letter == nil ? 0 : 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
      return Unicode.Scalar(letter ?? 0)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default:
      position -= 1
      throw mistake("an unknown escape in a text", expected: "\\\\ for a backslash")
    }
    var code = try readUnit()
    if 0xD800..<0xDC00 ~= code, skip("\\u") {
      let low = try readUnit()
      if 0xDC00..<0xE000 ~= low { code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00) }
    }
    guard let scalar = Unicode.Scalar(code) else {
      throw mistake("half of a surrogate pair in a text", expected: "both halves")
    }
    return scalar
  }

  private mutating func readUnit() throws(Mistake) -> UInt32 {
    let digits = bytes[position..<min(position + 4, bytes.count)]
    guard digits.count == 4, !digits.contains(UInt8(ascii: "+")),
      !digits.contains(UInt8(ascii: "-")),
      let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw mistake(found, expected: "four hexadecimal digits after \\u") }
    position += 4
    return code
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

  private mutating func skip(_ word: StaticString) -> Bool {
    let end = position + word.utf8CodeUnitCount
    guard end <= bytes.count else { return false }
    let isThere = word.withUTF8Buffer { unsafe $0.elementsEqual(bytes[position..<end]) }
    if isThere { position = end }
    return isThere
  }

  /// The text at the current position, for a message.
  private var found: String {
    guard let next else { return "the end of the file" }
    if next < 0x20 { return "a control character" }
    // Only as many bytes as the longest character and the text after it need: all of them are UTF-8.
    let rest = String(decoding: bytes[position..<min(position + 16, bytes.count)], as: UTF8.self)
    return rest.unicodeScalars.first.map { "'\($0)'" } ?? "nothing"
  }

  private func mistake(_ problem: String, expected: String) -> Mistake {
    Mistake(offset: Int32(clamping: position), problem: problem, expectation: expected)
  }
}

extension String {
  /// The name as a part of a JSON pointer (RFC 6901).
  package var escapedInPointer: String { rewritten { $0 == "~" ? "~0" : $0 == "/" ? "~1" : nil } }
}
