/// The whole of a database: its tables, what is derived from them, and its views.
///
/// ```swift
/// let schema = SchemaDescription(
///   tables: [themes, sets],
///   views: [ViewDescription("roots", "SELECT * FROM themes WHERE parent_id IS NULL")],
///   applicationID: 0x4C45_474F, version: 1)
/// ```
public struct SchemaDescription: Sendable {
  /// The tables; every table that another one refers to comes before it.
  public let tables: [TableDescription]
  /// Derived tables of keys.
  public let keyUnions: [KeyUnionDescription]
  /// Other tables that are derived from those, each filled by a query once all that come before it are filled.
  public let derivedTables: [DerivedTableDescription]
  /// Statistics of the tables, filled after all other derived tables.
  package var aggregates: [AggregateDescription] = []
  /// Views.
  public let views: [ViewDescription]
  /// The number by which a file of this schema is known (`PRAGMA application_id`).
  public let applicationID: Int32
  /// The version of the schema (`PRAGMA user_version`).
  public let version: Int32

  /// Describes a database.
  public init(
    tables: [TableDescription], keyUnions: [KeyUnionDescription] = [],
    derivedTables: [DerivedTableDescription] = [], views: [ViewDescription] = [],
    applicationID: Int32, version: Int32
  ) {
    self.tables = tables
    self.keyUnions = keyUnions
    self.derivedTables = derivedTables
    self.views = views
    self.applicationID = applicationID
    self.version = version
  }

  /// All tables that are derived from others, in the order in which they are filled.
  package var allDerivedTables: [TableDescription] {
    keyUnions.map(\.table) + derivedTables.map(\.table) + aggregates.flatMap(\.allTables)
  }

  /// Throws when one of the descriptions has faults, which the message names.
  package func validate() throws(SQLiteError) {
    for table in tables + allDerivedTables { try table.validate() }
    for union in keyUnions {
      let faults = union.faults(among: tables)
      guard faults.isEmpty else {
        throw SQLiteError(
          misdescribed: "key union \(written(identifier: union.name))", faults)
      }
    }
    for table in derivedTables + aggregates.flatMap(\.derivedTables) { try table.validateQuery() }
    for aggregate in aggregates { try aggregate.validate(among: tables) }
    for view in views { try view.validate() }
    var names: Set<[UInt8]> = []
    let twofold = (tables.map(\.name) + allDerivedTables.map(\.name) + views.map(\.name))
      .filter { !names.insert(foldedName($0)).inserted }
    guard twofold.isEmpty else {
      throw SQLiteError(
        misdescribed: "schema",
        twofold.map { "two tables or views have the name \(written(identifier: $0))" })
    }
  }
}

/// A table with one column that holds the keys of several tables, each once.
///
/// A foreign key can refer to it where a row may belong to any of those tables.
///
/// ```swift
/// let numbers = KeyUnionDescription(
///   "set_nums", column: "set_num", type: .text,
///   members: [.init("sets", "set_num"), .init("minifigs", "fig_num")])
/// ```
public struct KeyUnionDescription: Hashable, Sendable {
  /// The table's name.
  public let name: String
  /// Its one column, which is its primary key.
  public let column: String
  /// What the keys are.
  public let type: ColumnDescription.DataType
  /// The tables whose keys it holds, each with the one column of its key.
  public let members: [Member]

  /// Describes a union.
  public init(
    _ name: String, column: String, type: ColumnDescription.DataType, members: [Member]
  ) {
    self.name = name
    self.column = column
    self.type = type
    self.members = members
  }

  /// A table that takes part in a union.
  public struct Member: Hashable, Sendable {
    /// The table's name.
    public let table: String
    /// The column of its primary key.
    public let keyColumn: String

    /// Names a table and the column of its key.
    public init(_ table: String, _ keyColumn: String) {
      self.table = table
      self.keyColumn = keyColumn
    }
  }

  /// The table itself.
  package var table: TableDescription {
    TableDescription(name, columns: [ColumnDescription(column, type)], primaryKey: [column])
  }

  /// What is wrong with the members, which must be among some tables.
  fileprivate func faults(among tables: [TableDescription]) -> [String] {
    guard !members.isEmpty else { return ["there are no tables whose keys it holds"] }
    var faults: [String] = []
    var seen: Set<[[UInt8]]> = []
    for member in members {
      let table = written(identifier: member.table)
      let column = written(identifier: member.keyColumn)
      if let described = tables.first(where: { haveSameBytes($0.name, member.table) }) {
        if described.columnIndex(member.keyColumn) == nil {
          faults.append("\(table) has no column \(column)")
        }
      } else {
        faults.append("there is no table \(table)")
      }
      if !seen.insert([Array(member.table.utf8), Array(member.keyColumn.utf8)]).inserted {
        faults.append("it has the key \(column) of \(table) twice")
      }
    }
    return faults
  }

  /// The statement that fills it, in the order of its key.
  package var filling: SQL {
    let selects = members.map {
      "SELECT \(quoted(identifier: $0.keyColumn)) FROM \(quoted(identifier: $0.table))"
    }
    return SQL(
      generated: "INSERT INTO \(quoted(identifier: name)) "
        + selects.joined(separator: " UNION ") + " ORDER BY 1")
  }
}

/// A view: a name for a query.
///
/// ```swift
/// let long = ViewDescription("long_words", "SELECT word FROM words WHERE length(word) > 10")
/// let schema = SchemaDescription(tables: [words], views: [long], applicationID: 1, version: 1)
/// ```
public struct ViewDescription: Sendable {
  /// The view's name.
  public let name: String
  /// The query, without values.
  public let query: SQL

  /// Describes a view.
  public init(_ name: String, _ query: SQL) {
    self.name = name
    self.query = query
  }

  /// What is wrong with the description, in words; empty if nothing is.
  public var faults: [String] {
    nameFaults(name, empty: "the view has no name")
      + (query.values.isEmpty ? [] : ["the query has values, which a view cannot hold"])
  }

  /// Throws when the description has faults, which the message names.
  package func validate() throws(SQLiteError) {
    guard !faults.isEmpty else { return }
    throw SQLiteError(misdescribed: "view \(written(identifier: name))", faults)
  }

  /// The `CREATE VIEW`.
  package var creation: SQL {
    get throws(SQLiteError) {
      try validate()
      return SQL(generated: "CREATE VIEW \(quoted(identifier: name)) AS\n\(query.text)")
    }
  }
}
