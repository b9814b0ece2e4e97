/// A decimal number as written: digits and a power of ten.
struct DecimalNumber {
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
