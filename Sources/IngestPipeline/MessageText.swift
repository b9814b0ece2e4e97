extension String {
  /// The text in quotes, as a message shows it: see `Span.quotedForMessage`.
  var quotedForMessage: String { utf8.span.quotedForMessage }
}

extension Span<UInt8> {
  /// The bytes in quotes, as a message shows them, whatever they are.
  ///
  /// What is not printable stands as `\n`, `\r`, `\t` or `\x1b`, and after 64 bytes follows only
  /// how many there are: nothing from a dump can control a terminal or flood a log.
  var quotedForMessage: String {
    let shown = extracting(0..<Swift.min(count, 64))
    var text = "\""
    var index = 0
    while index < shown.count {
      let end = shown.characterEnd(at: index)
      if let end {
        text += shown.extracting(index..<end).scalarText
        index = end
      } else {
        text += shown[index].escaped
        index += 1
      }
    }
    return text + "\"" + (count > shown.count ? "… (\(count) bytes)" : "")
  }
}

extension Span<UInt8> {
  /// The end of the printable character at `index`, or nil if there is none.
  private func characterEnd(at index: Int) -> Int? {
    let length =
      switch self[index] {
      case 0x20..<0x7f: 1
      case 0xc2..<0xe0: 2
      case 0xe0..<0xf0: 3
      case 0xf0..<0xf5: 4
      default: 0
      }
    guard length > 0, index + length <= count else { return nil }
    let isQuoteOrBackslash = self[index] == UInt8(ascii: "\"") || self[index] == UInt8(ascii: "\\")
    // The second half of Latin-1's controls, and the marks that turn the direction of writing.
    guard !isQuoteOrBackslash, let scalar = extracting(index..<index + length).onlyScalar,
      scalar.properties.generalCategory != .control, scalar.properties.generalCategory != .format
    else { return nil }
    return index + length
  }

  private var onlyScalar: Unicode.Scalar? {
    guard let text = try? UTF8Span(validating: self) else { return nil }
    return String(copying: text).unicodeScalars.first
  }

  private var scalarText: String { onlyScalar.map { String($0) } ?? "" }
}

extension UInt8 {
  fileprivate var escaped: String {
    switch self {
    case UInt8(ascii: "\n"): "\\n"
    case UInt8(ascii: "\r"): "\\r"
    case UInt8(ascii: "\t"): "\\t"
    case UInt8(ascii: "\""): "\\\""
    case UInt8(ascii: "\\"): "\\\\"
    default: "\\x" + (self < 16 ? "0" : "") + String(self, radix: 16)
    }
  }
}
