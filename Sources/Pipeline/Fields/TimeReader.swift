package import SQLiteSwiftly
package import Schema

/// Reads dates and times, and writes them as ISO 8601.
package struct TimeReader {
  /// The form to read; nil for forms that are stored as written.
  let form: ColumnDescription.TimeForm?
  private let pattern: TimePattern?
  private let anyTime: AnyTime?

  package init(_ spelling: FieldFormat.Spelling, _ form: ColumnDescription.TimeForm?) {
    switch form {
    case .date, .time, .dateTime: self.form = form
    case .year, .yearMonth, .duration, nil: self.form = nil
    }
    pattern = if case .time(let text) = spelling { TimePattern(text) } else { nil }
    anyTime = spelling == .anyTime ? AnyTime() : nil
  }

  /// Appends a field as ISO 8601, with offsets converted to UTC; returns false if it is not valid.
  package func append(_ range: Range<Int>, of bytes: Span<UInt8>, to text: inout [UInt8]) -> Bool {
    guard let form, var time = read(range, of: bytes, as: form) else { return false }
    if form == .dateTime {
      time.normalize()
      guard time.isValid else { return false }
    }
    if form != .time { time.append(dateTo: &text) }
    if form == .dateTime { text.append(UInt8(ascii: "T")) }
    if form != .date { time.append(timeTo: &text, fractionOf: bytes) }
    if form == .dateTime, time.offset != nil { text.append(UInt8(ascii: "Z")) }
    return true
  }

  private func read(
    _ range: Range<Int>, of bytes: Span<UInt8>, as form: ColumnDescription.TimeForm
  ) -> CalendarTime? {
    if let pattern {
      guard let (time, end) = pattern.read(range, of: bytes), end == range.upperBound,
        time.isValid
      else { return nil }
      return form == .date && !time.isMidnight ? nil : time
    }
    return Self.readISO(range, of: bytes, as: form) ?? anyTime?.read(range, of: bytes, as: form)
  }

  /// Parses a form of XML Schema.
  package static func readISO(
    _ range: Range<Int>, of bytes: Span<UInt8>, as form: ColumnDescription.TimeForm
  ) -> CalendarTime? {
    switch form {
    case .date: return CalendarTime(date: range, of: bytes)
    case .dateTime: return CalendarTime(dateTime: range, of: bytes)
    default:
      var end = range.upperBound
      guard let time = CalendarTime(time: range.lowerBound, &end, of: bytes),
        end == range.upperBound, time.hour < 24
      else { return nil }
      return time
    }
  }
}

/// Parses dates and times in any usual format that is unambiguous.
private struct AnyTime {
  private let dates = [
    "%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%Y%m%d", "%d %B %Y", "%d %b %Y", "%d-%b-%Y", "%B %d, %Y",
    "%b %d, %Y", "%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y", "%m.%d.%Y", "%d-%m-%Y", "%m-%d-%Y",
  ].map(TimePattern.init)
  private let times = [
    "%I:%M:%S %p", "%I:%M %p", "%H:%M:%S.%f", "%H:%M:%S", "%H:%M",
  ].map(TimePattern.init)
  private let zones = ["%z", " %z", " %Z"].map(TimePattern.init)

  func read(
    _ range: Range<Int>, of bytes: Span<UInt8>, as form: ColumnDescription.TimeForm
  ) -> CalendarTime? {
    guard form != .time else {
      return readTime(range, of: bytes).flatMap { $0.offset == nil ? $0 : nil }
    }
    if form == .dateTime, let time = CalendarTime(timestamp: range, of: bytes) { return time }
    guard let (date, end) = readDate(range, of: bytes) else { return nil }
    if end == range.upperBound { return form == .date ? date : nil }
    guard bytes[end] == UInt8(ascii: "T") || bytes[end] == UInt8(ascii: " "),
      var time = readTime(end + 1..<range.upperBound, of: bytes)
    else { return nil }
    (time.year, time.month, time.day) = (date.year, date.month, date.day)
    return form == .date && (!time.isMidnight || time.offset != nil) ? nil : time
  }

  /// The date at the start, if all possible readings agree.
  private func readDate(
    _ range: Range<Int>, of bytes: Span<UInt8>
  ) -> (time: CalendarTime, end: Int)? {
    var result: (time: CalendarTime, end: Int)?
    for pattern in dates {
      guard let date = pattern.read(range, of: bytes), date.time.isValid else { continue }
      if let result, result != date { return nil }
      result = date
    }
    return result
  }

  private func readTime(_ range: Range<Int>, of bytes: Span<UInt8>) -> CalendarTime? {
    for pattern in times {
      guard let (time, end) = pattern.read(range, of: bytes), time.isValid else { continue }
      if end == range.upperBound { return time }
      for zone in zones {
        guard let (zoned, zoneEnd) = zone.read(end..<range.upperBound, of: bytes),
          zoneEnd == range.upperBound
        else { continue }
        var time = time
        time.offset = zoned.offset
        return time
      }
    }
    return nil
  }
}

package struct CalendarTime: Equatable {
  package var year = 1900
  var month = 1
  var day = 1
  package var hour = 0
  var minute = 0
  var second = 0
  /// The place of the digits of a fraction of a second, without trailing zeros.
  var fraction = 0..<0
  /// The minutes ahead of UTC; nil if not specified.
  package var offset: Int?

  /// Whether the day and time exist, in the years that SQLite and Python support.
  package var isValid: Bool {
    1...9999 ~= year && 1...12 ~= month && day >= 1 && day <= daysOfMonth && 0...23 ~= hour
      && 0...59 ~= minute && 0...59 ~= second && -14 * 60...14 * 60 ~= offset ?? 0
  }

  var isMidnight: Bool { hour == 0 && minute == 0 && second == 0 && fraction.isEmpty }

  private var isLeapYear: Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

  private var daysOfMonth: Int {
    switch month {
    case 2: isLeapYear ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  package var daysSince2000: Int {
    // In a year that begins in March, the leap day is the last (Zeller).
    let (year, month) = month < 3 ? (year - 1, month + 9) : (year, month - 3)
    let days = year * 365 + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day
    return days - 730_426
  }

  package var secondsOfDay: Int { (hour * 60 + minute) * 60 + second }

  /// The day of the week; Monday is 0.
  var weekday: Int { (daysSince2000 + 730_427) % 7 }

  /// Sets the month and day by the day of the year; returns false if the year has no such day.
  mutating func setDay(ofYear number: Int) -> Bool {
    guard number <= (isLeapYear ? 366 : 365) else { return false }
    (month, day) = (1, number)
    while day > daysOfMonth {
      day -= daysOfMonth
      month += 1
    }
    return true
  }

  /// Converts a time with an offset to UTC, and 24:00 to the start of the next day.
  package mutating func normalize() {
    let minutes = hour * 60 + minute - (offset ?? 0)
    if offset != nil { offset = 0 }
    let minutesOfDay = 24 * 60
    day += minutes < 0 ? -1 : minutes / minutesOfDay
    let rest = (minutes + minutesOfDay) % minutesOfDay
    (hour, minute) = (rest / 60, rest % 60)
    if day < 1 {
      (year, month) = month == 1 ? (year - 1, 12) : (year, month - 1)
      day = daysOfMonth
    } else if day > daysOfMonth {
      (year, month) = month == 12 ? (year + 1, 1) : (year, month + 1)
      day = 1
    }
  }
}

extension CalendarTime {
  package init?(date range: Range<Int>, of bytes: Span<UInt8>) {
    let start = range.lowerBound
    guard range.count == 10, bytes[start + 4] == UInt8(ascii: "-"),
      bytes[start + 7] == UInt8(ascii: "-"),
      let century = bytes.twoDigits(at: start), let year = bytes.twoDigits(at: start + 2),
      let month = bytes.twoDigits(at: start + 5), let day = bytes.twoDigits(at: start + 8)
    else { return nil }
    (self.year, self.month, self.day) = (century * 100 + year, month, day)
    guard isValid else { return nil }
  }

  /// Parses `hh:mm:ss` with an optional fraction of a second, and sets `end` to its end.
  package init?(time start: Int, _ end: inout Int, of bytes: Span<UInt8>) {
    guard end - start >= 8, bytes[start + 2] == UInt8(ascii: ":"),
      bytes[start + 5] == UInt8(ascii: ":"),
      let hour = bytes.twoDigits(at: start), let minute = bytes.twoDigits(at: start + 3),
      let second = bytes.twoDigits(at: start + 6), minute < 60, second < 60
    else { return nil }
    (self.hour, self.minute, self.second) = (hour, minute, second)
    var index = start + 8
    if index < end, bytes[index] == UInt8(ascii: ".") {
      index += 1
      let first = index
      while index < end, bytes[index].isDigit { index += 1 }
      guard index > first else { return nil }
      setFraction(first..<index, of: bytes)
    }
    end = index
    guard hour < 24 || hour == 24 && minute == 0 && second == 0 && fraction.isEmpty else {
      return nil
    }
  }

  mutating func setFraction(_ range: Range<Int>, of bytes: Span<UInt8>) {
    var end = range.upperBound
    while end > range.lowerBound, bytes[end - 1] == UInt8(ascii: "0") { end -= 1 }
    fraction = range.lowerBound..<end
  }

  /// Parses `yyyy-mm-ddThh:mm:ss`, with an optional fraction of a second and offset from UTC.
  package init?(dateTime range: Range<Int>, of bytes: Span<UInt8>) {
    self.init(range, of: bytes, dateEnd: UInt8(ascii: "T"))
  }

  /// Parses `yyyy-mm-dd hh:mm:ss`, as databases write it, also with an offset of hours alone.
  package init?(timestamp range: Range<Int>, of bytes: Span<UInt8>) {
    self.init(range, of: bytes, dateEnd: UInt8(ascii: " "))
    if hour == 24 { return nil }
  }

  private init?(_ range: Range<Int>, of bytes: Span<UInt8>, dateEnd: UInt8) {
    let start = range.lowerBound
    var end = range.upperBound
    guard range.count >= 19, bytes[start + 10] == dateEnd,
      let date = CalendarTime(date: start..<start + 10, of: bytes),
      let time = CalendarTime(time: start + 11, &end, of: bytes)
    else { return nil }
    self = time
    (year, month, day) = (date.year, date.month, date.day)
    guard end < range.upperBound else { return }
    let zone = end..<range.upperBound
    if zone.count == 1, bytes[end] == UInt8(ascii: "Z") {
      offset = 0
    } else {
      let isShort = zone.count == 3 && dateEnd == UInt8(ascii: " ")
      guard isShort || zone.count == 6 && bytes[end + 3] == UInt8(ascii: ":"),
        let offset = bytes.offset(at: end, minutesAt: isShort ? nil : end + 4)
      else { return nil }
      self.offset = offset
    }
  }
}

extension Span<UInt8> {
  @inline(always)
  func twoDigits(at index: Int) -> Int? {
    let (first, second) = (self[index] &- UInt8(ascii: "0"), self[index + 1] &- UInt8(ascii: "0"))
    return first < 10 && second < 10 ? Int(first) * 10 + Int(second) : nil
  }

  /// The minutes of an offset from UTC of at most 14 hours, with a sign and hours at `index`.
  func offset(at index: Int, minutesAt minutesIndex: Int?) -> Int? {
    guard self[index] == UInt8(ascii: "+") || self[index] == UInt8(ascii: "-"),
      let hours = twoDigits(at: index + 1)
    else { return nil }
    var offset = hours * 60
    if let minutesIndex {
      guard let minutes = twoDigits(at: minutesIndex), minutes < 60 else { return nil }
      offset += minutes
    }
    guard offset <= 14 * 60 else { return nil }
    return self[index] == UInt8(ascii: "-") ? -offset : offset
  }
}

extension CalendarTime {
  func append(dateTo text: inout [UInt8]) {
    Self.append(year / 100, to: &text)
    Self.append(year % 100, to: &text)
    text.append(UInt8(ascii: "-"))
    Self.append(month, to: &text)
    text.append(UInt8(ascii: "-"))
    Self.append(day, to: &text)
  }

  func append(timeTo text: inout [UInt8], fractionOf bytes: Span<UInt8>) {
    Self.append(hour, to: &text)
    text.append(UInt8(ascii: ":"))
    Self.append(minute, to: &text)
    text.append(UInt8(ascii: ":"))
    Self.append(second, to: &text)
    guard !fraction.isEmpty else { return }
    text.append(UInt8(ascii: "."))
    for index in fraction { text.append(bytes[index]) }
  }

  private static func append(_ number: Int, to text: inout [UInt8]) {
    text.append(UInt8(ascii: "0") + UInt8(number / 10))
    text.append(UInt8(ascii: "0") + UInt8(number % 10))
  }
}
