extension Int {
  /// The number with its digits in groups of three: `1,234,567`.
  var grouped: String {
    var text = ""
    let digits = String(magnitude)
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return (self < 0 ? "-" : "") + text
  }
}

extension Double {
  /// The number, not negative, rounded to some decimals: `0.250`.
  func formatted(decimals: Int) -> String {
    var scale = 1
    for _ in 0..<decimals { scale *= 10 }
    let scaled = Int((self * Double(scale)).rounded())
    let fraction = String(scaled % scale)
    return "\(scaled / scale)." + String(repeating: "0", count: decimals - fraction.count)
      + fraction
  }
}
