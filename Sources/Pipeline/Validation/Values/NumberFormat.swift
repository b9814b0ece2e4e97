package import Vocabulary
import Glibc
import SQLiteSwiftly
package import Schema

/// Parses numbers as in XML Schema, with the additional spellings of a column's format.
package struct NumberFormat {
  private let group: [UInt8]
  private let decimal: [UInt8]
  private let isBare: Bool
  /// Whether only digits, a sign and a point are allowed.
  private let isPlain: Bool

  package init(_ spelling: FieldFormat.NumberSpelling) {
    group = Array((spelling.groupSeparator ?? "").utf8)
    decimal = Array(spelling.decimalSeparator.utf8)
    isBare = spelling.isBare
    isPlain = group.isEmpty && isBare
  }

  @inline(always)
  func integer(_ place: Range<Int>, of bytes: Span<UInt8>) -> (value: Int64, fault: RecordCode?) {
    if let value = parseDigits(place, of: bytes) { return (value, nil) }
    return anyInteger(place, of: bytes)
  }

  private func anyInteger(
    _ place: Range<Int>, of bytes: Span<UInt8>
  ) -> (value: Int64, fault: RecordCode?) {
    guard let number = decimal(place, of: bytes, isWhole: true) else { return (0, .notAnInteger) }
    guard number.count <= 19, number.digits <= Int64.max.magnitude + (number.isNegative ? 1 : 0)
    else { return (0, .integerOutOfRange) }
    let value = Int64(bitPattern: number.digits)
    return (number.isNegative ? 0 &- value : value, nil)
  }

  package func real(
    _ place: Range<Int>, of bytes: Span<UInt8>
  ) -> (value: Double, isRounded: Bool, fault: RecordCode?) {
    guard let number = decimal(place, of: bytes, isWhole: false) else {
      guard isBare, let value = infinity(trimmed(place, of: bytes), of: bytes) else {
        return (0, false, .notANumber)
      }
      return (value, false, nil)
    }
    let (value, isRounded) = number.nearest ?? slowNearest(place, of: bytes)
    guard value.isFinite else { return (0, false, .numberOutOfRange) }
    return (value == 0 ? 0 : value, isRounded, nil)
  }

  /// The number of digits without leading zeros; nil if the field is not a number.
  package func countDigits(_ place: Range<Int>, of bytes: Span<UInt8>) -> Int? {
    decimal(place, of: bytes, isWhole: false)?.count
  }

  @inline(always)
  private func decimal(
    _ field: Range<Int>, of bytes: Span<UInt8>, isWhole: Bool
  ) -> DecimalNumber? {
    let place = trimmed(field, of: bytes)
    var (index, end) = (place.lowerBound, place.upperBound)
    var number = DecimalNumber()
    if index < end, bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") {
      number.isNegative = bytes[index] == UInt8(ascii: "-")
      index += 1
    }
    var (hasDigits, isFraction) = (false, false)
    while index < end {
      let digit = bytes[index] &- UInt8(ascii: "0")
      if digit < 10 {
        number.append(digit, isFraction: isFraction)
        hasDigits = true
        index += 1
      } else if !isFraction, !isWhole, bytes.has(decimal, at: index, before: end) {
        isFraction = true
        index += decimal.count
      } else if !isPlain, !isFraction, hasDigits, let next = afterGroup(index, end, bytes) {
        index = next
      } else {
        break
      }
    }
    guard hasDigits else { return nil }
    if index < end, !isWhole, bytes[index] | 0x20 == UInt8(ascii: "e") {
      guard let exponent = bytes.exponent(index + 1..<end) else { return nil }
      number.exponent += exponent
      end = index
    }
    return index == end ? number : nil
  }

  private func afterGroup(_ index: Int, _ end: Int, _ bytes: Span<UInt8>) -> Int? {
    let next = index + group.count
    guard !group.isEmpty, next < end, bytes.has(group, at: index, before: end),
      bytes[next].isDigit
    else { return nil }
    return next
  }

  @inline(always)
  private func trimmed(_ place: Range<Int>, of bytes: Span<UInt8>) -> Range<Int> {
    var (start, end) = (place.lowerBound, place.upperBound)
    while start < end, bytes[start].isBlank { start += 1 }
    while start < end, bytes[end - 1].isBlank { end -= 1 }
    return isBare ? start..<end : withoutSurroundings(start..<end, of: bytes)
  }

  private func withoutSurroundings(_ place: Range<Int>, of bytes: Span<UInt8>) -> Range<Int> {
    var (start, end) = (place.lowerBound, place.upperBound)
    while start < end, !bytes[end - 1].isDigit { end -= 1 }
    while start < end, !bytes[start].isDigit, bytes[start] != UInt8(ascii: "-") { start += 1 }
    let point = start - decimal.count
    if point >= place.lowerBound, bytes.has(decimal, at: point, before: start) { start = point }
    return start..<max(start, end)
  }

  /// Parses `INF`, ignoring case.
  private func infinity(_ place: Range<Int>, of bytes: Span<UInt8>) -> Double? {
    guard let first = place.first else { return nil }
    let hasSign = bytes[first] == UInt8(ascii: "-") || bytes[first] == UInt8(ascii: "+")
    let start = hasSign ? first + 1 : first
    guard place.upperBound - start == 3,
      bytes.word(at: start, count: 3) | 0x20_2020 == 0x66_6e69  // inf
    else { return nil }
    return bytes[first] == UInt8(ascii: "-") ? -.infinity : .infinity
  }

  /// The nearest number to all digits of the field, and whether it differs in any form.
  private func slowNearest(
    _ field: Range<Int>, of bytes: Span<UInt8>
  ) -> (value: Double, isRounded: Bool) {
    let place = trimmed(field, of: bytes)
    var text = ""
    var index = place.lowerBound
    while index < place.upperBound {
      if decimal != [UInt8(ascii: "e")], bytes.has(decimal, at: index, before: place.upperBound) {
        text += "."
        index += decimal.count
      } else if !group.isEmpty, bytes.has(group, at: index, before: place.upperBound) {
        index += group.count
      } else {
        text.unicodeScalars.append(Unicode.Scalar(bytes[index]))
        index += 1
      }
    }
    let value = Double(text) ?? .nan
    let digits = significantDigits(text)
    return (
      value,
      digits != significantDigits("\(value)") && digits != self.digits(digits.count, of: value)
    )
  }

  private func digits(_ count: Int, of value: Double) -> [UInt8] {
    // The longest exact number has 767 digits.
    guard 1...800 ~= count else { return [] }
    let text = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 820) { buffer in
      _ = unsafe withVaList([Int32(count - 1), value]) { list in
        unsafe vsnprintf(buffer.baseAddress, buffer.count, "%.*e", list)
      }
      return unsafe buffer.baseAddress.map { unsafe String(cString: $0) } ?? ""
    }
    return significantDigits(text)
  }

  private func significantDigits(_ text: String) -> [UInt8] {
    let digits = text.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }.filter(\.isDigit)
    let rest = digits.drop { $0 == UInt8(ascii: "0") }
    return rest.reversed().drop { $0 == UInt8(ascii: "0") }.reversed()
  }
}

extension UInt8 {
  package var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

  /// Whether it is whitespace in XML.
  var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0a || self == 0x0d }
}

extension Span<UInt8> {
  /// Whether nonempty bytes are at `index`.
  @inline(__always)
  package func has(_ other: [UInt8], at index: Int, before end: Int) -> Bool {
    guard index + other.count <= end else { return false }
    for (offset, byte) in other.enumerated() where self[index + offset] != byte { return false }
    return !other.isEmpty
  }

  /// Parses digits with an optional sign; the value saturates beyond all relevant powers of ten.
  fileprivate func exponent(_ place: Range<Int>) -> Int? {
    guard let first = place.first else { return nil }
    let hasSign = self[first] == UInt8(ascii: "-") || self[first] == UInt8(ascii: "+")
    let digits = (hasSign ? first + 1 : first)..<place.upperBound
    guard !digits.isEmpty else { return nil }
    var value = 0
    for index in digits {
      guard self[index].isDigit else { return nil }
      value = Swift.min(value * 10 + Int(self[index] - UInt8(ascii: "0")), 1 << 40)
    }
    return self[first] == UInt8(ascii: "-") ? -value : value
  }
}
