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
  package func append(_ place: Range<Int>, of bytes: Span<UInt8>, to text: inout [UInt8]) -> Bool {
    guard let form, var time = read(place, of: bytes, as: form) else { return false }
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
    _ place: Range<Int>, of bytes: Span<UInt8>, as form: ColumnDescription.TimeForm
  ) -> CalendarTime? {
    if let pattern {
      guard let (time, end) = pattern.read(place, of: bytes), end == place.upperBound,
        time.isValid
      else { return nil }
      return form == .date && !time.isMidnight ? nil : time
    }
    return Self.readISO(place, of: bytes, as: form) ?? anyTime?.read(place, of: bytes, as: form)
  }

  /// Parses a form of XML Schema.
  package static func readISO(
    _ place: Range<Int>, of bytes: Span<UInt8>, as form: ColumnDescription.TimeForm
  ) -> CalendarTime? {
    switch form {
    case .date: return CalendarTime(date: place, of: bytes)
    case .dateTime: return CalendarTime(dateTime: place, of: bytes)
    default:
      var end = place.upperBound
      guard let time = CalendarTime(time: place.lowerBound, &end, of: bytes),
        end == place.upperBound, time.hour < 24
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
    _ place: Range<Int>, of bytes: Span<UInt8>, as form: ColumnDescription.TimeForm
  ) -> CalendarTime? {
    guard form != .time else {
      return readTime(place, of: bytes).flatMap { $0.offset == nil ? $0 : nil }
    }
    if form == .dateTime, let time = CalendarTime(timestamp: place, of: bytes) { return time }
    guard let (date, end) = readDate(place, of: bytes) else { return nil }
    if end == place.upperBound { return form == .date ? date : nil }
    guard bytes[end] == UInt8(ascii: "T") || bytes[end] == UInt8(ascii: " "),
      var time = readTime(end + 1..<place.upperBound, of: bytes)
    else { return nil }
    (time.year, time.month, time.day) = (date.year, date.month, date.day)
    return form == .date && (!time.isMidnight || time.offset != nil) ? nil : time
  }

  /// The date at the start, if all possible readings agree.
  private func readDate(
    _ place: Range<Int>, of bytes: Span<UInt8>
  ) -> (time: CalendarTime, end: Int)? {
    var result: (time: CalendarTime, end: Int)?
    for pattern in dates {
      guard let date = pattern.read(place, of: bytes), date.time.isValid else { continue }
      if let result, result != date { return nil }
      result = date
    }
    return result
  }

  private func readTime(_ place: Range<Int>, of bytes: Span<UInt8>) -> CalendarTime? {
    for pattern in times {
      guard let (time, end) = pattern.read(place, of: bytes), time.isValid else { continue }
      if end == place.upperBound { return time }
      for zone in zones {
        guard let (zoned, zoneEnd) = zone.read(end..<place.upperBound, of: bytes),
          zoneEnd == place.upperBound
        else { continue }
        var time = time
        time.offset = zoned.offset
        return time
      }
    }
    return nil
  }
}
