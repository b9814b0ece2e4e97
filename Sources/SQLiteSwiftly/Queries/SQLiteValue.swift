/// A value as SQLite stores it (<https://www.sqlite.org/datatype3.html>).
public enum SQLiteValue: Sendable {
  /// No value.
  case null
  /// A signed integer of 64 bits.
  case integer(Int64)
  /// A floating-point number; NaN is stored as NULL.
  case real(Double)
  /// Text, which SQLite keeps in UTF-8, NUL characters included.
  ///
  /// Where a file has bytes that are not UTF-8, U+FFFD is read.
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

extension SQLiteValue: Equatable {
  /// Compares the storage classes, and then the values; texts by bytes, as SQLite does.
  public static func == (left: SQLiteValue, right: SQLiteValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left == right
    case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
    case (.blob(let left), .blob(let right)): left == right
    default: false
    }
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
