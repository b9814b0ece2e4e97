extension String {
  /// The text in quotes, as shown in messages: see `TextBuffer.append(quoted:)`.
  package var quotedForMessage: String { utf8.span.quotedForMessage }

  /// The text as shown in messages, without quotes: it cannot control a terminal.
  package var escapedForMessage: String { utf8.span.escapedForMessage }
}

extension Span<UInt8> {
  /// The text; bytes that are not UTF-8 are replaced.
  package var text: String {
    var text = TextBuffer(capacity: count)
    text.append(self)
    return text.string
  }

  package var quotedForMessage: String {
    var text = TextBuffer()
    text.append(quoted: self)
    return text.string
  }

  package var escapedForMessage: String {
    var text = TextBuffer()
    text.append(escaped: self)
    return text.string
  }
}

extension TextBuffer {
  /// Appends any bytes in quotes, as shown in messages.
  ///
  /// Unprintable bytes appear as `\n`, `\r`, `\t` or `\x1b`, and after 64 bytes only the total number follows, so that
  /// source files cannot control a terminal or flood a log.
  package mutating func append(quoted bytes: Span<UInt8>) {
    let shown = bytes.extracting(0..<min(bytes.count, 64))
    append(UInt8(ascii: "\""))
    append(escaped: shown)
    append(UInt8(ascii: "\""))
    guard bytes.count > shown.count else { return }
    append("… (")
    append(bytes.count)
    append(" bytes)")
  }

  /// Appends bytes, with unprintable ones as `\n`, `\r`, `\t` or `\x1b`.
  fileprivate mutating func append(escaped shown: Span<UInt8>) {
    var index = 0
    var filter = TerminalFilter()
    while index < shown.count {
      let plain = shown.plainEnd(from: index)
      if plain > index {
        append(shown.extracting(index..<plain))
        filter = TerminalFilter()
        index = plain
      } else if let end = shown.characterEnd(at: index, &filter) {
        append(shown.extracting(index..<end))
        index = end
      } else {
        append(escaped: shown[index])
        index += 1
      }
    }
  }

  private mutating func append(escaped byte: UInt8) {
    append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\n"): append(UInt8(ascii: "n"))
    case UInt8(ascii: "\r"): append(UInt8(ascii: "r"))
    case UInt8(ascii: "\t"): append(UInt8(ascii: "t"))
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
    default:
      append(UInt8(ascii: "x"))
      append(hexadecimal: byte >> 4)
      append(hexadecimal: byte & 15)
    }
  }

  private mutating func append(hexadecimal digit: UInt8) {
    append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
  }
}

extension Span<UInt8> {
  /// The end of the printable ASCII from `start` that needs no escape.
  fileprivate func plainEnd(from start: Int) -> Int {
    var index = start
    while index < count, 0x20..<0x7f ~= self[index], self[index] != UInt8(ascii: "\""),
      self[index] != UInt8(ascii: "\\")
    {
      index += 1
    }
    return index
  }

  /// The end of the printable character beyond ASCII at `index`, or nil if there is none.
  fileprivate func characterEnd(at index: Int, _ filter: inout TerminalFilter) -> Int? {
    let length =
      switch self[index] {
      case 0xc2..<0xe0: 2
      case 0xe0..<0xf0: 3
      case 0xf0..<0xf5: 4
      default: 0
      }
    guard length > 0, index + length <= count else { return nil }
    let scalar = extracting(index..<index + length).onlyScalar
    guard let scalar, !filter.isDisturbing(scalar) else { return nil }
    return index + length
  }

  /// The scalar encoded by these 2 to 4 bytes.
  private var onlyScalar: Unicode.Scalar? {
    guard (try? UTF8Span(validating: self)) != nil else { return nil }
    // The first byte of a character of n bytes has 7 - n bits of its number, each other one 6.
    var number = UInt32(self[0]) & (0x7f >> UInt32(count))
    for index in 1..<count { number = number << 6 | UInt32(self[index] & 0x3f) }
    return Unicode.Scalar(number)
  }
}
