/// One thing in which a database differs from what is expected of it.
///
/// ```swift
/// let differences = try connection.differences(fromTable: words)
/// let missing = differences.filter { $0.property == .column && $0.found == nil }
/// let names = missing.compactMap(\.column)
/// ```
public struct SchemaDifference: Hashable, Sendable {
  /// The table, or the view, in which the difference is or which it is about; nil for the database.
  public let table: String?
  /// The column in which the difference is or which it is about.
  public let column: String?
  /// What differs.
  public let property: Property
  /// What was expected, or nil if nothing was.
  public let expected: String?
  /// What was found, or nil if nothing was.
  public let found: String?

  /// What can differ; the raw value is its name for people.
  public enum Property: String, Sendable {
    /// That the table is there.
    case table
    /// That the view is there.
    case view
    /// That the trigger is there.
    case trigger
    /// That the table has the column.
    case column
    /// A column's type.
    case type
    /// Whether a column may hold NULL.
    case nullability
    /// A column's default.
    case defaultValue = "default"
    /// The columns of the primary key.
    case primaryKey = "primary key"
    /// A further key.
    case uniqueKey = "unique key"
    /// A reference to a table.
    case foreignKey = "foreign key"
    /// A further index.
    case index
    /// `STRICT` or `WITHOUT ROWID`.
    case option
    /// What else a definition says: checks, collations, what happens on conflict.
    case definition
    /// The query of a view.
    case query
    /// The number by which a file of the schema is known.
    case applicationID = "application_id"
    /// The version of the schema.
    case version = "user_version"
  }
}

extension SchemaDifference: CustomStringConvertible {
  /// The difference in words: `table parts, column num_parts: type is TEXT, and INTEGER was expected`.
  public var description: String {
    let difference =
      switch (expected, found) {
      case (let expected?, let found?):
        "\(property.rawValue) is \(found), and \(expected) was expected"
      case (let expected?, nil): "\(property.rawValue) \(expected) is missing"
      case (nil, let found?): "\(property.rawValue) \(found) was not expected"
      case (nil, nil): property.rawValue
      }
    return place + difference
  }

  /// Where the difference is, unless it is about a thing as a whole.
  private var place: String {
    guard let table, ![.table, .view, .trigger].contains(property) else { return "" }
    let name = (property == .query ? "view " : "table ") + written(identifier: table)
    guard let column, property != .column else { return name + ": " }
    return name + ", column \(written(identifier: column)): "
  }
}
