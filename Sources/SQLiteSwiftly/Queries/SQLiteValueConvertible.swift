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

extension SQLiteValue: SQLiteValueConvertible {
  /// The value itself.
  public var sqliteValue: SQLiteValue { self }
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
