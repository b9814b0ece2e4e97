import SQLiteSwiftly

/// A way to write dates or times that is looked for, as a pattern of `strptime`.
struct TimeSpelling: Sendable {
  /// The pattern.
  let text: String
  let form: ColumnDescription.TimeForm
  /// Whether this is how ISO 8601 writes it, so that it is stored as it is.
  let isISO: Bool
  /// Whether days, months and hours below 10 have a zero in front; otherwise none has, for two ways to write
  /// one date could make two keys of one.
  private let isPadded: Bool
  private let pieces: [UInt8]

  private init(
    _ text: String, _ form: ColumnDescription.TimeForm, isISO: Bool = false, isPadded: Bool = true
  ) {
    self.text = text
    self.form = form
    self.isISO = isISO
    self.isPadded = isPadded
    pieces = Array(text.utf8)
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

  /// The date as eight digits, which is a number as well.
  static let compactDate = 3

  /// Those who write eight digits for something else seldom come upon these years.
  private static let compactYears = 1900...2100

  /// Whether the texts of the pattern are in the order of time.
  var isSortable: Bool { isPadded && (text.hasPrefix("%Y") || text.hasPrefix("%H")) }

  /// The pattern that reads every text of this one, but with day and month in the other places.
  var swapped: String {
    String(text.map { $0 == "d" ? "m" : $0 == "m" ? "d" : $0 })
  }

  /// Whether a value is written so, and there is such a day and such a time.
  func matches(_ place: Range<Int>, of bytes: Span<UInt8>) -> Bool {
    var (year, month, day) = (2000, 1, 1)
    var index = place.lowerBound
    var piece = 0
    while piece < pieces.count {
      guard pieces[piece] == UInt8(ascii: "%") else {
        guard index < place.upperBound, bytes[index] == pieces[piece] else { return false }
        index += 1
        piece += 1
        continue
      }
      let directive = pieces[piece + 1]
      piece += 2
      let isYear = directive == UInt8(ascii: "Y")
      let mayBeShort =
        !isPadded && !isYear && directive != UInt8(ascii: "M") && directive != UInt8(ascii: "S")
      guard
        let number = Self.number(
          &index, place.upperBound, of: bytes, digits: isYear ? 4 : 2, mayBeShort: mayBeShort)
      else { return false }
      switch directive {
      case UInt8(ascii: "Y"): year = number
      case UInt8(ascii: "m"): month = number
      case UInt8(ascii: "d"): day = number
      case UInt8(ascii: "H"): guard number < 24 else { return false }
      default: guard number < 60 else { return false }
      }
    }
    if isISO, form != .date { Self.skipEnd(&index, place.upperBound, of: bytes, form) }
    guard index == place.upperBound, 1...12 ~= month, day >= 1, year >= 1 else { return false }
    if place.count == 8, form == .date, !Self.compactYears.contains(year) { return false }
    return day <= Self.days(in: month, of: year)
  }

  /// Reads so many digits, or one and no zero if that may be.
  private static func number(
    _ index: inout Int, _ end: Int, of bytes: Span<UInt8>, digits: Int, mayBeShort: Bool
  ) -> Int? {
    var number = 0
    var count = 0
    while count < digits, index < end, bytes[index] &- 48 < 10 {
      number = number * 10 + Int(bytes[index] - 48)
      index += 1
      count += 1
    }
    guard mayBeShort else { return count == digits ? number : nil }
    return count == 1 || (count == 2 && number > 9) ? number : nil
  }

  /// Passes over a fraction of the second, and the `Z` of a date with a time.
  private static func skipEnd(
    _ index: inout Int, _ end: Int, of bytes: Span<UInt8>, _ form: ColumnDescription.TimeForm
  ) {
    if index + 1 < end, bytes[index] == UInt8(ascii: "."), bytes[index + 1] &- 48 < 10 {
      index += 1
      while index < end, bytes[index] &- 48 < 10 { index += 1 }
    }
    if form == .dateTime, index < end, bytes[index] == UInt8(ascii: "Z") { index += 1 }
  }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2:
      year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
