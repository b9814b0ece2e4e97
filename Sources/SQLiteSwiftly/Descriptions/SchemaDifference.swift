/// One difference between a database and its expected schema.
public struct SchemaDifference: Hashable, Sendable {
  /// The table or view that contains the difference or is missing; nil for the database.
  public let table: String?
  /// The column that contains the difference or is missing.
  public let column: String?
  /// The property that differs.
  public let property: Property
  /// The expected value, or nil for none.
  public let expected: String?
  /// The actual value, or nil for none.
  public let found: String?

  /// A property that can differ; the raw value is its display name.
  public enum Property: String, Sendable {
    /// The existence of the table.
    case table
    /// The existence of the view.
    case view
    /// The existence of the trigger.
    case trigger
    /// The existence of the column.
    case column
    /// A column's type.
    case type
    /// Whether a column may hold NULL.
    case nullability
    /// A column's default.
    case defaultValue = "default"
    /// The columns of the primary key.
    case primaryKey = "primary key"
    /// An additional key.
    case uniqueKey = "unique key"
    /// A reference to a table.
    case foreignKey = "foreign key"
    /// An additional index.
    case index
    /// `STRICT` or `WITHOUT ROWID`.
    case option
    /// Other parts of a definition: checks, collations, conflict clauses.
    case definition
    /// The query of a view.
    case query
    /// The number that identifies the files of a schema.
    case applicationID = "application_id"
    /// The version of the schema.
    case version = "user_version"
  }
}

extension SchemaDifference: CustomStringConvertible {
  /// The difference as a message: `table parts, column num_parts: type is TEXT, expected INTEGER`.
  public var description: String {
    let difference =
      switch (expected, found) {
      case (let expected?, let found?):
        "\(property.rawValue) is \(found), expected \(expected)"
      case (let expected?, nil): "\(property.rawValue) \(expected) is missing"
      case (nil, let found?): "unexpected \(property.rawValue) \(found)"
      case (nil, nil): property.rawValue
      }
    return place + difference
  }

  private var place: String {
    guard let table, ![.table, .view, .trigger].contains(property) else { return "" }
    let name = (property == .query ? "view " : "table ") + written(identifier: table)
    guard let column, property != .column else { return name + ": " }
    return name + ", column \(written(identifier: column)): "
  }
}
