public import FoundationEssentials
public import SQLiteSwiftly

/// A date is stored as text in UTC with milliseconds, `2024-02-29 12:30:00.250`. SQLite's own
/// functions read it (<https://www.sqlite.org/lang_datefunc.html>), and it sorts chronologically.
///
/// ```swift
/// let start = Date(timeIntervalSince1970: 1_709_209_800.25)
/// try connection.execute("INSERT INTO events VALUES (\(UUID()), \(start), \(Data([1, 2])))")
///
/// let dates = try connection.query(
///   "SELECT at FROM events WHERE at >= \(start)", as: Date.self)
/// let weekday = try connection.value(of: "SELECT strftime('%w', at) FROM events")?.textValue
/// ```
extension Date: SQLiteValueConvertible, QueryDecodable, QueryDecodableValue {
  /// The date as text, rounded to the nearest millisecond.
  ///
  /// The date read back differs by at most half a millisecond, plus the error of `Date` itself:
  /// less than 1 µs in this century, and 15 µs in the year 9999.
  ///
  /// A date that is not finite or, after rounding, not in the years 0000 to 9999 is an error with
  /// the code `range`: SQLite's functions read no others.
  public var sqliteValue: SQLiteValue {
    get throws(SQLiteError) {
      guard let text = TimeValue.text(secondsSince2001: timeIntervalSinceReferenceDate) else {
        throw SQLiteError(.range, TimeValue.rangeMessage)
      }
      return .text(text)
    }
  }

  /// Reads the next column as text with a date; NULL is nil.
  ///
  /// It reads the forms 1 to 7 of SQLite's time values (<https://www.sqlite.org/lang_datefunc.html#time_values>).
  /// `2024-02-29` is midnight. A time follows after a blank or a `T`; seconds are optional, and a fraction may have any
  /// number of digits. `Z` or an offset from UTC such as `+01:00` may come last; without one, the time is UTC.
  ///
  /// Everything else is an error, whether or not the decoder is strict: numbers, `now`, and times
  /// that SQLite moves to the next day or month, such as `24:00` and `2023-02-29`.
  public static func decodeIfPresent<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
    from decoder: inout Decoder
  ) throws(Decoder.Failure) -> Date? {
    guard let text = try decoder.decode(String.self) else { return nil }
    guard let seconds = TimeValue.secondsSince2001(text) else {
      throw decoder.failure(.invalidValue(expected: TimeValue.phrase))
    }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }
}
