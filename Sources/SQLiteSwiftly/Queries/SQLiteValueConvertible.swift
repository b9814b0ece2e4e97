/// A Swift value that has a form in SQLite.
///
/// An enumeration with raw values only needs to declare the conformance: it is stored as its raw
/// value. A type that has no form for some of its values throws for those, and the statement that
/// such a value was meant for fails with that error.
///
/// ```swift
/// enum Material: String, SQLiteValueConvertible { case plastic = "Plastic", rubber = "Rubber" }
///
/// let query: SQL = "SELECT name FROM parts WHERE material = \(Material.rubber)"
/// ```
public protocol SQLiteValueConvertible {
  /// The form it is stored in.
  var sqliteValue: SQLiteValue { get throws(SQLiteError) }
}

extension SQLiteValue: SQLiteValueConvertible {
  /// The value itself.
  public var sqliteValue: SQLiteValue { self }
}

/// The cases of `SQLiteValue` where any type with a form in SQLite may stand.
extension SQLiteValueConvertible where Self == SQLiteValue {
  /// NULL.
  ///
  /// ```swift
  /// try insert.insert(4, "Castle", .null)
  /// ```
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
  /// An integer; a number beyond 64 bits with a sign is an error with the code `range`.
  public var sqliteValue: SQLiteValue {
    get throws(SQLiteError) {
      guard let value = Int64(exactly: self) else {
        throw SQLiteError(
          .range,
          "a value of type \(Self.self) is beyond the integers of SQLite, which have 64 bits")
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
  /// A floating-point number, which becomes one of 64 bits.
  public var sqliteValue: SQLiteValue { .real(Double(self)) }
}

extension String: SQLiteValueConvertible {
  /// Text.
  public var sqliteValue: SQLiteValue { .text(self) }
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
  /// The wrapped value's form, or NULL.
  public var sqliteValue: SQLiteValue {
    get throws(SQLiteError) {
      guard let value = self else { return .null }
      return try value.sqliteValue
    }
  }
}

extension SQLiteValueConvertible where Self: RawRepresentable, RawValue: SQLiteValueConvertible {
  /// The form of the raw value.
  public var sqliteValue: SQLiteValue { get throws(SQLiteError) { try rawValue.sqliteValue } }
}
