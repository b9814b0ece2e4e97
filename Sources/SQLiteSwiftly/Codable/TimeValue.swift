/// SQLite's time values, as which dates are stored (<https://www.sqlite.org/lang_datefunc.html#time_values>).
///
/// They are here, and not where Foundation is used, because a record stores a date in the same form in each program.
package enum TimeValue {
  /// The kind of text, for messages.
  package static let phrase = "a date, such as 2024-05-31 12:30:00"
  /// The message about a date that cannot be stored.
  package static let rangeMessage = "the date is not in the years 0000 to 9999"

  /// The time in UTC to the nearest millisecond as `YYYY-MM-DD HH:MM:SS.SSS`; nil if it is not
  /// finite or outside the years with four digits.
  package static func text(secondsSince2001 seconds: Double) -> String? {
    var second = seconds.rounded(.down)
    // Only the fraction is multiplied: the whole value has too few digits left to round correctly.
    var millisecond = ((seconds - second) * 1000).rounded()
    if millisecond == 1000 {
      second += 1
      millisecond = 0
    }
    second += Double(CalendarDay.reference)
    guard let second = Int(exactly: second), CalendarDay.allSeconds.contains(second) else {
      return nil
    }
    let (number, time) = second.quotientAndRemainder(dividingBy: CalendarDay.seconds)
    let day = CalendarDay(number: number)
    let date = "\(padded(day.year, to: 4))-\(padded(day.month))-\(padded(day.day))"
    let clock = "\(padded(time / 3600)):\(padded(time / 60 % 60)):\(padded(time % 60))"
    return "\(date) \(clock).\(padded(Int(millisecond), to: 3))"
  }

  private static func padded(_ number: Int, to width: Int = 2) -> String {
    let digits = String(number)
    return String(repeating: "0", count: width - digits.utf8.count) + digits
  }

  /// Reads a time value of the forms 1 to 7
  /// (<https://www.sqlite.org/lang_datefunc.html#time_values>); nil if the text has none of these forms.
  package static func secondsSince2001(_ text: String) -> Double? {
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
    return Double(seconds - CalendarDay.reference) + fraction
  }
}

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

  mutating func time() -> (seconds: Int, fraction: Double)? {
    guard let minutes = hoursAndMinutes(upTo: 23) else { return nil }
    guard skip(":") else { return (minutes * 60, 0) }
    guard let seconds = number(digits: 2), seconds < 60, let fraction = fraction() else {
      return nil
    }
    return (minutes * 60 + seconds, fraction)
  }

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

/// A day of the proleptic Gregorian calendar in the years 0000 to 9999.
///
/// The arithmetic is that of Howard Hinnant's `days_from_civil` and `civil_from_days`
/// (<https://howardhinnant.github.io/date_algorithms.html>). Its years begin in March, so that a
/// leap day is the last of its year, and eras of 400 years have the same number of days.
struct CalendarDay: Equatable {
  let year: Int
  let month: Int
  let day: Int

  /// The seconds of a day, without leap seconds.
  static let seconds = 86_400
  /// The seconds of all these years, counted from 0000-01-01.
  static let allSeconds = 0..<3_652_425 * seconds
  /// The start of 2001-01-01, Foundation's reference date, in these seconds.
  static let reference = 730_851 * seconds

  private static let daysOfEra = 146_097
  /// The days from March of the year -400 to 0000-01-01; counted from there, no number is negative.
  private static let daysBefore = 146_037

  let number: Int

  init(number: Int) {
    let days = number + Self.daysBefore
    let (era, dayOfEra) = days.quotientAndRemainder(dividingBy: Self.daysOfEra)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    year = 400 * (era - 1) + yearOfEra + (month < 3 ? 1 : 0)
    self.number = number
  }

  init?(year: Int, month: Int, day: Int) {
    let yearFromMarch = year + 400 - (month < 3 ? 1 : 0)
    let monthFromMarch = month < 3 ? month + 9 : month - 3
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    let leapDays = yearFromMarch / 4 - yearFromMarch / 100 + yearFromMarch / 400
    self.init(number: 365 * yearFromMarch + leapDays + dayOfYear - Self.daysBefore)
    // The thirtieth of February yields the number of a day in March.
    guard (year, month, day) == (self.year, self.month, self.day) else { return nil }
  }
}

/// Whether a type is Foundation's `Date`, which this module does not import: its name decides.
func isDate(_ type: Any.Type) -> Bool {
  let name = _typeName(type, qualified: true)
  return name == "FoundationEssentials.Date" || name == "Foundation.Date"
}
