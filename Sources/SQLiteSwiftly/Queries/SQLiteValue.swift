import Text

/// A value as SQLite stores it (<https://www.sqlite.org/datatype3.html>).
///
/// ```swift
/// let row: [SQLiteValue] = [1, "Technic", .null, 1.5, true, .blob([0xff])]
/// let name = row[1].textValue ?? "no name"
/// ```
public enum SQLiteValue: Hashable, Sendable, SQLiteValueConvertible {
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
  public var integerValue: Int64? { if case .integer(let value) = self { value } else { nil } }

  /// The floating-point number, if it is one.
  public var realValue: Double? { if case .real(let value) = self { value } else { nil } }

  /// The text, if it is a text.
  public var textValue: String? { if case .text(let value) = self { value } else { nil } }

  /// The bytes, if it is a blob.
  public var blobValue: [UInt8]? { if case .blob(let value) = self { value } else { nil } }

  /// Whether it is NULL.
  public var isNull: Bool { if case .null = self { true } else { false } }

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
    case .blob(let bytes): "X'" + bytes.map(\.hexadecimal).joined().uppercased() + "'"
    }
  }

  /// The value itself.
  public var sqliteValue: SQLiteValue { self }

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

/// A Swift value that can be stored in SQLite.
///
/// An enumeration with raw values only has to declare the conformance: it is stored as its raw value. A type can throw
/// for values that cannot be stored; the statement that uses such a value then fails with that error.
///
/// ```swift
/// enum Material: String, SQLiteValueConvertible { case plastic = "Plastic", rubber = "Rubber" }
///
/// let query: SQL = "SELECT name FROM parts WHERE material = \(Material.rubber)"
/// ```
public protocol SQLiteValueConvertible {
  /// The stored form of the value.
  var sqliteValue: SQLiteValue { get throws(SQLiteError) }
}

extension SQLiteValueConvertible {
  /// The value, or an error that names its place.
  @inlinable
  package func sqliteValue(at place: @autoclosure () -> String) throws(SQLiteError) -> SQLiteValue {
    do throws(SQLiteError) { return try sqliteValue } catch { throw error.prefixed(by: place()) }
  }
}

/// The cases of `SQLiteValue`, for use where any convertible type is accepted.
extension SQLiteValueConvertible where Self == SQLiteValue {
  /// NULL.
  @_disfavoredOverload
  public static var null: SQLiteValue { SQLiteValue.null }

  /// An integer.
  @_disfavoredOverload
  public static func integer(_ value: Int64) -> SQLiteValue { SQLiteValue.integer(value) }

  /// A floating-point number.
  @_disfavoredOverload
  public static func real(_ value: Double) -> SQLiteValue { SQLiteValue.real(value) }

  /// A text.
  @_disfavoredOverload
  public static func text(_ value: String) -> SQLiteValue { SQLiteValue.text(value) }

  /// Bytes.
  @_disfavoredOverload
  public static func blob(_ value: [UInt8]) -> SQLiteValue { SQLiteValue.blob(value) }
}

extension SQLiteValueConvertible where Self: BinaryInteger {
  /// An integer; a number beyond signed 64 bits is an error with the code `range`.
  public var sqliteValue: SQLiteValue {
    get throws(SQLiteError) {
      guard let value = Int64(exactly: self) else {
        throw SQLiteError(
          .range,
          "a value of type \(Self.self) does not fit into SQLite's 64-bit integers")
      }
      return .integer(value)
    }
  }
}

extension Int: SQLiteValueConvertible {}
extension Int8: SQLiteValueConvertible {}
extension Int16: SQLiteValueConvertible {}
extension Int32: SQLiteValueConvertible {}
extension Int64: SQLiteValueConvertible {}
extension UInt: SQLiteValueConvertible {}
extension UInt8: SQLiteValueConvertible {}
extension UInt16: SQLiteValueConvertible {}
extension UInt32: SQLiteValueConvertible {}
extension UInt64: SQLiteValueConvertible {}
extension Int128: SQLiteValueConvertible {}
extension UInt128: SQLiteValueConvertible {}

extension Bool: SQLiteValueConvertible {
  /// 0 or 1, since SQLite has no booleans.
  public var sqliteValue: SQLiteValue { .integer(self ? 1 : 0) }
}

extension Double: SQLiteValueConvertible {
  /// A floating-point number; NaN is stored as NULL.
  public var sqliteValue: SQLiteValue { .real(self) }
}

extension Float: SQLiteValueConvertible {
  /// A floating-point number, converted to 64 bits.
  public var sqliteValue: SQLiteValue { .real(Double(self)) }
}

extension String: SQLiteValueConvertible {
  /// Text.
  public var sqliteValue: SQLiteValue { .text(self) }
}

extension Character: SQLiteValueConvertible {
  /// Text.
  public var sqliteValue: SQLiteValue { .text(String(self)) }
}

extension Substring: SQLiteValueConvertible {
  /// Text.
  public var sqliteValue: SQLiteValue { .text(String(self)) }
}

extension [UInt8]: SQLiteValueConvertible {
  /// A blob.
  public var sqliteValue: SQLiteValue { .blob(self) }
}

extension Optional: SQLiteValueConvertible where Wrapped: SQLiteValueConvertible {
  /// The wrapped value's stored form, or NULL.
  public var sqliteValue: SQLiteValue {
    get throws(SQLiteError) {
      guard let value = self else { return .null }
      return try value.sqliteValue
    }
  }
}

extension SQLiteValueConvertible where Self: RawRepresentable, RawValue: SQLiteValueConvertible {
  /// The stored form of the raw value.
  public var sqliteValue: SQLiteValue { get throws(SQLiteError) { try rawValue.sqliteValue } }
}
