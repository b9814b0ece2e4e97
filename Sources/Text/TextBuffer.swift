/// Text that is built in parts, in reused memory.
///
/// Every record may be rejected, so reasons are written as bytes: a `String` for each piece would take longer than loading
/// the record.
package struct TextBuffer {
  private var storage: [UInt8]
  package private(set) var count = 0

  package init(capacity: Int = 256) { storage = [UInt8](repeating: 0, count: capacity) }

  package var bytes: Span<UInt8> {
    @_lifetime(borrow self) get { storage.span.extracting(0..<count) }
  }

  /// The text so far; bytes that are not UTF-8 are replaced.
  package var string: String { String(decoding: storage[..<count], as: UTF8.self) }

  /// Removes everything after the first `count` bytes.
  package mutating func removeAll(after count: Int = 0) { self.count = min(self.count, count) }

  package mutating func append(_ byte: UInt8) {
    makeRoom(for: 1)
    storage[count] = byte
    count += 1
  }

  package mutating func append(_ bytes: Span<UInt8>) {
    makeRoom(for: bytes.count)
    let place = count..<count + bytes.count
    unsafe storage.withUnsafeMutableBytes { storage in
      // Copying byte by byte took a tenth of a run in which every record is rejected.
      unsafe bytes.withUnsafeBytes { bytes in
        unsafe UnsafeMutableRawBufferPointer(rebasing: storage[place]).copyMemory(from: bytes)
      }
    }
    count = place.upperBound
  }

  package mutating func append(_ text: String) { append(text.utf8.span) }

  package mutating func append(_ number: Int) {
    var digits = InlineArray<20, UInt8>(repeating: 0)
    var first = digits.count
    var rest = number.magnitude
    repeat {
      first -= 1
      digits[first] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
    } while rest > 0
    if number < 0 { append(UInt8(ascii: "-")) }
    append(digits.span.extracting(first..<digits.count))
  }

  private mutating func makeRoom(for more: Int) {
    guard count + more > storage.count else { return }
    let size = max(storage.count * 2, count + more)
    storage.append(contentsOf: repeatElement(0, count: size - storage.count))
  }

  /// Appends a CSV field (RFC 4180), in quotes if it needs them.
  package mutating func append(field: Span<UInt8>) {
    guard field.needsQuotes else {
      append(field)
      return
    }
    append(UInt8(ascii: "\""))
    var start = 0
    for index in field.indices where field[index] == UInt8(ascii: "\"") {
      append(field.extracting(start...index))
      start = index
    }
    append(field.extracting(start..<field.count))
    append(UInt8(ascii: "\""))
  }

  package mutating func append(field: String) { append(field: field.utf8.span) }

  package mutating func append(fields: [String]) {
    for (place, field) in fields.enumerated() {
      if place > 0 { append(UInt8(ascii: ",")) }
      append(field: field)
    }
  }

  /// Appends bytes in base 64 (RFC 4648, section 4).
  package mutating func append(base64 bytes: Span<UInt8>) {
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8.span
    let size = (bytes.count + 2) / 3 * 4
    makeRoom(for: size)
    var end = count
    count += size
    var room = storage.mutableSpan
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let size = min(3, bytes.count - start)
      var group = 0
      for index in 0..<3 { group = group << 8 | (index < size ? Int(bytes[start + index]) : 0) }
      for index in 0..<4 {
        let letter = letters[group >> (18 - 6 * index) & 63]
        room[end] = index <= size ? letter : UInt8(ascii: "=")
        end += 1
      }
    }
  }

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
  fileprivate var needsQuotes: Bool {
    for index in indices {
      switch self[index] {
      case UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        return true
      default: continue
      }
    }
    return false
  }

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

extension String {
  /// The text in quotes, as shown in messages: see `TextBuffer.append(quoted:)`.
  package var quotedForMessage: String { utf8.span.quotedForMessage }

  /// The text as shown in messages, without quotes: it cannot control a terminal.
  package var escapedForMessage: String { utf8.span.escapedForMessage }
}
