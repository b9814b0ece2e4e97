/// A column of a table: its name, type and allowed values.
///
/// ```swift
/// let rgb = ColumnDescription("rgb", .text, domain: .hexadecimalDigits(6))
/// let year = ColumnDescription("year", .integer, isNullable: true, domain: .within(1900...2199))
/// let isSpare = ColumnDescription("is_spare", .boolean, defaultValue: 0)
/// ```
///
/// A column can be documented as well. The texts affect neither the table nor the equality of descriptions.
///
/// ```swift
/// let number = ColumnDescription(
///   "set_num", .text, meaning: "The set's number, with a dash and the variant.", since: "2017",
///   example: "8880-1")
/// ```
public struct ColumnDescription: Hashable, Sendable {
  /// The column's name.
  public let name: String
  /// The type of its values.
  public let type: DataType
  /// Whether it may hold NULL.
  public let isNullable: Bool
  /// The domain, if it is narrower than the type.
  public let domain: Domain?
  /// The value of a row inserted without this column; nil for NULL.
  public let defaultValue: SQLiteValue?
  /// The known texts of a column that may get new ones; empty if there is no list.
  ///
  /// Unlike a domain, the database does not enforce it. A loader can report new values.
  public let knownValues: [String]
  /// The meaning of the column, and of NULL if it occurs, in sentences for readers of the table; nil if undocumented.
  public let meaning: String?
  /// The first year or month with values, such as `2022-09`; nil if unknown, or if the column is as old as the table.
  public let since: String?
  /// A typical value.
  public let example: SQLiteValue?

  /// Describes a column.
  ///
  /// Faults of the table are: an empty name, a domain or default of another type, a domain without
  /// any value, known values of a column without texts, and duplicate known values.
  public init(
    _ name: String, _ type: DataType, isNullable: Bool = false, domain: Domain? = nil,
    defaultValue: SQLiteValue? = nil, knownValues: [String] = [], meaning: String? = nil,
    since: String? = nil, example: SQLiteValue? = nil
  ) {
    self.name = name
    self.type = type
    self.isNullable = isNullable
    self.domain = domain
    self.defaultValue = defaultValue
    self.knownValues = knownValues
    self.meaning = meaning
    self.since = since
    self.example = example
  }

  /// The type of a column's values: the types of SQLite's `STRICT` tables, and the boolean.
  public enum DataType: Hashable, Sendable {
    /// A signed integer of 64 bits.
    case integer
    /// A floating-point number of 64 bits.
    case real
    /// Text in UTF-8.
    case text
    /// Bytes.
    case blob
    /// 0 or 1 in an integer column, enforced by a check.
    case boolean

    package var sql: String {
      switch self {
      case .integer, .boolean: "INTEGER"
      case .real: "REAL"
      case .text: "TEXT"
      case .blob: "BLOB"
      }
    }
  }

  var definition: String {
    quoted(identifier: name) + " " + type.sql + (isNullable ? "" : " NOT NULL")
      + (defaultValue.map { " DEFAULT (\($0.literal))" } ?? "")
      + (checkExpression.map { " CHECK (\($0))" } ?? "")
  }

  package var faults: [String] {
    var faults = nameFaults(name, empty: "a column has no name")
    if let domain, !domain.fits(type) {
      faults.append("the domain of column \(written(identifier: name)) does not match its type")
    }
    faults += domainFaults
    if let defaultValue, !accepts(defaultValue) {
      faults.append(
        "\(defaultValue.literal) is not a valid default for column \(written(identifier: name))")
    }
    if !knownValues.isEmpty, type != .text {
      faults.append(
        "column \(written(identifier: name)) has known values, but its type is not text")
    }
    return faults
      + repeated(knownValues).map {
        "duplicate known value of column \(written(identifier: name)): \($0)"
      }
  }

  /// Whether a value has the column's type; SQLite itself checks the domain.
  func accepts(_ value: SQLiteValue) -> Bool {
    switch (type, value) {
    case (_, .null): isNullable
    case (.integer, .integer), (.real, .integer): true
    case (.boolean, .integer(let number)): number == 0 || number == 1
    case (.real, .real(let number)): !number.isNaN
    case (.text, .text), (.blob, .blob): true
    default: false
    }
  }

  /// Compares the columns as they would be created; names and texts by bytes, as SQLite does.
  public static func == (left: ColumnDescription, right: ColumnDescription) -> Bool {
    left.type == right.type && haveSameBytes(left.definition, right.definition)
  }

  /// Hashes the name and the type.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(Array(name.utf8))
    hasher.combine(type)
  }
}
