extension Int {
  /// The number with grouped digits: `1,234,567`.
  package var grouped: String {
    var text = ""
    let digits = String(magnitude)
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return (self < 0 ? "-" : "") + text
  }

  /// The number with its noun: `1 record`, `2 records`.
  package func of(_ noun: String) -> String { "\(grouped) \(noun)\(self == 1 ? "" : "s")" }

  /// The verb for such a number of things: `was` or `were`.
  package func verb(_ one: String, _ several: String) -> String { self == 1 ? one : several }

  /// The number of seconds in days, or in hours below two days: `3 days`, `1 hour`.
  package var daysOrHours: String {
    self < 2 * 86_400 ? (self / 3600).of("hour") : (self / 86_400).of("day")
  }
}

extension String {
  /// The text with a full stop at its end.
  package var asSentence: String { hasSuffix(".") ? self : self + "." }
}

extension FixedWidthInteger where Self: UnsignedInteger {
  /// All hexadecimal digits of the number, in lowercase.
  package var hexadecimal: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: Self.bitWidth / 4 - digits.utf8.count) + digits
  }
}
