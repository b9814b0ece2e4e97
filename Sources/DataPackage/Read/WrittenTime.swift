import SQLiteSwiftly

/// A date or a time in a constraint.
///
/// Only what can be a bound is read: numbers, and no names of months.
struct WrittenTime {
  private var year = 0
  private var month = 1
  private var day = 1
  private var hour = 0
  private var minute = 0
  private var second = 0
  /// A fraction of a second and a time zone, as they are written.
  private var rest = ""
  private let form: ColumnDescription.TimeForm

  /// Reads a text that is written by a pattern, or as it is stored; nil for anything else.
  init?(_ text: String, form: ColumnDescription.TimeForm, pattern: String?) {
    for pattern in [pattern, Self.pattern(of: form)].compactMap(\.self) {
      var time = WrittenTime(form: form)
      if time.read(text, pattern), time.isThere {
        self = time
        return
      }
    }
    return nil
  }

  private init(form: ColumnDescription.TimeForm) { self.form = form }

  /// The pattern of what is stored.
  private static func pattern(of form: ColumnDescription.TimeForm) -> String? {
    switch form {
    case .date: "%Y-%m-%d"
    case .time: "%H:%M:%S"
    case .dateTime: "%Y-%m-%dT%H:%M:%S"
    case .year: "%Y"
    case .yearMonth: "%Y-%m"
    case .duration: nil
    }
  }

  static func example(of form: ColumnDescription.TimeForm) -> String {
    switch form {
    case .date: "2024-12-31"
    case .time: "23:59:59"
    case .dateTime: "2024-12-31T23:59:59"
    case .year: "2024"
    case .yearMonth: "2024-12"
    case .duration: "P1Y"
    }
  }

  private mutating func read(_ text: String, _ pattern: String) -> Bool {
    var text = Substring(text).utf8
    var pattern = Substring(pattern).utf8
    while let letter = pattern.popFirst() {
      guard letter == UInt8(ascii: "%") else {
        guard text.popFirst() == letter else { return false }
        continue
      }
      guard let directive = pattern.popFirst() else { return false }
      guard read(directive, from: &text) else { return false }
    }
    return readRest(text)
  }

  private mutating func read(_ directive: UInt8, from text: inout Substring.UTF8View) -> Bool {
    func number(_ digits: Int) -> Int? {
      var value = 0
      var count = 0
      while count < digits, let digit = text.first, UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit {
        value = value * 10 + Int(digit - UInt8(ascii: "0"))
        text.removeFirst()
        count += 1
      }
      return count > 0 ? value : nil
    }
    switch directive {
    case UInt8(ascii: "Y"):
      let before = text.count
      guard let value = number(4), before - text.count == 4 else { return false }
      year = value
    case UInt8(ascii: "m"): month = number(2) ?? 0
    case UInt8(ascii: "d"): day = number(2) ?? 0
    case UInt8(ascii: "H"): hour = number(2) ?? 99
    case UInt8(ascii: "M"): minute = number(2) ?? 99
    case UInt8(ascii: "S"): second = number(2) ?? 99
    case UInt8(ascii: "%"): return text.popFirst() == directive
    default: return false
    }
    return true
  }

  /// Reads the fraction of a second; a bound in another time zone could not be compared as text.
  private mutating func readRest(_ text: Substring.UTF8View) -> Bool {
    var left = text
    if left.first == UInt8(ascii: "."), form == .time || form == .dateTime {
      left.removeFirst()
      let digits = left.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
      guard !digits.isEmpty else { return false }
      left.removeFirst(digits.count)
    }
    if left.first == UInt8(ascii: "Z"), form == .dateTime { left.removeFirst() }
    rest = String(Substring(text))
    return left.isEmpty
  }

  private var isThere: Bool {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return 1...12 ~= month && day >= 1 && day <= days[month - 1] && hour < 24 && minute < 60
      && second < 60
  }

  /// The text as it is stored.
  var stored: String {
    func digits(_ value: Int, _ count: Int) -> String {
      String(repeating: "0", count: max(0, count - "\(value)".utf8.count)) + "\(value)"
    }
    let date = "\(digits(year, 4))-\(digits(month, 2))"
    let clock = "\(digits(hour, 2)):\(digits(minute, 2)):\(digits(second, 2))\(rest)"
    return switch form {
    case .date: "\(date)-\(digits(day, 2))"
    case .time: clock
    case .dateTime: "\(date)-\(digits(day, 2))T\(clock)"
    case .year: digits(year, 4)
    case .yearMonth: date
    case .duration: ""
    }
  }
}
