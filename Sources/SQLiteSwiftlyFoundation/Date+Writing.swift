import FoundationEssentials

extension Date {
  /// The date in UTC to the nearest millisecond as `YYYY-MM-DD HH:MM:SS.SSS`; nil if it is not
  /// finite or outside the years with four digits.
  var timeValue: String? {
    var second = timeIntervalSinceReferenceDate.rounded(.down)
    // Only the fraction is multiplied: the whole value has too few digits left to round correctly.
    var millisecond = ((timeIntervalSinceReferenceDate - second) * 1000).rounded()
    if millisecond == 1000 {
      second += 1
      millisecond = 0
    }
    second += Double(CalendarDay.reference)
    guard let second = Int(exactly: second), CalendarDay.allSeconds.contains(second) else {
      return nil
    }
    let (number, time) = second.quotientAndRemainder(dividingBy: CalendarDay.seconds)
    let day = CalendarDay(number: number)
    let date = "\(padded(day.year, to: 4))-\(padded(day.month))-\(padded(day.day))"
    let clock = "\(padded(time / 3600)):\(padded(time / 60 % 60)):\(padded(time % 60))"
    return "\(date) \(clock).\(padded(Int(millisecond), to: 3))"
  }

  private func padded(_ number: Int, to width: Int = 2) -> String {
    let digits = String(number)
    return String(repeating: "0", count: width - digits.utf8.count) + digits
  }
}
