import Vocabulary
@testable import SQLiteDestination
import Foundation
import SQLiteSwiftly
import Schema
import Testing
@testable import Provenance

/// A run makes the search that the schema describes.
@Suite struct SearchTests {
  private static let search = SearchDescription(
    "find",
    columns: [.init("kind"), .init("name", weight: 10), .init("more", weight: 1, isHidden: true)],
    excerptOf: "name",
    entries: [
      "SELECT 'node', name, parent FROM nodes ORDER BY name",
      "SELECT 'label', label, NULL FROM labels ORDER BY label",
    ])

  private static func schema(
    _ search: SearchDescription? = search, views: [ViewDescription] = []
  ) -> SchemaDescription {
    SchemaDescription(
      tables: Family.schema.tables, keyUnions: Family.schema.keyUnions, views: views,
      search: search, applicationID: Family.schema.applicationID, version: Family.schema.version)
  }

  private static func search(of entries: SQL...) -> SearchDescription {
    SearchDescription(
      search.name, columns: search.columns, excerptOf: search.excerptColumn, entries: entries)
  }

  private static let names = ["nodes.csv": "name,parent\nroot,\nleaf,root\nÉcole du Thé,root\n"]

  /// How a catalog differs from the schema, apart from what says where it came from.
  private func differences(of connection: Connection) throws -> [SchemaDifference] {
    try connection.differences(from: Self.schema())
      .filter { $0.table?.hasPrefix(provenancePrefix) != true }
  }

  @Test func `what is in the tables is found`() throws {
    let workplace = try Family.workplace(Self.names)
    let report = try #require(load(workplace, Self.schema()).report)
    let search = try #require(report.search)
    #expect(search.entries == 4 && search.bytes > 0 && search.seconds > 0)
    // It is built, and then copied into the file.
    #expect(report.stages.filter { $0.stage == .search }.count == 2)
    let found = { (question: String) in
      try workplace.rows(
        "SELECT kind, name, snippet FROM find WHERE find MATCH \(question) ORDER BY rank")
    }
    for question in ["ecole", "ÉCOLE", "eco*", "\"du the\"", "e\u{301}cole"] {
      let first = try found(question).first
      #expect(first?.hasPrefix("'node'|'École du Thé'|'") == true, "\(question)")
    }
    #expect(try found("the") == ["'node'|'École du Thé'|'École du [Thé]'"])
    // As those do who ask nothing.
    #expect(
      try workplace.rows(
        "SELECT snippet AS value, count(*) FROM (SELECT * FROM find) WHERE value = 'École du Thé' GROUP BY value"
      )
        == ["'École du Thé'|1"])
    #expect(
      try found("root").map { $0.prefix(13) } == [
        "'node'|'root'", "'node'|'leaf'", "'node'|'École",
      ])
    #expect(try found("nothing").isEmpty)
    #expect(try workplace.rows("SELECT * FROM find_index_idx").count == 1, "one segment")
    #expect(
      try workplace.rows("SELECT term, doc FROM find_words WHERE term = 'root'") == ["'root'|3"])
    let connection = try Connection(workplace.output, opening: .readOnly)
    #expect(try differences(of: connection).isEmpty)
  }

  /// Such a search is built when what it reads is complete, the others before.
  @Test func `a union and a view are searched as tables are`() throws {
    let names = "SELECT name FROM names"
    let view = ViewDescription("shown", SQL(generated: names + " ORDER BY name DESC"))
    let searches = [
      Self.search(of: "SELECT 'any', name, NULL FROM names ORDER BY name"),
      Self.search(
        of: "SELECT 'any', name, NULL FROM nodes ORDER BY name",
        "SELECT 'any', name, NULL FROM shown WHERE name NOT IN (SELECT name FROM nodes)"),
    ]
    for search in searches {
      let workplace = try Family.workplace(Self.names)
      let report = try #require(load(workplace, Self.schema(search, views: [view])).report)
      #expect(report.search?.entries == 4)
      let rows = try workplace.rows("SELECT name FROM find_entries ORDER BY name")
      #expect(try rows == workplace.rows(SQL(generated: names + " ORDER BY name")))
      #expect(
        try workplace.rows("SELECT name FROM find WHERE find MATCH 'the'") == [
          "'École du Thé'"
        ])
      let connection = try Connection(workplace.output, opening: .openExisting)
      try connection.checkSearch(search)
    }
  }

  /// The index of a derived table is created while the search is built from it.
  @Test func `a derived table with an index is searched`() throws {
    let table = TableDescription(
      "made", columns: [ColumnDescription("name", .text), ColumnDescription("size", .integer)],
      primaryKey: ["name"], indexes: [["size"]])
    let search = Self.search(of: "SELECT 'made', name, NULL FROM made ORDER BY name")
    let schema = SchemaDescription(
      tables: Family.schema.tables, keyUnions: Family.schema.keyUnions,
      derivedTables: [
        DerivedTableDescription(
          table, filledBy: "SELECT name, length(name) FROM nodes ORDER BY name")
      ], search: search, applicationID: 1, version: 1)
    let names = (0..<20_000).map { "name \($0 * 7919 % 20_000)" }
    let workplace = try Family.workplace([
      "nodes.csv": "name,parent\n" + names.map { "\($0),\n" }.joined(),
      "things.csv": "id,node,size,kind,is_new,code\n", "owners.csv": "owner,of,rank\n",
    ])
    let outcome = load(workplace, schema)
    #expect(outcome.report?.search?.entries == 20_000)
    let connection = try Connection(workplace.output, opening: .openExisting)
    #expect(try connection.faults(.full) == [])
    try connection.checkSearch(search)
    #expect(
      try workplace.rows("SELECT count(*) FROM made INDEXED BY made_size WHERE size = 10")
        == ["10000"])
  }

  @Test(arguments: [
    ("SELECT 'node', name, parent FROM nowhere", "no such table: nowhere"),
    ("SELECT 'node', abs(-9223372036854775808), 1", "integer overflow"),
    ("SELECT 'node', name FROM nodes", "2 values for 3 columns"),
  ])
  func `a query that fails ends the run`(query: String, message: String) throws {
    let workplace = try Family.workplace()
    let names = Set(try workplace.names)
    let outcome = load(workplace, Self.schema(Self.search(of: SQL(generated: query))))
    #expect(outcome.error?.message.contains(message) == true && outcome.report == nil)
    #expect(Set(try workplace.names) == names)
  }

  @Test func `a derived table that fails ends a run with a search`() throws {
    let table = TableDescription(
      "sums", columns: [ColumnDescription("sum", .integer)], primaryKey: ["sum"])
    let schema = SchemaDescription(
      tables: Family.schema.tables, keyUnions: Family.schema.keyUnions,
      derivedTables: [
        DerivedTableDescription(table, filledBy: "SELECT abs(-9223372036854775808) FROM nodes")
      ], search: Self.search, applicationID: 1, version: 1)
    let workplace = try Family.workplace()
    let names = Set(try workplace.names)
    let outcome = load(workplace, schema)
    #expect(outcome.error?.message.contains("integer overflow") == true)
    #expect(Set(try workplace.names) == names)
  }

  @Test func `equal dumps give equal bytes`() throws {
    let bytes = try (0..<2).map { _ in
      let workplace = try Family.workplace(Self.names)
      #expect(load(workplace, Self.schema()).error == nil)
      return try Data(contentsOf: URL(fileURLWithPath: workplace.output))
    }
    #expect(bytes[0] == bytes[1])
  }

  @Test func `a run without it is like one of a schema without it`() throws {
    let workplace = try Family.workplace()
    let report = load(workplace, Self.schema()) { $0.hasSearch = false }.report
    #expect(report != nil && report?.search == nil)
    let without = try Data(contentsOf: URL(fileURLWithPath: workplace.output))
    // The catalog says with which options it was made.
    #expect(load(workplace, Self.schema(nil)) { $0.hasSearch = false }.error == nil)
    #expect(try Data(contentsOf: URL(fileURLWithPath: workplace.output)) == without)
    let connection = try Connection(workplace.output, opening: .readOnly)
    #expect(try differences(of: connection).isEmpty)
  }

  /// Whether a catalog has a search is the operator's decision, and no change of what was in the dumps.
  @Test(arguments: [true, false])
  func `it is no difference from the catalog of before`(isAdded: Bool) throws {
    let workplace = try Family.workplace()
    #expect(load(workplace, Self.schema()) { $0.hasSearch = !isAdded }.error == nil)
    let outcome = load(workplace, Self.schema()) { $0.hasSearch = isAdded }
    let changes = try #require(outcome.report?.changes)
    #expect(changes.tables.map(\.name) == Family.schema.tables.map(\.name))
    #expect(changes.tables.allSatisfy { $0.keys == .init() })
    #expect(outcome.warnings == [])
  }

  /// Objects of those names that another has made are not taken for those of a search.
  @Test func `another's objects of its names are lost with a word`() throws {
    let workplace = try Family.workplace()
    #expect(load(workplace, Self.schema(nil)).error == nil)
    try workplace.changeOutput("CREATE VIEW find AS SELECT 1")
    let outcome = load(workplace, Self.schema()) { $0.hasSearch = false }
    #expect(outcome.warnings.map(\.code) == [.objectsLost])
    #expect(outcome.warnings.first?.message.hasSuffix(": view find") == true)
  }

  @Test func `a library that cannot make it is told of, and all else is published`() throws {
    var search = Self.search
    search.module = "fts9"
    let outcome = load(try Family.workplace(), Self.schema(search))
    #expect(outcome.report != nil && outcome.report?.search == nil)
    #expect(outcome.warnings.map(\.code) == [.searchAbsent])
    #expect(outcome.warnings.first?.message.contains("was built without FTS9") == true)
  }

  @Test(arguments: [
    "UPDATE find_entries SET name = 'leaves' WHERE name = 'leaf'",
    "DELETE FROM find_entries WHERE name = 'leaf'",
    "DELETE FROM find_index_data WHERE id > 10",
    "DELETE FROM find_index_docsize WHERE id = 1",
  ])
  func `the verifier finds an index that does not match the words`(change: String) throws {
    let workplace = try Family.workplace()
    #expect(load(workplace, Self.schema()).error == nil)
    let connection = try Connection(workplace.output, opening: .openExisting)
    try connection.checkSearch(Self.search)
    try connection.execute(SQL(generated: change))
    let error = #expect(throws: SQLiteError.self) { try connection.checkSearch(Self.search) }
    #expect(error?.code == .corrupt)
  }

  /// A name may be anything that a dump can hold.
  @Test func `no name keeps the index from being made`() throws {
    let names = [
      "\u{200B}", "\u{FEFF}x", "'\"*^:-(", "NEAR(AND OR", "x\u{301}\u{302}", "日本語", "  ",
    ]
    let records = names.map { "\"\($0.replacing("\"", with: "\"\""))\"," }
    let workplace = try Family.workplace([
      "nodes.csv": "name,parent\nroot,\nleaf,root\n" + records.joined(separator: "\n") + "\n"
    ])
    let outcome = load(workplace, Self.schema())
    #expect(outcome.error == nil && outcome.rejects == [])
    #expect(outcome.report?.search?.entries == names.count + 3)
    let found = try workplace.rows("SELECT name FROM find WHERE find MATCH '日本語'")
    #expect(found == ["'日本語'"])
  }
}

/// What is wrong with the description of a search is said before anything is made.
@Suite struct SearchDescriptionTests {
  private typealias Column = SearchDescription.Column

  private static let faulty: [(search: SearchDescription, fault: String)] = [
    (search("", [Column("a", weight: 1)]), "the search has no name"),
    (search("s", [Column("b", weight: 1)]), "no column a for the excerpt"),
    (search("s", [Column("a")]), "no column has a weight"),
    (search("s", [Column("a", weight: 1), Column("Rank")]), "two columns are named Rank"),
    (search("s", [Column("a", weight: 1), Column("S")]), "two columns are named S"),
    (search("s", [Column("a", weight: 1), Column("A")]), "two columns are named A"),
    (search("s", [Column("a", weight: 1), Column("")]), "a column has no name"),
    (search("s", [Column("a", weight: 1)], []), "there are no queries for entries"),
    (search("s", [Column("a", weight: 1)], ["SELECT \(1)"]), "a query must not have values"),
  ]

  private static func search(
    _ name: String, _ columns: [Column], _ entries: [SQL] = ["SELECT 1"]
  ) -> SearchDescription {
    SearchDescription(name, columns: columns, excerptOf: "a", entries: entries)
  }

  @Test(arguments: faulty.indices)
  func `faults are named`(index: Int) throws {
    let (search, fault) = Self.faulty[index]
    #expect(search.faults == [fault])
    let schema = SchemaDescription(
      tables: [Family.labels], search: search, applicationID: 1, version: 1)
    let error = #expect(throws: SQLiteError.self) { try schema.validate() }
    #expect(error?.code == .misuse && error?.message.contains(fault) == true)
  }

  @Test func `its names are not those of tables`() throws {
    let search = Self.search("label", [Column("a", weight: 1)])
    let table = TableDescription(
      "LABEL_index", columns: [ColumnDescription("a", .text)], primaryKey: ["a"])
    let schema = SchemaDescription(tables: [table], search: search, applicationID: 1, version: 1)
    let error = #expect(throws: SQLiteError.self) { try schema.validate() }
    #expect(error?.message.contains("two tables or views are named label_index") == true)
  }
}
