package import Vocabulary

/// Parses an integer only as SQLite writes it, since other spellings could not be written back the same way.
@inline(__always)
package func parseInteger(
  _ range: Range<Int>, of bytes: Span<UInt8>
) -> (value: Int64, fault: RecordCode?) {
  // Nearly all have few digits; parsing eight at once takes a third of the time of a loop.
  if let value = parseDigits(range, of: bytes) { return (value, nil) }
  return parseInteger(bytes.extracting(range))
}

/// Parses 1 to 8 digits, adding up pairs side by side in one word (Lemire, "Number parsing at a gigabyte per second",
/// <https://arxiv.org/abs/2101.11408>); nil for anything else.
@inline(always)
func parseDigits(_ range: Range<Int>, of bytes: Span<UInt8>) -> Int64? {
  guard 1...8 ~= range.count else { return nil }
  let word = bytes.word(at: range.lowerBound, count: range.count)
  if range.count > 1, word & 0xff == 0x30 { return nil }
  // Missing digits become leading zeros.
  let missing = UInt64(truncatingIfNeeded: 64 - 8 * range.count)
  var digits = (word ^ 0x3030_3030_3030_3030) &<< missing
  // Adding 118 sets the highest bit of a byte if it is more than 9.
  guard (digits &+ 0x7676_7676_7676_7676 | digits) & 0x8080_8080_8080_8080 == 0 else { return nil }
  digits = (digits &* 10 &+ digits >> 8) & 0x00ff_00ff_00ff_00ff
  digits = (digits &* 100 &+ digits >> 16) & 0x0000_ffff_0000_ffff
  return Int64((digits &* 10_000 &+ digits >> 32) & 0xffff_ffff)
}

package func parseInteger(_ text: Span<UInt8>) -> (value: Int64, fault: RecordCode?) {
  let isNegative = text[0] == UInt8(ascii: "-")
  let first = isNegative ? 1 : 0
  guard first < text.count else { return (0, .notAnInteger) }
  let hasLeadingZero = text[first] == UInt8(ascii: "0") && (text.count > 1)
  var value: Int64 = 0
  var isTooLarge = false
  for index in first..<text.count {
    let digit = Int64(text[index]) - 48
    guard 0...9 ~= digit else { return (0, .notAnInteger) }
    let (product, overflow) = value.multipliedReportingOverflow(by: 10)
    let (sum, carry) =
      isNegative
      ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
    isTooLarge = isTooLarge || overflow || carry
    value = sum
  }
  if hasLeadingZero { return (0, .notAnInteger) }
  return (value, isTooLarge ? .integerOutOfRange : nil)
}

/// Parses a boolean in either spelling of the source files: `t` and `f`, or `True` and `False`.
@inline(__always)
package func parseBoolean(_ range: Range<Int>, of bytes: Span<UInt8>) -> Bool? {
  guard 1...5 ~= range.count else { return nil }
  return switch (range.count, bytes.word(at: range.lowerBound, count: range.count)) {
  case (1, 0x74), (4, 0x6575_7254): true  // t, True
  case (1, 0x66), (5, 0x65_736c_6146): false  // f, False
  default: nil
  }
}

extension Span<UInt8> {
  /// Returns the `count` bytes from `start`, at most 8, as a little-endian number.
  @inlinable @inline(__always)
  package func word(at start: Int, count length: Int) -> UInt64 {
    assert(0...8 ~= length)
    guard start <= count - 8 else { return lastWord(at: start, count: length) }
    // Any eight bytes are a valid integer, and the bounds of the span were checked. Bytes after the text are masked out.
    let word = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self)
    return word.littleEndian & Self.mask(length)
  }

  /// The first 16 bytes of `range`, without a branch on the size of a text, which the processor could not predict.
  @inlinable @inline(__always)
  package func firstWords(at range: Range<Int>) -> (first: UInt64, second: UInt64) {
    let (start, length) = (range.lowerBound, range.count)
    guard start <= count - 16 else {
      return (
        lastWord(at: start, count: Swift.min(8, length)),
        lastWord(at: start + 8, count: Swift.min(8, length - 8))
      )
    }
    let bytes = unsafe bytes
    let first = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self)
    let second = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: start + 8, as: UInt64.self)
    return (
      first.littleEndian & Self.mask(Swift.min(8, length)),
      second.littleEndian & Self.mask(Swift.min(8, Swift.max(0, length - 8)))
    )
  }

  /// A word with all bits of its `count` lowest bytes set.
  @inlinable @inline(__always)
  package static func mask(_ count: Int) -> UInt64 {
    (1 << UInt64(truncatingIfNeeded: 8 * count)) &- 1
  }

  @usableFromInline
  package func lastWord(at start: Int, count length: Int) -> UInt64 {
    var word: UInt64 = 0
    for index in stride(from: start + length - 1, through: start, by: -1) {
      word = word << 8 | UInt64(self[index])
    }
    return word
  }

  @inlinable
  package func isEqual(to other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    for index in indices where self[index] != other[index] { return false }
    return true
  }

  @inlinable
  package func isEqual(to other: [UInt8]) -> Bool { isEqual(to: other.span) }

  var isSingleLine: Bool {
    for index in indices where self[index] == UInt8(ascii: "\n") { return false }
    return true
  }

  /// Whether nonempty bytes are at `index`.
  @inline(__always)
  package func has(_ other: [UInt8], at index: Int, before end: Int) -> Bool {
    guard index + other.count <= end else { return false }
    for (offset, byte) in other.enumerated() where self[index + offset] != byte { return false }
    return !other.isEmpty
  }
}

extension UInt8 {
  package var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

  package var isLetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 }

  var isHexadecimal: Bool { isDigit || UInt8(ascii: "a")...UInt8(ascii: "f") ~= self | 0x20 }

  /// Whether it is whitespace in XML.
  var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0a || self == 0x0d }
}
