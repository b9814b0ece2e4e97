/// A column of a table: its name, its type, and what may stand in it.
public struct ColumnDescription: Hashable, Sendable {
  /// The column's name.
  public let name: String
  /// What its values are.
  public let type: DataType
  /// Whether it may hold NULL.
  public let isNullable: Bool
  /// The domain, when it is narrower than the type.
  public let domain: Domain?

  /// Describes a column.
  public init(
    _ name: String, _ type: DataType, isNullable: Bool = false, domain: Domain? = nil
  ) {
    precondition(domain?.fits(type) ?? true, "the domain of \(name) is not one of its type")
    self.name = name
    self.type = type
    self.isNullable = isNullable
    self.domain = domain
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
    /// 0 or 1 in an integer column, which a check holds to that.
    case boolean
  }

  /// A closed domain: a value outside it is damage, not news.
  public enum Domain: Hashable, Sendable {
    /// Integers not below a bound.
    case atLeast(Int64)
    /// Integers within two bounds.
    case within(ClosedRange<Int64>)
    /// One of these texts, compared by bytes.
    case oneOf([String])
    /// Text that is not empty and has no line feed.
    case singleLine
    /// As many hexadecimal digits.
    case hexadecimalDigits(Int)

    func fits(_ type: DataType) -> Bool {
      switch self {
      case .atLeast, .within: type == .integer
      case .oneOf, .singleLine, .hexadecimalDigits: type == .text
      }
    }
  }
}

extension ColumnDescription {
  /// The column's line in a `CREATE TABLE`, checks included.
  var definition: String {
    let name = quoted(identifier: name)
    let constraint = isNullable ? "" : " NOT NULL"
    return name + " " + type.sql + constraint + (checkExpression.map { " CHECK (\($0))" } ?? "")
  }

  /// The condition that every value other than NULL meets, or nil when any value of the type will do.
  private var checkExpression: String? {
    let name = quoted(identifier: name)
    return switch domain {
    case nil: type == .boolean ? "\(name) IN (0, 1)" : nil
    case .atLeast(let minimum): "\(name) >= \(minimum)"
    case .within(let range): "\(name) BETWEEN \(range.lowerBound) AND \(range.upperBound)"
    case .oneOf(let texts): "\(name) IN (\(texts.map(quoted(text:)).joined(separator: ", ")))"
    case .singleLine: "\(name) <> '' AND instr(\(name), char(10)) = 0"
    case .hexadecimalDigits(let count):
      // SQLite counts characters, and matches patterns, only up to a NUL.
      "length(\(name)) = \(count) AND length(CAST(\(name) AS BLOB)) = \(count) "
        + "AND \(name) NOT GLOB '*[^0-9A-Fa-f]*'"
    }
  }
}

extension ColumnDescription.DataType {
  /// The type's name in a `STRICT` table.
  var sql: String {
    switch self {
    case .integer, .boolean: "INTEGER"
    case .real: "REAL"
    case .text: "TEXT"
    case .blob: "BLOB"
    }
  }
}
