public import SQLiteSwiftly

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
  public package(set) var tables: [TableDescription]
  /// Where the records of each table are, and how they are written; in the order of `tables`.
  package var sources: [SourceDescription]
  /// Derived tables of keys.
  public let keyUnions: [KeyUnionDescription]
  /// Other tables that are derived from those, each filled by a query once all that come before it are filled.
  public let derivedTables: [DerivedTableDescription]
  /// Statistics of the tables, filled after all other derived tables.
  package var aggregates: [AggregateDescription] = []
  /// Views.
  public let views: [ViewDescription]
  /// A full-text search; nil if there is none.
  public let search: SearchDescription?
  /// The number by which a file of this schema is known (`PRAGMA application_id`).
  public let applicationID: Int32
  /// The version of the schema (`PRAGMA user_version`).
  public let version: Int32

  /// Describes a database.
  public init(
    tables: [TableDescription], keyUnions: [KeyUnionDescription] = [],
    derivedTables: [DerivedTableDescription] = [], views: [ViewDescription] = [],
    search: SearchDescription? = nil, applicationID: Int32, version: Int32
  ) {
    self.tables = tables
    sources = tables.map(SourceDescription.init)
    self.keyUnions = keyUnions
    self.derivedTables = derivedTables
    self.views = views
    self.search = search
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
    for (table, source) in zip(tables, sources) {
      let faults = zip(table.columns, source.formats).flatMap { $1.faults(for: $0) }
      guard faults.isEmpty else {
        throw SQLiteError(misdescribed: "table \(written(identifier: table.name))", faults)
      }
    }
    for union in keyUnions {
      let faults = union.faults(among: tables)
      guard faults.isEmpty else {
        throw SQLiteError(
          misdescribed: "key union \(written(identifier: union.name))", faults)
      }
    }
    for table in derivedTables + aggregates.flatMap(\.derivedTables) { try table.validateRows() }
    for aggregate in aggregates { try aggregate.validate(among: tables) }
    for view in views { try view.validate() }
    try search?.validate()
    var names: Set<[UInt8]> = []
    let searchNames = search.map { [$0.name] + $0.tableNames } ?? []
    let all = tables.map(\.name) + allDerivedTables.map(\.name) + views.map(\.name) + searchNames
    let twofold = all.filter { !names.insert(foldedName($0)).inserted }
    guard twofold.isEmpty else {
      throw SQLiteError(
        misdescribed: "schema",
        twofold.map { "two tables or views have the name \(written(identifier: $0))" })
    }
  }
}

/// A view: a name for a query.
///
/// ```swift
/// let long = ViewDescription("long_words", "SELECT word FROM words WHERE length(word) > 10")
/// let schema = SchemaDescription(tables: [words], views: [long], applicationID: 1, version: 1)
/// ```
///
/// What it shows can be explained, which makes no difference to the view:
///
/// ```swift
/// let longest = ViewDescription(
///   "longest_words", "SELECT word FROM words ORDER BY length(word) DESC LIMIT 10",
///   columns: [ColumnDescription("word", .text, meaning: "The word.", example: "baseplate")],
///   meaning: "The ten longest words.")
/// ```
public struct ViewDescription: Sendable {
  /// The view's name.
  public let name: String
  /// The query, without values.
  public let query: SQL
  /// The columns as their readers are told of them; empty if nobody has explained them.
  public let columns: [ColumnDescription]
  /// What a row of the view is, in sentences for those who read it; nil if nobody has explained it.
  public let meaning: String?

  /// Describes a view.
  ///
  /// - Parameters:
  ///   - name: the view's name.
  ///   - query: the query, without values.
  ///   - columns: the columns, in the query's order and by its names, to be explained.
  ///   - meaning: what a row is, in words.
  public init(
    _ name: String, _ query: SQL, columns: [ColumnDescription] = [], meaning: String? = nil
  ) {
    self.name = name
    self.query = query
    self.columns = columns
    self.meaning = meaning
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
