/// Reads SQL text piece by piece, by the rules of SQLite's own tokenizer.
struct SQLScanner {
  private let bytes: [UInt8]
  private var index = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  /// Returns the next piece, or nil at the end.
  mutating func next() -> SQLToken? {
    skipBlanksAndComments()
    guard let byte = byte(0) else { return nil }
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "`"): return SQLToken(kind: .name, text: quoted(byte))
    case UInt8(ascii: "["): return SQLToken(kind: .name, text: enclosed(by: UInt8(ascii: "]")))
    case UInt8(ascii: "'"): return SQLToken(kind: .string, text: quoted(byte))
    case UInt8(ascii: "x"), UInt8(ascii: "X"):
      guard self.byte(1) == UInt8(ascii: "'") else { return word() }
      index += 1
      let digits = enclosed(by: UInt8(ascii: "'")).uppercased()
      return SQLToken(kind: .literal, text: "X'\(digits)'")
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return number()
    case UInt8(ascii: "."):
      return self.byte(1).map { isDigit($0) } ?? false ? number() : symbol()
    default: return byte.isNameByte ? word() : symbol()
    }
  }

  /// The byte that stands so far behind the place where the scanner is.
  private func byte(_ distance: Int) -> UInt8? {
    index + distance < bytes.count ? bytes[index + distance] : nil
  }

  private func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

  private func starts(with text: String) -> Bool { bytes[index...].starts(with: text.utf8) }

  private mutating func skipBlanksAndComments() {
    while let byte = byte(0) {
      if starts(with: "--") {
        index = bytes[index...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      } else if starts(with: "/*") {
        index += 2
        while index < bytes.count, !starts(with: "*/") { index += 1 }
        index = min(index + 2, bytes.count)
      } else if [0x20, 0x09, 0x0a, 0x0c, 0x0d].contains(byte) {
        index += 1
      } else {
        return
      }
    }
  }

  /// Reads what stands between quotes, a doubled one being one of it.
  private mutating func quoted(_ quote: UInt8) -> String {
    var content: [UInt8] = []
    index += 1
    while let byte = byte(0) {
      index += 1
      if byte == quote {
        guard self.byte(0) == quote else { break }
        index += 1
      }
      content.append(byte)
    }
    return String(decoding: content, as: UTF8.self)
  }

  /// Reads what stands behind a mark and before the next `end`.
  private mutating func enclosed(by end: UInt8) -> String {
    index += 1
    let start = index
    index = bytes[start...].firstIndex(of: end) ?? bytes.count
    defer { index = min(index + 1, bytes.count) }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private mutating func word() -> SQLToken {
    SQLToken(kind: .word, text: take { $0.isNameByte })
  }

  private mutating func number() -> SQLToken {
    let isHexadecimal = starts(with: "0x") || starts(with: "0X")
    var previous: UInt8 = 0
    let text = take { byte in
      let isSign = byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
      let followsExponent = !isHexadecimal && previous | 0x20 == UInt8(ascii: "e")
      previous = byte
      return byte.isNameByte || byte == UInt8(ascii: ".") || isSign && followsExponent
    }
    return SQLToken(kind: .literal, text: text)
  }

  private mutating func symbol() -> SQLToken {
    let longer = ["->>", "->", "||", "<<", ">>", "<=", ">=", "<>", "==", "!="]
    if let text = longer.first(where: starts(with:)) {
      index += text.utf8.count
      return SQLToken(kind: .symbol, text: text)
    }
    index += 1
    return SQLToken(kind: .symbol, text: String(decoding: bytes[index - 1..<index], as: UTF8.self))
  }

  private mutating func take(while isPart: (UInt8) -> Bool) -> String {
    let start = index
    while let byte = byte(0), isPart(byte) { index += 1 }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }
}
