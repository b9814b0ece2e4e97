public import SQLiteSwiftly

/// The schema of a database: its tables, derived tables and views.
///
/// ```swift
/// let schema = SchemaDescription(
///   tables: [themes, sets],
///   views: [ViewDescription("roots", "SELECT * FROM themes WHERE parent_id IS NULL")],
///   applicationID: 0x4C45_474F, version: 1)
/// ```
public struct SchemaDescription: Sendable {
  /// The tables; every table must follow the tables that it refers to.
  public package(set) var tables: [TableDescription]
  /// The sources of each table's records, in the order of `tables`.
  package var sources: [SourceDescription]
  /// Derived tables of keys.
  public let keyUnions: [KeyUnionDescription]
  /// Other derived tables, each filled by a query after all tables before it.
  public let derivedTables: [DerivedTableDescription]
  /// Statistics, filled after all other derived tables; nil if there are none.
  package var statistics: StatisticsDescription?
  /// Views.
  public let views: [ViewDescription]
  /// A full-text search; nil if there is none.
  public let search: SearchDescription?
  /// The number that identifies files of this schema (`PRAGMA application_id`).
  public let applicationID: Int32
  /// The version of the schema (`PRAGMA user_version`).
  public let version: Int32
  /// Whether the types of columns were inferred from earlier files, so that a run may widen them.
  package var hasInferredTypes = false
  /// The large table that Citus distributes over the nodes of a cluster; nil for none.
  package var distributed: DistributedTable?

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

  package var allDerivedTables: [TableDescription] {
    keyUnions.map(\.table) + queriedTables.map(\.table)
  }

  /// The derived tables other than key unions, in the order in which they are filled.
  package var queriedTables: [DerivedTableDescription] {
    derivedTables + (statistics?.allTables ?? [])
  }

  /// The columns of a table whose values are counts that move a little from file to file.
  package func counters(ofTable index: Int) -> Set<String> {
    Set(zip(tables[index].columns, sources[index].formats).filter(\.1.isCounter).map(\.0.name))
  }

  /// Marks columns of a table as such counts.
  package mutating func setCounters(_ names: Set<String>, ofTable table: String) {
    guard let index = tables.firstIndex(where: { haveSameBytes($0.name, table) }) else { return }
    for (column, description) in tables[index].columns.enumerated()
    where names.contains(description.name) { sources[index].formats[column].isCounter = true }
  }

  package func validate() throws(SQLiteError) {
    for table in tables + allDerivedTables { try table.validate() }
    for (table, source) in zip(tables, sources) {
      let faults = zip(table.columns, source.formats).flatMap { $1.faults(for: $0) }
      try refuse(faults, in: "table \(written(identifier: table.name))")
    }
    for union in keyUnions {
      try refuse(union.faults(among: tables), in: "key union \(written(identifier: union.name))")
    }
    for table in queriedTables { try table.validateRows() }
    try refuse(statistics?.faults(among: tables) ?? [], in: "statistics")
    for view in views { try view.validate() }
    try search?.validate()
    var names: Set<[UInt8]> = []
    let searchNames = search.map { [$0.name] + $0.tableNames } ?? []
    let all = tables.map(\.name) + allDerivedTables.map(\.name) + views.map(\.name) + searchNames
    let duplicates = all.filter { !names.insert(foldedName($0)).inserted }
    try refuse(
      duplicates.map { "two tables or views are named \(written(identifier: $0))" }, in: "schema")
  }

  /// All tables and views, in the order in which they are described.
  package var describedTables: [DescribedTable] {
    (tables + allDerivedTables).map(DescribedTable.init) + views.map(DescribedTable.init)
  }
}

/// A view: a named query.
///
/// Its columns and rows can be documented, which does not affect the view.
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
  /// The documented columns, in the query's order and with its names; empty if undocumented.
  public let columns: [ColumnDescription]
  /// The meaning of a row, in sentences for readers of the view; nil if undocumented.
  public let meaning: String?

  /// Describes a view.
  public init(
    _ name: String, _ query: SQL, columns: [ColumnDescription] = [], meaning: String? = nil
  ) {
    self.name = name
    self.query = query
    self.columns = columns
    self.meaning = meaning
  }

  /// The faults of the description, as messages; empty if there are none.
  public var faults: [String] {
    nameFaults(name, empty: "the view has no name")
      + (query.values.isEmpty ? [] : ["the query must not have values"])
  }

  package func validate() throws(SQLiteError) {
    try refuse(faults, in: "view \(written(identifier: name))")
  }

  package var creation: SQL {
    get throws(SQLiteError) {
      try validate()
      return SQL(generated: "CREATE VIEW \(quoted(identifier: name)) AS\n\(query.text)")
    }
  }
}

package struct DescribedTable: Sendable {
  package let name: String
  package let meaning: String?
  package let since: String?
  package let columns: [ColumnDescription]
  package let table: TableDescription?

  package init(_ table: TableDescription) {
    name = table.name
    meaning = table.meaning
    since = table.since
    columns = table.columns
    self.table = table
  }

  package init(_ view: ViewDescription) {
    name = view.name
    meaning = view.meaning
    since = nil
    columns = view.columns
    table = nil
  }

  package func mayBeNull(_ column: ColumnDescription) -> Bool {
    table.map { !$0.requires(column) } ?? column.isNullable
  }
}

extension ColumnDescription {
  /// The allowed values besides NULL, for readers; nil if all values of the type are allowed.
  package var domainText: String? {
    if domain != nil { return expectation }
    if type == .boolean { return "0 or 1" }
    return knownValues.isEmpty ? nil : knownValues.joined(separator: ", ") + "; others are possible"
  }
}

extension ColumnDescription.DataType {
  package var name: String { "\(self)" }
}

extension SQLiteValue {
  package var plainText: String { textValue ?? literal }
}

/// A table whose rows the nodes of a Citus cluster share by the values of a column.
package struct DistributedTable: Equatable, Sendable {
  package let table: String
  package let column: String

  package init(table: String, column: String) {
    self.table = table
    self.column = column
  }
}

extension Connection {
  /// Compares the main database with its description; empty if they match.
  ///
  /// All tables are compared, including those of key unions, and the queries of all views, ignoring blanks and
  /// comments. Tables, views and triggers that are not described are differences, except for SQLite's own and the table
  /// of migrations. A search is optional; if it exists, its view and index are compared.
  ///
  /// - Throws: `SQLiteError` with `misuse` if a description has faults, or an error of SQLite.
  public func differences(
    from description: SchemaDescription
  ) throws(SQLiteError) -> [SchemaDifference] {
    try description.validate()
    let tables = description.tables + description.allDerivedTables
    var list = DifferenceList()
    list.compare(.applicationID, "\(try value(of: .applicationID))", "\(description.applicationID)")
    list.compare(.version, "\(try value(of: .userVersion))", "\(description.version)")
    for table in tables { list.differences += try differences(fromTable: table) }
    let search = try search(in: description)
    let views = description.views + (search.map { [$0.view] } ?? [])
    try compare(views, &list)
    try compare(
      tables: tables.map(\.name) + (search?.tableNames ?? []), views: views.map(\.name), &list)
    return list.differences
  }

  package func search(
    in description: SchemaDescription
  ) throws(SQLiteError) -> SearchDescription? {
    guard let search = description.search, try hasSearch(search) else { return nil }
    return search
  }

  private func compare(
    _ views: [ViewDescription], _ list: inout DifferenceList
  ) throws(SQLiteError) {
    for view in views {
      list.table = view.name
      let found = try value(
        of: """
          SELECT sql FROM main.sqlite_schema
          WHERE type = 'view' AND name = \(view.name) COLLATE NOCASE
          """)
      guard let text = found?.textValue else {
        list.compare(.view, nil, written(identifier: view.name))
        continue
      }
      let expected = try view.creation.text
      if haveSameBytes(text, expected) { continue }
      // A query that cannot be compiled reads objects that do not exist.
      let (name, query) = (quoted(identifier: view.name), view.query.text)
      let programs = [name, "(\(query))"].map { source in
        try? program(of: SQL(generated: "SELECT * FROM \(source)"))
      }
      if programs[0] == nil || programs[0] != programs[1] { list.compare(.query, text, expected) }
    }
  }

  private func compare(
    tables: [String], views: [String], _ list: inout DifferenceList
  ) throws(SQLiteError) {
    let known = [
      "table": Set(tables.map(foldedName)), "view": Set(views.map(foldedName)), "trigger": [],
    ]
    let rows = try query(
      """
      SELECT type, name, tbl_name FROM main.sqlite_schema
      WHERE type <> 'index' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        AND name <> \(Self.tableOfMigrations) ORDER BY type, name
      """)
    for row in rows {
      let (kind, name) = (row[0].textValue ?? "", row[1].textValue ?? "")
      guard let property = SchemaDifference.Property(rawValue: kind),
        !(known[kind]?.contains(foldedName(name)) ?? false)
      else { continue }
      list.table = row[2].textValue
      list.compare(property, written(identifier: name), nil)
    }
  }
}
