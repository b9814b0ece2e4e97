import SQLiteSwiftly
import SQLiteSwiftlyData
import Schema
import TestSupport
import Testing

/// The examples in the comments of descriptions, migrations and helpers of tables.
struct DocumentationSchemaTests {
  typealias Team = DocumentationCommentTests.Team
  typealias TeamHelper = DocumentationCommentTests.TeamHelper

  private let themes = TableDescription(
    "themes",
    columns: [
      ColumnDescription("id", .integer), ColumnDescription("name", .text),
      ColumnDescription("parent_id", .integer, isNullable: true),
    ],
    primaryKey: ["id"])

  @Test func `the examples of descriptions`() throws {
    let connection = try Connection.inMemory()

    let rgb = ColumnDescription("rgb", .text, domain: .hexadecimalDigits(6))
    let year = ColumnDescription("year", .integer, isNullable: true, domain: .within(1900...2199))
    let isSpare = ColumnDescription("is_spare", .boolean, defaultValue: 0)

    let number = ColumnDescription(
      "set_num", .text, meaning: "The set's number, with a dash and the variant.", since: "2017",
      example: "8880-1")

    let columns = TableDescription(
      "columns", columns: [rgb, year, isSpare, number], primaryKey: [])

    let sets = TableDescription(
      "sets",
      columns: [
        ColumnDescription("set_num", .text, domain: .singleLine),
        ColumnDescription("theme_id", .integer, isNullable: true),
      ],
      primaryKey: ["set_num"],
      foreignKeys: [ForeignKeyDescription("theme_id", references: "themes", "id")],
      indexes: [["theme_id"]])

    let theme = ForeignKeyDescription("theme_id", references: "themes", "id")
    let set = ForeignKeyDescription(
      ["set_num", "version"], references: "inventories", ["set_num", "version"])

    try connection.createTable(describedBy: sets, withIndexes: false)
    try connection.execute("INSERT INTO sets VALUES ('8880-1', NULL)")
    try connection.createIndexes(describedBy: sets)

    #expect(columns.faults.isEmpty)
    #expect(sets.foreignKeys == [theme])
    #expect(set.keyColumns.count == 2)
    #expect(try schemaExamples(sets) == ["set_num", "theme_id"])
  }

  private func schemaExamples(_ sets: TableDescription) throws -> [String] {
    let themes = themes

    let schema = SchemaDescription(
      tables: [themes, sets],
      views: [ViewDescription("roots", "SELECT * FROM themes WHERE parent_id IS NULL")],
      applicationID: 0x4C45_474F, version: 1)

    let numbers = KeyUnionDescription(
      "set_nums", column: "set_num", type: .text,
      members: [
        .init("sets", "set_num", reference: "of_set"),
        .init("minifigs", "fig_num", reference: "of_minifig"),
      ])

    let longest = ViewDescription(
      "longest_words", "SELECT word FROM words ORDER BY length(word) DESC LIMIT 10",
      columns: [ColumnDescription("word", .text, meaning: "The word.", example: "baseplate")],
      meaning: "The ten longest words.")

    #expect(numbers.members.count == 2 && longest.faults == [])
    let connection = try Connection.inMemory()
    for table in schema.tables { try connection.createTable(describedBy: table) }
    var messages: [String] = []
    var names: [String] = []

    for difference in try connection.differences(fromTable: sets) {
      messages.append(difference.description)
    }
    #expect(messages.isEmpty)

    let isCurrent = try connection.differences(from: schema).isEmpty
    #expect(!isCurrent)

    if let table = try connection.schema(ofTable: "sets") {
      names = table.columns.map(\.name)
    }
    return names
  }

  @Test func `the examples of migrations`() throws {
    let connection = try Connection.inMemory()

    let applied = try connection.migrate([
      Migration(to: 1, "parts", "CREATE TABLE parts (part_num TEXT PRIMARY KEY, name TEXT)"),
      Migration(to: 2, "materials", "ALTER TABLE parts ADD COLUMN material TEXT"),
    ])

    let trimming = Migration(to: 3, "names without blanks") { connection throws(SQLiteError) in
      try connection.execute("UPDATE parts SET name = trim(name)")
    }

    #expect(applied.map(\.version) == [1, 2])
    #expect(trimming.version == 3)
  }

  @Test func `the examples of a store and of its helpers`() throws {
    try withFolder { folder in
      let path = folder + "/teams.sqlite"

      let store = DataStore(path)
      let teams = TeamHelper(store: store)
      try store.createTables([teams])

      let id = try teams.insert(Team(city: "Boston"))
      let boston = try teams.find(id)

      let found = try teams.find(where: ["city": "Boston"])

      let alike = try teams.find(like: Team(city: "Boston"))

      try teams.delete(Team(id: id))
      let rest = try teams.findAll()

      #expect(boston == Team(id: id, city: "Boston"))
      #expect(found == [Team(id: id, city: "Boston")])
      #expect(alike == found)
      #expect(rest.isEmpty)
      #expect(try missingColumn(teams) == "city")
    }
  }

  private func missingColumn(_ teams: TeamHelper) throws -> String {
    var missing = ""

    do throws(DataAccessError) {
      try teams.insert(Team(city: nil))
    } catch {
      guard case .nilInData(let column) = error else { throw error }
      missing = column
    }

    return missing
  }

  @Test func `a search over two tables`() throws {
    let sets = TableDescription(
      "sets",
      columns: [ColumnDescription("set_num", .text), ColumnDescription("name", .text)],
      primaryKey: ["set_num"])

    let search = SearchDescription(
      "search",
      columns: [.init("kind"), .init("name", weight: 10), .init("number", weight: 100)],
      excerptOf: "name",
      entries: [
        "SELECT 'set', name, set_num FROM sets ORDER BY set_num",
        "SELECT 'theme', name, NULL FROM themes ORDER BY id",
      ])
    let schema = SchemaDescription(
      tables: [themes, sets], search: search, applicationID: 0x4C45_474F, version: 1)

    #expect(search.faults == [])
    #expect(schema.search?.columns.count == 3)
  }

  @Test func `a table is filled by a query`() throws {
    let words = TableDescription(
      "words", columns: [ColumnDescription("word", .text)], primaryKey: ["word"])

    let lengths = DerivedTableDescription(
      TableDescription(
        "lengths",
        columns: [ColumnDescription("length", .integer), ColumnDescription("words", .integer)],
        primaryKey: ["length"]),
      filledBy: "SELECT length(word), count(*) FROM words GROUP BY 1 ORDER BY 1")
    let schema = SchemaDescription(
      tables: [words], derivedTables: [lengths], applicationID: 1, version: 1)

    #expect(schema.derivedTables.map(\.table.name) == ["lengths"])
    let connection = try Connection.inMemory()
    for table in [words, lengths.table] { try connection.createTable(describedBy: table) }
    try connection.execute("INSERT INTO words VALUES ('a'), ('b'), ('cde')")
    try connection.execute("INSERT INTO lengths \(sql: lengths.query)")
    let rows = try connection.query("SELECT length, words FROM lengths", as: (Int, Int).self)
    #expect(rows.map { "\($0.0) \($0.1)" } == ["1 2", "3 1"])
  }
}
