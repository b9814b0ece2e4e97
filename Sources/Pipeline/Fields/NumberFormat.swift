package import Vocabulary
import Glibc
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
  func integer(_ range: Range<Int>, of bytes: Span<UInt8>) -> (value: Int64, fault: RecordCode?) {
    if let value = parseDigits(range, of: bytes) { return (value, nil) }
    return anyInteger(range, of: bytes)
  }

  private func anyInteger(
    _ range: Range<Int>, of bytes: Span<UInt8>
  ) -> (value: Int64, fault: RecordCode?) {
    guard let number = decimal(range, of: bytes, isWhole: true) else { return (0, .notAnInteger) }
    guard number.count <= 19, number.digits <= Int64.max.magnitude + (number.isNegative ? 1 : 0)
    else { return (0, .integerOutOfRange) }
    let value = Int64(bitPattern: number.digits)
    return (number.isNegative ? 0 &- value : value, nil)
  }

  package func real(
    _ range: Range<Int>, of bytes: Span<UInt8>
  ) -> (value: Double, isRounded: Bool, fault: RecordCode?) {
    guard let number = decimal(range, of: bytes, isWhole: false) else {
      guard isBare, let value = infinity(trimmed(range, of: bytes), of: bytes) else {
        return (0, false, .notANumber)
      }
      return (value, false, nil)
    }
    let (value, isRounded) = number.nearest ?? slowNearest(range, of: bytes)
    guard value.isFinite else { return (0, false, .numberOutOfRange) }
    return (value == 0 ? 0 : value, isRounded, nil)
  }

  /// The number of digits without leading zeros; nil if the field is not a number.
  package func countDigits(_ range: Range<Int>, of bytes: Span<UInt8>) -> Int? {
    decimal(range, of: bytes, isWhole: false)?.count
  }

  @inline(always)
  private func decimal(
    _ field: Range<Int>, of bytes: Span<UInt8>, isWhole: Bool
  ) -> DecimalNumber? {
    let range = trimmed(field, of: bytes)
    var (index, end) = (range.lowerBound, range.upperBound)
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
  private func trimmed(_ range: Range<Int>, of bytes: Span<UInt8>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, bytes[start].isBlank { start += 1 }
    while start < end, bytes[end - 1].isBlank { end -= 1 }
    return isBare ? start..<end : withoutSurroundings(start..<end, of: bytes)
  }

  private func withoutSurroundings(_ range: Range<Int>, of bytes: Span<UInt8>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, !bytes[end - 1].isDigit { end -= 1 }
    while start < end, !bytes[start].isDigit, bytes[start] != UInt8(ascii: "-") { start += 1 }
    let point = start - decimal.count
    if point >= range.lowerBound, bytes.has(decimal, at: point, before: start) { start = point }
    return start..<max(start, end)
  }

  /// Parses `INF`, ignoring case.
  private func infinity(_ range: Range<Int>, of bytes: Span<UInt8>) -> Double? {
    guard let first = range.first else { return nil }
    let hasSign = bytes[first] == UInt8(ascii: "-") || bytes[first] == UInt8(ascii: "+")
    let start = hasSign ? first + 1 : first
    guard range.upperBound - start == 3,
      bytes.word(at: start, count: 3) | 0x20_2020 == 0x66_6e69  // inf
    else { return nil }
    return bytes[first] == UInt8(ascii: "-") ? -.infinity : .infinity
  }

  /// The nearest number to all digits of the field, and whether it differs in any form.
  private func slowNearest(
    _ field: Range<Int>, of bytes: Span<UInt8>
  ) -> (value: Double, isRounded: Bool) {
    let range = trimmed(field, of: bytes)
    var text = ""
    var index = range.lowerBound
    while index < range.upperBound {
      if decimal != [UInt8(ascii: "e")], bytes.has(decimal, at: index, before: range.upperBound) {
        text += "."
        index += decimal.count
      } else if !group.isEmpty, bytes.has(group, at: index, before: range.upperBound) {
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

/// A decimal number as written: digits and a power of ten.
private struct DecimalNumber {
  var isNegative = false
  /// The first digits without leading zeros, at most 19.
  private(set) var digits: UInt64 = 0
  /// The number of all digits.
  private(set) var count = 0
  var exponent = 0

  @inline(always)
  mutating func append(_ digit: UInt8, isFraction: Bool) {
    if isFraction { exponent -= 1 }
    guard digit != 0 || count > 0 else { return }
    count += 1
    if count <= 19 { digits = digits &* 10 &+ UInt64(digit) } else { exponent += 1 }
  }

  /// The powers of ten that a `Double` represents exactly.
  private static let exactPowers: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  /// The nearest `Double`, and whether it differs from this number both with the same number of digits and in its shortest
  /// form; nil if 128-bit arithmetic cannot decide.
  @inline(always)
  var nearest: (value: Double, isRounded: Bool)? {
    // The quotient or product of two exact numbers is rounded once (Clinger, "How to read floating point numbers
    // accurately", 1990). Fifteen digits always survive.
    if count <= 15, -22...22 ~= exponent {
      let power = Self.exactPowers[abs(exponent)]
      let value = exponent < 0 ? Double(digits) / power : Double(digits) * power
      return (isNegative ? -value : value, false)
    }
    return nearestOfLong
  }

  private var nearestOfLong: (value: Double, isRounded: Bool)? {
    guard count <= 19 else { return nil }
    var number = self
    if digits == 0 { return (0, false) }
    while number.digits % 10 == 0 {
      number.digits /= 10
      number.exponent += 1
    }
    guard -19...18 ~= number.exponent else { return nil }
    let value = number.rounded
    guard let isHeld = number.isHeld(by: value) else { return nil }
    return (isNegative ? -value : value, !isHeld)
  }

  private static func power(_ exponent: Int) -> UInt128 {
    (0..<exponent).reduce(1) { power, _ in power * 10 }
  }

  /// The nearest `Double` for an exponent from -19 to 18.
  private var rounded: Double {
    var quotient = UInt128(digits)
    var shift = 0
    var isExact = true
    if exponent >= 0 {
      quotient *= Self.power(exponent)
    } else {
      // Shift left as far as possible; at least 64 bits remain after the division.
      shift = quotient.leadingZeroBitCount
      let (whole, rest) = (quotient << shift).quotientAndRemainder(
        dividingBy: Self.power(-exponent))
      quotient = whole
      isExact = rest == 0
    }
    let excess = max(0, 64 - quotient.leadingZeroBitCount)
    let kept = quotient >> excess
    // One sticky bit represents all bits that were cut off, far below those that are rounded.
    isExact = isExact && kept << excess == quotient
    let word = UInt64(kept) | (isExact ? 0 : 1)
    return Double(sign: .plus, exponent: excess - shift, significand: Double(word))
  }

  /// Whether a value, written with the same number of digits, is this number; nil if its digits must be compared: half way
  /// between two such numbers, and at powers of two, whose shortest form may not be the nearest.
  private func isHeld(by value: Double) -> Bool? {
    let significand = UInt128(value.significandBitPattern | 1 << 52)
    let binary = Int(value.exponent) - 52
    let unit = Self.power(max(exponent, 0)) << max(-binary, 0)
    let written = UInt128(digits) * unit
    let read = (significand * Self.power(max(-exponent, 0))) << max(binary, 0)
    let twice = (written > read ? written - read : read - written) * 2
    if twice < unit { return true }
    return twice == unit || value.significandBitPattern == 0 ? nil : false
  }
}

extension Span<UInt8> {
  /// Parses digits with an optional sign; the value saturates beyond all relevant powers of ten.
  fileprivate func exponent(_ range: Range<Int>) -> Int? {
    guard let first = range.first else { return nil }
    let hasSign = self[first] == UInt8(ascii: "-") || self[first] == UInt8(ascii: "+")
    let digits = (hasSign ? first + 1 : first)..<range.upperBound
    guard !digits.isEmpty else { return nil }
    var value = 0
    for index in digits {
      guard self[index].isDigit else { return nil }
      value = Swift.min(value * 10 + Int(self[index] - UInt8(ascii: "0")), 1 << 40)
    }
    return self[first] == UInt8(ascii: "-") ? -value : value
  }
}
