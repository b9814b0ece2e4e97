package import Schema

/// How the numbers of a column are written, and whether the text of each follows from its value.
///
/// A number loses its text if it has a leading zero, a plus sign or more digits than a `Double` holds, or if the column
/// has two ways to write one number: 12.1 and 12.10 are sections rather than numbers. Texts that follow are
/// - the shortest ones, as most programs write them: 12, 12.5, 1e-05; or `.5` without a zero, if all are;
/// - those of floating-point numbers, with `.0` after each whole one;
/// - those with equally many decimals, as in prices, and zero perhaps without any;
/// - those with an exponent, equally many decimals, and one digit before the point;
/// - with a group separator, those with it between all groups of three digits.
package struct NumberTexts {
  private let format: NumberFormat
  private let decimal: [UInt8]
  private let group: [UInt8]
  private var styles: Style = []
  private var fewestDecimals = Int.max
  private var mostDecimals = 0
  /// Whether the separators cannot be those of another spelling: a comma before three digits may group thousands.
  package private(set) var isProven = false
  /// Whether all numbers are whole and written as such.
  package var areWhole: Bool { styles.isDisjoint(with: [.decimals, .scientific, .lost]) }

  private struct Style: OptionSet {
    let rawValue: UInt32

    /// A text that does not follow from its number.
    static let lost = Style(rawValue: 1 << 0)
    static let decimals = Style(rawValue: 1 << 1)
    /// A number other than zero without decimals, or with `.0`.
    static let whole = Style(rawValue: 1 << 2)
    static let wholeWithPoint = Style(rawValue: 1 << 3)
    static let zero = Style(rawValue: 1 << 4)
    static let zeroWithPoint = Style(rawValue: 1 << 5)
    /// A zero at the end of several decimals.
    static let padded = Style(rawValue: 1 << 6)
    /// The zero before the point: there, or missing.
    static let leadingZero = Style(rawValue: 1 << 7)
    static let leadingPoint = Style(rawValue: 1 << 8)
    static let scientific = Style(rawValue: 1 << 9)
    static let plain = Style(rawValue: 1 << 10)
    static let grouped = Style(rawValue: 1 << 11)
    static let ungrouped = Style(rawValue: 1 << 12)

    static let upperE = Style(rawValue: 1 << 13)
    static let lowerE = Style(rawValue: 1 << 14)
    static let plusSign = Style(rawValue: 1 << 15)
    static let noSign = Style(rawValue: 1 << 16)
    /// An exponent of one digit, without or with a zero before it.
    static let shortExponent = Style(rawValue: 1 << 17)
    static let longExponent = Style(rawValue: 1 << 18)

    static let contradictions: [Style] = [
      [.upperE, .lowerE], [.plusSign, .noSign], [.shortExponent, .longExponent],
      [.whole, .wholeWithPoint], [.zero, .zeroWithPoint], [.leadingZero, .leadingPoint],
      [.scientific, .plain], [.grouped, .ungrouped], [.padded, .whole],
    ]
  }

  package init(_ spelling: FieldFormat.NumberSpelling) {
    format = NumberFormat(spelling)
    decimal = Array(spelling.decimalSeparator.utf8)
    group = Array((spelling.groupSeparator ?? "").utf8)
  }

  /// Whether every text so far follows from its number.
  package var areKept: Bool {
    guard !styles.contains(.lost), !Style.contradictions.contains(where: styles.isSuperset) else {
      return false
    }
    let isFixed = fewestDecimals >= mostDecimals
    return isFixed || styles.isDisjoint(with: [.padded, .scientific])
  }

  /// Adds the text of a number; false if it is not a number, or loses its text by itself.
  @discardableResult
  package mutating func add(_ range: Range<Int>, of bytes: Span<UInt8>) -> Bool {
    guard let style = style(of: range, bytes), isHeld(range, of: bytes, style) else {
      styles.insert(.lost)
      return false
    }
    styles.formUnion(style)
    return true
  }

  /// Adds an integer as SQLite writes it.
  package mutating func add(_ integer: Int64) {
    styles.formUnion(integer == 0 ? [.plain, .zero] : [.plain, .whole])
    if !group.isEmpty, integer.magnitude > 999 { styles.insert(.ungrouped) }
    if integer.magnitude > Self.mostWhole { styles.insert(.lost) }
  }

  /// Not all whole numbers beyond are there.
  private static let mostWhole: UInt64 = 1 << 53

  private func isHeld(_ range: Range<Int>, of bytes: Span<UInt8>, _ style: Style) -> Bool {
    // Fifteen digits always survive, and eighteen never.
    if range.count <= 15, style.contains(.plain) { return true }
    guard (format.countDigits(range, of: bytes) ?? 0) <= 17 else { return false }
    let read = format.real(range, of: bytes)
    let isExact = !style.contains(.whole) || abs(read.value) <= Double(Self.mostWhole)
    return read.fault == nil && !read.isRounded && isExact
  }

  /// The style of a text, and notes its decimals; nil if it is lost.
  private mutating func style(of range: Range<Int>, _ bytes: Span<UInt8>) -> Style? {
    var cursor = Cursor(index: range.lowerBound, end: range.upperBound)
    let isNegative = cursor.skip(UInt8(ascii: "-"), of: bytes)
    guard let (whole, groups) = cursor.wholePart(bytes, group) else { return nil }
    var style: Style = groups > 0 ? .grouped : whole > 3 && !group.isEmpty ? .ungrouped : []
    let hasPoint = bytes.has(decimal, at: cursor.index, before: cursor.end)
    if hasPoint { cursor.index += decimal.count }
    let firstDecimal = cursor.index
    cursor.skipDigits(bytes)
    let decimals = cursor.index - firstDecimal
    guard hasPoint == (decimals > 0), whole + decimals > 0 else { return nil }
    let isZero = !(range.lowerBound..<cursor.index).contains { (0x31...0x39).contains(bytes[$0]) }
    let endsWithZero = hasPoint && bytes[cursor.index - 1] == UInt8(ascii: "0")
    isProven = isProven || groups > 1 || groups > 0 && hasPoint || hasPoint && decimals != 3
    if cursor.index < cursor.end {
      style.insert(bytes[cursor.index] == UInt8(ascii: "e") ? .lowerE : .upperE)
      guard let exponent = cursor.exponent(bytes), whole == 1, !isZero else { return nil }
      let first = cursor.end - exponent.digits
      let hasZero = bytes[first] == UInt8(ascii: "0")
      guard exponent.digits == 2 || !hasZero else { return nil }
      if exponent.digits == 1 || hasZero {
        style.insert(hasZero ? .longExponent : .shortExponent)
      }
      if exponent.value > 0 {
        style.insert(bytes[first - 1] == UInt8(ascii: "+") ? .plusSign : .noSign)
      }
      // What programs write by themselves if the plain number is long; others, such as 3E2, may be codes.
      if -4...15 ~= exponent.value || endsWithZero {
        guard hasPoint else { return nil }
        style.insert(.scientific)
      }
    } else {
      guard !isNegative || !isZero else { return nil }
      style.insert(.plain)
      if !hasPoint { return style.union(isZero ? .zero : .whole) }
      if whole == 0 { style.insert(.leadingPoint) }
      if whole == 1, bytes[firstDecimal - decimal.count - 1] == UInt8(ascii: "0") {
        style.insert(.leadingZero)
      }
      if isZero { style.insert(.zeroWithPoint) }
      if endsWithZero, !isZero { style.insert(decimals == 1 ? .wholeWithPoint : .padded) }
      if isZero, decimals > 1 { style.insert(.padded) }
    }
    fewestDecimals = min(fewestDecimals, decimals)
    mostDecimals = max(mostDecimals, decimals)
    return style.union(.decimals)
  }
}

/// A place in the text of a number.
private struct Cursor {
  var index: Int
  let end: Int

  mutating func skip(_ byte: UInt8, of bytes: Span<UInt8>) -> Bool {
    guard index < end, bytes[index] == byte else { return false }
    index += 1
    return true
  }

  @discardableResult
  mutating func skipDigits(_ bytes: Span<UInt8>) -> Int {
    let start = index
    while index < end, bytes[index].isDigit { index += 1 }
    return index - start
  }

  /// The number of digits before the point, and of separators between them; nil if a zero is first, or a group has not
  /// three digits.
  mutating func wholePart(
    _ bytes: Span<UInt8>, _ group: [UInt8]
  ) -> (digits: Int, groups: Int)? {
    let first = index
    var digits = skipDigits(bytes)
    var groups = 0
    let hasZero = digits > 0 && bytes[first] == UInt8(ascii: "0")
    if 1...3 ~= digits, !hasZero {
      while bytes.has(group, at: index, before: end) {
        index += group.count
        guard skipDigits(bytes) == 3 else { return nil }
        digits += 3
        groups += 1
      }
    }
    return hasZero && digits > 1 ? nil : (digits, groups)
  }

  /// The exponent up to the end, and the number of its digits; nil if that is something else.
  mutating func exponent(_ bytes: Span<UInt8>) -> (value: Int, digits: Int)? {
    guard bytes[index] | 0x20 == UInt8(ascii: "e") else { return nil }
    index += 1
    let isNegative = skip(UInt8(ascii: "-"), of: bytes)
    if !isNegative { _ = skip(UInt8(ascii: "+"), of: bytes) }
    let first = index
    let digits = skipDigits(bytes)
    guard 1...3 ~= digits, index == end else { return nil }
    let value = (first..<end).reduce(0) { $0 * 10 + Int(bytes[$1] - UInt8(ascii: "0")) }
    return (isNegative ? -value : value, digits)
  }
}
