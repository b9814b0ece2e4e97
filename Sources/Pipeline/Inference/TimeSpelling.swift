import SQLiteSwiftly
import Schema
import Validation

/// A way to write dates or times that is looked for, as a pattern of `strptime`.
struct TimeSpelling: Sendable {
  let text: String
  let form: ColumnDescription.TimeForm
  /// Whether this is how ISO 8601 writes it, so that it is stored as it is.
  let isISO: Bool
  /// Whether days, months and hours below 10 have a zero in front; otherwise none has, for two ways to write
  /// one date could make two keys of one.
  private let isPadded: Bool
  private let pattern: TimePattern

  private init(
    _ text: String, _ form: ColumnDescription.TimeForm, isISO: Bool = false, isPadded: Bool = true
  ) {
    self.text = text
    self.form = form
    self.isISO = isISO
    self.isPadded = isPadded
    pattern = TimePattern(text)
  }

  /// All that are looked for; of those that fit a column the first one is taken.
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
    TimeSpelling("%Y-%m-%d %H:%M:%S", .dateTime), TimeSpelling("%Y-%m-%d %H:%M", .dateTime),
    TimeSpelling("%Y-%m-%dT%H:%M", .dateTime),
    TimeSpelling("%d.%m.%Y %H:%M:%S", .dateTime), TimeSpelling("%d.%m.%Y %H:%M", .dateTime),
    TimeSpelling("%d/%m/%Y %H:%M:%S", .dateTime), TimeSpelling("%d/%m/%Y %H:%M", .dateTime),
    TimeSpelling("%m/%d/%Y %H:%M:%S", .dateTime), TimeSpelling("%m/%d/%Y %H:%M", .dateTime),
  ]

  static let compactDate = 3

  /// Those who write eight digits for something else seldom come upon these years.
  private static let compactYears = 1900...2100

  var isSortable: Bool { isPadded && (text.hasPrefix("%Y") || text.hasPrefix("%H")) }

  /// The pattern that reads every text of this one, but with day and month in the other places.
  var swapped: String {
    String(text.map { $0 == "d" ? "m" : $0 == "m" ? "d" : $0 })
  }

  /// Whether a value is written so, and there is such a day and such a time.
  func matches(_ place: Range<Int>, of bytes: Span<UInt8>) -> Bool {
    if isISO {
      guard let time = TimeReader.readISO(place, of: bytes, as: form), time.hour < 24 else {
        return false
      }
      return time.offset == nil || bytes[place.upperBound - 1] == UInt8(ascii: "Z")
    }
    guard let (time, end) = pattern.read(place, of: bytes, isPadded: isPadded),
      end == place.upperBound, time.isValid
    else { return false }
    return place.count != 8 || form != .date || Self.compactYears.contains(time.year)
  }
}
