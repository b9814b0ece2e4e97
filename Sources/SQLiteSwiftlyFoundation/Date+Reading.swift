import FoundationEssentials

extension Date {
  /// Creates a date from a SQLite time value of the forms 1 to 7
  /// (<https://www.sqlite.org/lang_datefunc.html#time_values>); nil if the text has none of these
  /// forms.
  init?(timeValue text: String) {
    var scanner = TimeValueScanner(text)
    guard let day = scanner.day() else { return nil }
    var seconds = day.number * CalendarDay.seconds
    var fraction = 0.0
    if !scanner.isAtEnd {
      guard scanner.skip("T") || scanner.skip(" "), let time = scanner.time(),
        let distance = scanner.distanceFromUTC(), scanner.isAtEnd
      else { return nil }
      seconds += time.seconds - distance
      fraction = time.fraction
    }
    // An offset from UTC may lead outside the years.
    guard CalendarDay.allSeconds.contains(seconds) else { return nil }
    self.init(
      timeIntervalSinceReferenceDate: Double(seconds - CalendarDay.reference) + fraction)
  }
}

/// Scans the characters of a time value; missing parts are nil.
private struct TimeValueScanner {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = text[...].utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func day() -> CalendarDay? {
    guard let year = number(digits: 4), skip("-"), let month = number(digits: 2), skip("-"),
      let day = number(digits: 2)
    else { return nil }
    return CalendarDay(year: year, month: month, day: day)
  }

  /// The time since midnight.
  mutating func time() -> (seconds: Int, fraction: Double)? {
    guard let minutes = hoursAndMinutes(upTo: 23) else { return nil }
    guard skip(":") else { return (minutes * 60, 0) }
    guard let seconds = number(digits: 2), seconds < 60, let fraction = fraction() else {
      return nil
    }
    return (minutes * 60 + seconds, fraction)
  }

  /// The offset from UTC in seconds.
  mutating func distanceFromUTC() -> Int? {
    if isAtEnd || skip("Z") { return 0 }
    let isAhead = skip("+")
    // SQLite does not accept larger offsets, either.
    guard isAhead || skip("-"), let minutes = hoursAndMinutes(upTo: 14) else { return nil }
    return (isAhead ? minutes : -minutes) * 60
  }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func hoursAndMinutes(upTo last: Int) -> Int? {
    guard let hours = number(digits: 2), hours <= last, skip(":"),
      let minutes = number(digits: 2), minutes < 60
    else { return nil }
    return hours * 60 + minutes
  }

  private mutating func number(digits count: Int) -> Int? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy(Self.isDigit) else { return nil }
    rest.removeFirst(count)
    return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  /// The digits after a point as a fraction of a second; 0 without them.
  private mutating func fraction() -> Double? {
    guard skip(".") else { return 0 }
    let count = rest.prefix(while: Self.isDigit).count
    // A date cannot distinguish more digits, and the powers of ten are exact up to here.
    let significant = min(count, 15)
    guard count > 0, let numerator = number(digits: significant) else { return nil }
    rest.removeFirst(count - significant)
    let denominator = repeatElement(10, count: significant).reduce(1, *)
    return Double(numerator) / Double(denominator)
  }

  private static func isDigit(_ character: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= character
  }
}
