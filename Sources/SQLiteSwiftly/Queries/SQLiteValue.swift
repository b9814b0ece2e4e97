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
