package import Schema

extension TimePattern {
  /// Parses the start of a field as Python's `strptime` does; returns the time and its end.
  ///
  /// A number has two digits if they can form one. With `isPadded`, the match is exact: numbers below 10 must have a
  /// leading zero if it is true, and must not if it is false; names begin with a capital.
  package func read(
    _ range: Range<Int>, of bytes: Span<UInt8>, isPadded: Bool? = nil
  ) -> (time: CalendarTime, end: Int)? {
    var cursor = TimeCursor(index: range.lowerBound, end: range.upperBound, isPadded: isPadded)
    for part in parts where !cursor.read(part, of: bytes) { return nil }
    guard let time = cursor.wholeTime() else { return nil }
    return (time, cursor.index)
  }
}

private struct TimeCursor {
  var index: Int
  let end: Int
  /// Whether numbers have leading zeros; nil if they are optional, and whitespace and case may vary.
  let isPadded: Bool?
  var time = CalendarTime()
  var dayOfYear: Int?
  var weekday: Int?
  var isAfternoon: Bool?

  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ].map { Array($0.utf8) }
  private static let weekdays = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ].map { Array($0.utf8) }

  mutating func read(_ part: TimePattern.Part, of bytes: Span<UInt8>) -> Bool {
    switch part {
    case .year: set(\.year, fixedNumber(4, of: bytes))
    case .yearOfCentury:
      set(\.year, fixedNumber(2, of: bytes).map { $0 < 69 ? 2000 + $0 : 1900 + $0 })
    case .month: set(\.month, number(1...12, of: bytes))
    case .monthName: set(\.month, name(Self.months, of: bytes).map { $0 + 1 })
    case .shortMonthName: set(\.month, name(Self.months, length: 3, of: bytes).map { $0 + 1 })
    case .day: set(\.day, number(1...31, of: bytes))
    case .dayOfYear: store(&dayOfYear, number(1...366, most: 3, of: bytes))
    case .weekday: store(&weekday, name(Self.weekdays, of: bytes))
    case .shortWeekday: store(&weekday, name(Self.weekdays, length: 3, of: bytes))
    case .hour: set(\.hour, number(0...23, of: bytes))
    case .hourOfHalf: set(\.hour, number(1...12, of: bytes).map { $0 % 12 })
    case .halfOfDay:
      store(&isAfternoon, name([Array("am".utf8), Array("pm".utf8)], of: bytes).map { $0 == 1 })
    case .minute: set(\.minute, sixtieth(of: bytes))
    case .second: set(\.second, sixtieth(of: bytes))
    case .fraction: readFraction(of: bytes)
    case .offset: readOffset(of: bytes)
    case .zone: readZone(of: bytes)
    case .blanks: readBlanks(of: bytes)
    case .byte(let byte): read(byte, of: bytes)
    }
  }

  /// The time of all parts together; nil if they contradict each other.
  mutating func wholeTime() -> CalendarTime? {
    if let dayOfYear, !time.setDay(ofYear: dayOfYear) { return nil }
    if isAfternoon == true { time.hour += 12 }
    if let weekday, time.isValid, time.weekday != weekday { return nil }
    return time
  }

  private mutating func set(_ key: WritableKeyPath<CalendarTime, Int>, _ value: Int?) -> Bool {
    guard let value else { return false }
    time[keyPath: key] = value
    return true
  }

  private func store<Value>(_ target: inout Value?, _ value: Value?) -> Bool {
    target = value
    return value != nil
  }

  private mutating func fixedNumber(_ count: Int, of bytes: Span<UInt8>) -> Int? {
    guard index + count <= end else { return nil }
    var value = 0
    for offset in index..<index + count {
      guard bytes[offset].isDigit else { return nil }
      value = value * 10 + Int(bytes[offset] - UInt8(ascii: "0"))
    }
    index += count
    return value
  }

  /// Parses the longest number in the range.
  private mutating func number(
    _ range: ClosedRange<Int>, most: Int = 2, of bytes: Span<UInt8>
  ) -> Int? {
    let start = index
    for count in stride(from: most, through: isPadded == true ? most : 1, by: -1) {
      index = start
      guard let value = fixedNumber(count, of: bytes), range.contains(value) else { continue }
      return isPadded == false && count > 1 && bytes[start] == UInt8(ascii: "0") ? nil : value
    }
    return nil
  }

  /// Parses minutes or seconds, which have leading zeros even if hours have none.
  private mutating func sixtieth(of bytes: Span<UInt8>) -> Int? {
    isPadded == nil ? number(0...59, of: bytes) : fixedNumber(2, of: bytes)
  }

  /// Parses a name, or its first letters, and returns its index.
  private mutating func name(
    _ names: [[UInt8]], length: Int = .max, of bytes: Span<UInt8>
  ) -> Int? {
    for (number, name) in names.enumerated() {
      let count = min(length, name.count)
      guard index + count <= end else { continue }
      var isName = true
      for offset in 0..<count {
        let byte = bytes[index + offset]
        // `Jan`, not `JAN`.
        let isExact = isPadded == nil || (byte & 0x20 == 0) == (offset == 0)
        if byte | 0x20 != name[offset] || !isExact { isName = false }
      }
      if isName {
        index += count
        return number
      }
    }
    return nil
  }

  private mutating func readFraction(of bytes: Span<UInt8>) -> Bool {
    let start = index
    while index < min(end, start + 9), bytes[index].isDigit { index += 1 }
    time.setFraction(start..<index, of: bytes)
    return index > start
  }

  private mutating func readOffset(of bytes: Span<UInt8>) -> Bool {
    if index < end, bytes[index] == UInt8(ascii: "Z") {
      index += 1
      time.offset = 0
      return true
    }
    guard index + 5 <= end else { return false }
    let hasColon = bytes[index + 3] == UInt8(ascii: ":")
    guard !hasColon || index + 6 <= end,
      let offset = bytes.offset(at: index, minutesAt: index + (hasColon ? 4 : 3))
    else { return false }
    time.offset = offset
    index += hasColon ? 6 : 5
    return true
  }

  private mutating func readZone(of bytes: Span<UInt8>) -> Bool {
    guard name([Array("utc".utf8), Array("gmt".utf8)], of: bytes) != nil else { return false }
    time.offset = 0
    return true
  }

  private mutating func readBlanks(of bytes: Span<UInt8>) -> Bool {
    guard isPadded == nil else { return read(UInt8(ascii: " "), of: bytes) }
    let start = index
    while index < end, bytes[index].isBlank { index += 1 }
    return index > start
  }

  private mutating func read(_ byte: UInt8, of bytes: Span<UInt8>) -> Bool {
    guard index < end else { return false }
    let isLetter = isPadded == nil && byte.isLetter
    guard bytes[index] == byte || isLetter && bytes[index] | 0x20 == byte | 0x20 else {
      return false
    }
    index += 1
    return true
  }
}
