/// A value as SQLite stores it (<https://www.sqlite.org/datatype3.html>).
///
/// ```swift
/// let row: [SQLiteValue] = [1, "Technic", .null, 1.5, true, .blob([0xff])]
/// let name = row[1].textValue ?? "no name"
/// ```
public enum SQLiteValue: Sendable {
  /// No value.
  case null
  /// A signed integer of 64 bits.
  case integer(Int64)
  /// A floating-point number of 64 bits; NaN is stored as NULL.
  case real(Double)
  /// Text, which SQLite stores in UTF-8, including NUL characters.
  ///
  /// U+FFFD replaces bytes of a file that are not UTF-8.
  case text(String)
  /// Bytes.
  case blob([UInt8])

  /// The integer, if it is one.
  public var integerValue: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  /// The floating-point number, if it is one.
  public var realValue: Double? {
    if case .real(let value) = self { value } else { nil }
  }

  /// The text, if it is a text.
  public var textValue: String? {
    if case .text(let value) = self { value } else { nil }
  }

  /// The bytes, if it is a blob.
  public var blobValue: [UInt8]? {
    if case .blob(let value) = self { value } else { nil }
  }

  /// Whether it is NULL.
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }
}

extension SQLiteValue: Hashable {
  /// Compares the storage classes, and then the values; texts by bytes, as SQLite does.
  public static func == (left: SQLiteValue, right: SQLiteValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left == right
    case (.text(let left), .text(let right)): haveSameBytes(left, right)
    case (.blob(let left), .blob(let right)): left == right
    default: false
    }
  }

  /// Hashes the storage class and the value.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .integer(let value): hasher.combine(value)
    case .real(let value): hasher.combine(value)
    case .text(let value): for byte in value.utf8 { hasher.combine(byte) }
    case .blob(let value): hasher.combine(value)
    }
  }
}

extension SQLiteValue: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral, ExpressibleByBooleanLiteral
{
  /// Creates an integer.
  public init(integerLiteral value: Int64) { self = .integer(value) }

  /// Creates a floating-point number.
  public init(floatLiteral value: Double) { self = .real(value) }

  /// Creates a text.
  public init(stringLiteral value: String) { self = .text(value) }

  /// Creates the integer 1 or 0, since SQLite has no booleans.
  public init(booleanLiteral value: Bool) { self = .integer(value ? 1 : 0) }
}

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
  /// The accuracy of reading decimals depends on the version of SQLite and on the machine. A decimal of at most 15
  /// digits, 4 of them after the point, is always read exactly: the quotients of ten to the fourth cannot be rounded
  /// wrongly twice. Any other number is written exactly, as an integer multiplied or divided by powers of two.
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
