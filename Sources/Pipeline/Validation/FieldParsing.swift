package import CSV
package import Vocabulary

/// Parses an integer only as SQLite writes it, since other spellings could not be written back the same way.
@inline(__always)
package func parseInteger(
  _ place: Range<Int>, of bytes: Span<UInt8>
) -> (value: Int64, fault: RecordCode?) {
  // Nearly all have few digits; parsing eight at once takes a third of the time of a loop.
  if let value = parseDigits(place, of: bytes) { return (value, nil) }
  return parseInteger(bytes.extracting(place))
}

/// Parses 1 to 8 digits, adding up pairs side by side in one word (Lemire, "Number parsing at a gigabyte per second",
/// <https://arxiv.org/abs/2101.11408>); nil for anything else.
@inline(always)
func parseDigits(_ place: Range<Int>, of bytes: Span<UInt8>) -> Int64? {
  guard 1...8 ~= place.count else { return nil }
  let word = bytes.word(at: place.lowerBound, count: place.count)
  if place.count > 1, word & 0xff == 0x30 { return nil }
  // Missing digits become leading zeros.
  let missing = UInt64(truncatingIfNeeded: 64 - 8 * place.count)
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
package func parseBoolean(_ place: Range<Int>, of bytes: Span<UInt8>) -> Bool? {
  guard 1...5 ~= place.count else { return nil }
  return switch (place.count, bytes.word(at: place.lowerBound, count: place.count)) {
  case (1, 0x74), (4, 0x6575_7254): true  // t, True
  case (1, 0x66), (5, 0x65_736c_6146): false  // f, False
  default: nil
  }
}

extension Span<UInt8> {
  package func isEqual(to other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    for index in indices where self[index] != other[index] { return false }
    return true
  }

  package func isEqual(to other: [UInt8]) -> Bool { isEqual(to: other.span) }

  var isSingleLine: Bool {
    for index in indices where self[index] == UInt8(ascii: "\n") { return false }
    return true
  }

  func isHexadecimal(digits: Int) -> Bool {
    guard count == digits else { return false }
    for index in indices where !self[index].isHexadecimal { return false }
    return true
  }
}

extension Record {
  /// Whether it is valid CSV with as many fields as the header.
  package func isSound(fieldCount: Int) -> Bool { faults.isEmpty && self.fieldCount == fieldCount }
}

extension RecordBatch {
  package func place(_ column: Int, of record: Record) -> Range<Int> {
    let field = fields[record.firstField + column]
    return Int(field.start)..<Int(field.end)
  }
}
