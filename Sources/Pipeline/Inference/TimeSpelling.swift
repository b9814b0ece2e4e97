import SQLiteSwiftly
import Schema
import Validation

/// A recognized format of dates or times, as a `strptime` pattern.
struct TimeSpelling: Sendable {
  let text: String
  let form: ColumnDescription.TimeForm
  /// Whether this is the ISO 8601 format, which is stored unchanged except for offsets from UTC.
  let isISO: Bool
  /// Whether all numbers below 10 have a leading zero, or none, since two spellings of a date would be two keys.
  private let isPadded: Bool
  private let pattern: TimePattern

  private init(
    _ text: String, _ form: ColumnDescription.TimeForm, isISO: Bool = false, isPadded: Bool = true
  ) {
    self.text = text
    self.form = form
    self.isISO = isISO
    isTimestamp = text == Self.timestamp
    self.isPadded = isPadded
    pattern = TimePattern(text)
  }

  /// All recognized formats; the first that fits a column is chosen.
  static let all = [
    TimeSpelling("%Y-%m-%d", .date, isISO: true),
    TimeSpelling("%H:%M:%S", .time, isISO: true),
    TimeSpelling("%Y-%m-%dT%H:%M:%S", .dateTime, isISO: true),
    TimeSpelling("%Y%m%d", .date),
    TimeSpelling("%Y/%m/%d", .date),
    TimeSpelling("%d.%m.%Y", .date), TimeSpelling("%d.%m.%Y", .date, isPadded: false),
    TimeSpelling("%d/%m/%Y", .date), TimeSpelling("%d/%m/%Y", .date, isPadded: false),
    TimeSpelling("%m/%d/%Y", .date), TimeSpelling("%m/%d/%Y", .date, isPadded: false),
    TimeSpelling("%d-%m-%Y", .date), TimeSpelling("%m-%d-%Y", .date),
    TimeSpelling("%H:%M:%S", .time, isPadded: false),
    TimeSpelling("%H:%M", .time), TimeSpelling("%H:%M", .time, isPadded: false),
    TimeSpelling(timestamp, .dateTime), TimeSpelling("%Y-%m-%d %H:%M", .dateTime),
    TimeSpelling("%Y-%m-%dT%H:%M", .dateTime),
    TimeSpelling("%d.%m.%Y %H:%M:%S", .dateTime), TimeSpelling("%d.%m.%Y %H:%M", .dateTime),
    TimeSpelling("%d/%m/%Y %H:%M:%S", .dateTime), TimeSpelling("%d/%m/%Y %H:%M", .dateTime),
    TimeSpelling("%m/%d/%Y %H:%M:%S", .dateTime), TimeSpelling("%m/%d/%Y %H:%M", .dateTime),
  ]

  static let compactDate = 3

  /// As databases write it, which add a fraction of a second and an offset from UTC only to some values.
  private static let timestamp = "%Y-%m-%d %H:%M:%S"
  private let isTimestamp: Bool

  /// The years in which eight digits are probably a date.
  private static let compactYears = 1900...2100

  var isSortable: Bool { isPadded && (text.hasPrefix("%Y") || text.hasPrefix("%H")) }

  var swapped: String { String(text.map { $0 == "d" ? "m" : $0 == "m" ? "d" : $0 }) }

  /// The format of values in the description.
  var spelling: FieldFormat.Spelling {
    isISO ? .exact : isTimestamp ? .anyTime : .time(pattern: text)
  }

  func matches(_ place: Range<Int>, of bytes: Span<UInt8>) -> Bool {
    if isISO || isTimestamp {
      let read =
        isISO
        ? TimeReader.readISO(place, of: bytes, as: form)
        : CalendarTime(timestamp: place, of: bytes)
      guard var time = read, time.hour < 24 else { return false }
      // The year in UTC may be out of range.
      time.normalize()
      return time.isValid
    }
    guard let (time, end) = pattern.read(place, of: bytes, isPadded: isPadded),
      end == place.upperBound, time.isValid
    else { return false }
    return place.count != 8 || form != .date || Self.compactYears.contains(time.year)
  }
}
