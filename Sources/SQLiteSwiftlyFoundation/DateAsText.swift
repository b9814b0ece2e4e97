public import FoundationEssentials
public import SQLiteSwiftly

/// A date is a text in UTC with milliseconds, `2024-02-29 12:30:00.250`, which SQLite's own functions
/// read (<https://www.sqlite.org/lang_datefunc.html>), and which sorts as the dates do.
///
/// ```swift
/// let start = Date(timeIntervalSince1970: 1_709_209_800.25)
/// try connection.execute("INSERT INTO events VALUES (\(UUID()), \(start), \(Data([1, 2])))")
///
/// let dates = try connection.query(
///   "SELECT at FROM events WHERE at >= \(start)", as: Date.self, .strict)
/// let weekday = try connection.value(of: "SELECT strftime('%w', at) FROM events")?.textValue
/// ```
extension Date: SQLiteValueConvertible {
  /// A text with the nearest millisecond.
  ///
  /// What is read back is at most half a millisecond away, and as much as a `Date` itself may be off:
  /// less than 1 µs in this century, and 15 µs in the year 9999.
  ///
  /// A date that is not finite or, once it is rounded, not in the years 0000 to 9999 is an error with the
  /// code `range`: SQLite's functions read no others.
  public var sqliteValue: SQLiteValue {
    get throws(SQLiteError) {
      guard let text = timeValue else {
        throw SQLiteError(.range, "A date is not in the years 0000 to 9999")
      }
      return .text(text)
    }
  }
}

extension Date: QueryDecodable, QueryDecodableValue {
  /// Reads the next column as a text that names a day; NULL is nil.
  ///
  /// It is read in the forms 1 to 7 of SQLite's time values
  /// (<https://www.sqlite.org/lang_datefunc.html#time_values>): `2024-02-29` is midnight, a time
  /// follows after a blank or a `T`, its seconds may be left out, a fraction may have any number of
  /// digits, and `Z` or a distance from UTC such as `+01:00` may come last. Without one, it is UTC.
  ///
  /// Anything else is an error, whether the decoder is strict or not: a number, `now`, and what SQLite
  /// takes for a time of the next day or month, such as `24:00` and `2023-02-29`.
  public static func decodeIfPresent<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
    from decoder: inout Decoder
  ) throws(Decoder.Failure) -> Date? {
    guard let text = try decoder.decode(String.self) else { return nil }
    guard let date = Date(timeValue: text) else {
      throw decoder.failure(.invalidValue(expected: "a date"))
    }
    return date
  }
}
