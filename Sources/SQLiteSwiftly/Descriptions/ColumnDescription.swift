/// A column of a table: its name, its type, and what it may hold.
///
/// ```swift
/// let rgb = ColumnDescription("rgb", .text, domain: .hexadecimalDigits(6))
/// let year = ColumnDescription("year", .integer, isNullable: true, domain: .within(1900...2199))
/// let isSpare = ColumnDescription("is_spare", .boolean, defaultValue: 0)
/// ```
///
/// It can be explained as well; the words make no difference to the table, nor to whether two
/// descriptions are equal.
///
/// ```swift
/// let number = ColumnDescription(
///   "set_num", .text, meaning: "The set's number, with a dash and the variant.", since: "2017",
///   example: "8880-1")
/// ```
public struct ColumnDescription: Sendable {
  /// The column's name.
  public let name: String
  /// What its values are.
  public let type: DataType
  /// Whether it may hold NULL.
  public let isNullable: Bool
  /// The domain, when it is narrower than the type.
  public let domain: Domain?
  /// What an insert that does not name the column puts into it; nil for NULL.
  public let defaultValue: SQLiteValue?
  /// The texts that were seen in it so far, where others may come; empty if nobody keeps a list.
  ///
  /// The list is open, unlike that of a domain: no check in the database enforces it, and it makes no
  /// difference to the table. A loader can report a new value.
  public let knownValues: [String]
  /// What the column says, in sentences for those who read the table, NULL included if it may be
  /// there; nil if nobody has explained it.
  public let meaning: String?
  /// Since when there are values, as a year or a year and a month such as `2022-09`; nil if that is
  /// not known, or as long as the table is there.
  public let since: String?
  /// A value that is typical of it.
  public let example: SQLiteValue?

  /// Describes a column.
  ///
  /// A name that is empty, a domain or a default value that is not one of `type`, and a domain that
  /// nothing can be in become faults of the table, and so do known values of a column that has no
  /// texts, and a value that is listed twice.
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

  /// The type of a column's values; those of SQLite's `STRICT` tables, and the boolean.
  public enum DataType: Hashable, Sendable {
    /// A signed integer of 64 bits.
    case integer
    /// A floating-point number of 64 bits.
    case real
    /// Text in UTF-8.
    case text
    /// Bytes.
    case blob
    /// 0 or 1 in an integer column, which a check enforces.
    case boolean
  }
}

extension ColumnDescription: Hashable {
  /// Compares what the columns are created as; names and texts by bytes, as SQLite does.
  public static func == (left: ColumnDescription, right: ColumnDescription) -> Bool {
    left.type == right.type && haveSameBytes(left.definition, right.definition)
  }

  /// Hashes the name and the type.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(Array(name.utf8))
    hasher.combine(type)
  }
}

extension ColumnDescription {
  /// The column's line in a `CREATE TABLE`, checks included.
  var definition: String {
    quoted(identifier: name) + " " + type.sql + (isNullable ? "" : " NOT NULL")
      + (defaultValue.map { " DEFAULT (\($0.literal))" } ?? "")
      + (checkExpression.map { " CHECK (\($0))" } ?? "")
  }

  /// What is wrong with the description, in words.
  package var faults: [String] {
    var faults = nameFaults(name, empty: "a column has no name")
    if let domain, !domain.fits(type) {
      faults.append("the domain of the column \(written(identifier: name)) is not one of its type")
    }
    faults += domainFaults
    if let defaultValue, !accepts(defaultValue) {
      faults.append(
        "the column \(written(identifier: name)) cannot have the default \(defaultValue.literal)")
    }
    if !knownValues.isEmpty, type != .text {
      faults.append(
        "the column \(written(identifier: name)) has known values, but they are no texts")
    }
    return faults
      + repeated(knownValues).map {
        "the known values of the column \(written(identifier: name)) have one twice: \($0)"
      }
  }

  /// Whether a value has the column's type; whether it is in the domain is for SQLite to check.
  private func accepts(_ value: SQLiteValue) -> Bool {
    switch (type, value) {
    case (_, .null): isNullable
    case (.integer, .integer), (.real, .integer): true
    case (.boolean, .integer(let number)): number == 0 || number == 1
    case (.real, .real(let number)): !number.isNaN
    case (.text, .text), (.blob, .blob): true
    default: false
    }
  }
}

extension ColumnDescription.DataType {
  /// The type's name in a `STRICT` table.
  package var sql: String {
    switch self {
    case .integer, .boolean: "INTEGER"
    case .real: "REAL"
    case .text: "TEXT"
    case .blob: "BLOB"
    }
  }
}
