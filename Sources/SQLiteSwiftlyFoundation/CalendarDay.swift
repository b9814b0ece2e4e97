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
