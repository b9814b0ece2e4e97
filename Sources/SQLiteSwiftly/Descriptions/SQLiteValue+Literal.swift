extension SQLiteValue {
  /// The value as an exact SQL literal; NaN becomes NULL.
  package var literal: String {
    switch self {
    case .null: "NULL"
    case .integer(let value): "\(value)"
    case .real(let value): value.sqlLiteral
    // SQL text ends at a NUL.
    case .text(let value):
      value.unicodeScalars.split(separator: "\0", omittingEmptySubsequences: false)
        .map { quoted(text: String($0)) }.joined(separator: " || char(0) || ")
    case .blob(let bytes): "X'" + bytes.map(\.hexadecimal).joined() + "'"
    }
  }
}

extension Double {
  /// The number as an exact SQL literal.
  ///
  /// The accuracy of reading decimals depends on the version of SQLite and on the machine. A
  /// decimal of at most 15 digits, 4 of them after the point, is always read exactly: the quotients
  /// of ten to the fourth cannot be rounded wrongly twice. Any other number is written exactly, as
  /// an integer multiplied or divided by powers of two.
  fileprivate var sqlLiteral: String {
    guard isFinite else { return isNaN ? "NULL" : self < 0 ? "-9e999" : "9e999" }
    let decimal = "\(self)"
    let parts = decimal.split(separator: ".")
    if parts.count == 2, parts[1].utf8.count <= 4, decimal.utf8.count <= 16,
      !decimal.utf8.contains(UInt8(ascii: "e"))
    {
      return decimal
    }
    let bits = Int64(significandBitPattern) | (isNormal ? 1 << 52 : 0)
    let zeros = bits.trailingZeroBitCount
    var twos = Int((isNormal ? exponent : Self.leastNormalMagnitude.exponent)) - 52 + zeros
    var text = (sign == .minus ? "-1.0 * " : "1.0 * ") + "\(bits >> zeros)"
    while twos != 0 {
      let step = Swift.min(twos.magnitude, 62)
      text += (twos > 0 ? " * " : " / ") + "\(Int64(1) << step)"
      twos -= twos.signum() * Int(step)
    }
    return text
  }
}

extension UInt8 {
  package var hexadecimal: String {
    (self < 16 ? "0" : "") + String(self, radix: 16, uppercase: true)
  }
}
