/// A value as SQLite stores it (<https://www.sqlite.org/datatype3.html>).
public enum SQLiteValue: Equatable, Sendable {
  /// No value.
  case null
  /// A signed integer of 64 bits.
  case integer(Int64)
  /// A floating-point number; NaN is stored as NULL.
  case real(Double)
  /// Text, which SQLite keeps in UTF-8, NUL characters included.
  case text(String)
  /// Bytes.
  case blob([UInt8])

  /// The integer, if it is one.
  public var integerValue: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  /// The text, if it is one.
  public var textValue: String? {
    if case .text(let value) = self { value } else { nil }
  }
}

/// A value of Swift's that has a form in SQLite.
public protocol SQLiteValueConvertible {
  /// The form it is stored in.
  var sqliteValue: SQLiteValue { get }
}

extension SQLiteValue: SQLiteValueConvertible {
  /// The value itself.
  public var sqliteValue: SQLiteValue { self }
}

extension Int: SQLiteValueConvertible {
  /// An integer.
  public var sqliteValue: SQLiteValue { .integer(Int64(self)) }
}

extension Int64: SQLiteValueConvertible {
  /// An integer.
  public var sqliteValue: SQLiteValue { .integer(self) }
}

extension Bool: SQLiteValueConvertible {
  /// 0 or 1, since SQLite has no booleans.
  public var sqliteValue: SQLiteValue { .integer(self ? 1 : 0) }
}

extension Double: SQLiteValueConvertible {
  /// A floating-point number.
  public var sqliteValue: SQLiteValue { .real(self) }
}

extension String: SQLiteValueConvertible {
  /// Text.
  public var sqliteValue: SQLiteValue { .text(self) }
}

extension [UInt8]: SQLiteValueConvertible {
  /// A blob.
  public var sqliteValue: SQLiteValue { .blob(self) }
}

extension Optional: SQLiteValueConvertible where Wrapped: SQLiteValueConvertible {
  /// The wrapped value's form, or NULL.
  public var sqliteValue: SQLiteValue { map(\.sqliteValue) ?? .null }
}
