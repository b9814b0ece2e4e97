import SQLiteSwiftly
import SQLiteSwiftlyData
import Testing

/// The examples of helpers of tables, of scripts and of bulk inserts.
struct DocumentationWritingTests {
  struct Theme: Equatable {
    var id: Int
    var name: String
    var parent: Int?
  }

  private static let themes = TableDescription(
    "themes",
    columns: [
      ColumnDescription("id", .integer), ColumnDescription("name", .text),
      ColumnDescription("parent_id", .integer, isNullable: true),
    ],
    primaryKey: ["id"])

  struct ThemeHelper: DataHelper {
    static let table = themes
    static let choosesKeys = false
    let store: DataStore

    static func values(of theme: Theme) -> [(any SQLiteValueConvertible)?] {
      [theme.id, theme.name, theme.parent]
    }

    static func model(from row: TableRow) throws(SQLiteError) -> Theme {
      Theme(
        id: try row.value("id"), name: try row.value("name"),
        parent: try row.value("parent_id"))
    }
  }

  private func makeConnection() throws -> Connection {
    let connection = try Connection.inMemory()
    try connection.createTable(describedBy: Self.themes)
    return connection
  }

  @Test func `the examples of a helper whose models have their keys`() throws {
    let themes = ThemeHelper(store: DataStore(try makeConnection()))

    try themes.upsert(Theme(id: 1, name: "Technic"))
    try themes.upsert(Theme(id: 1, name: "Technic, renamed"))

    try themes.insert(all: [Theme(id: 2, name: "Arctic"), Theme(id: 3, name: "Castle")])

    #expect(try themes.findAll().map(\.name) == ["Technic, renamed", "Arctic", "Castle"])
    #expect(try themes.find(1) == Theme(id: 1, name: "Technic, renamed"))
  }

  @Test func `the example of reading one model at a time`() throws {
    let store = DataStore(try Connection.inMemory())
    let teams = DocumentationCommentTests.TeamHelper(store: store)
    try teams.createTable()
    for city in ["Boston", "Baltimore", "Boston"] { try teams.insert(.init(city: city)) }
    var ids: [Int64?] = []

    try teams.forEach(where: ["city": "Boston"]) { team in ids.append(team.id) }

    #expect(ids == [1, 3])
  }

  @Test func `the example of a script`() throws {
    let connection = try Connection.inMemory()
    let name = "Arctic"

    try connection.execute(
      script: """
        CREATE TABLE boxes (id INTEGER PRIMARY KEY, name TEXT); -- boxes in stock
        INSERT INTO boxes (name) VALUES (\(name));
        INSERT INTO boxes (name) VALUES ('Castle');
        """)

    #expect(try connection.query("SELECT * FROM boxes") == [[1, "Arctic"], [2, "Castle"]])
  }

  @Test func `the examples of a bulk insert`() throws {
    let (connection, themes) = (try makeConnection(), Self.themes)
    let made = try makeSome(connection, themes)
    try connection.execute("DELETE FROM themes")
    let names = [(3, "Castle"), (4, "Space")]

    let count = try connection.bulkInsert(intoTable: themes) { rows in
      for (id, name) in names { try rows.append(id, name, .null) }
    }

    #expect(made == 2 && count == 2)
    let expected: [[SQLiteValue]] = [[3, "Castle", .null], [4, "Space", .null]]
    #expect(try connection.query("SELECT * FROM themes") == expected)
  }

  private func makeSome(_ connection: Connection, _ themes: TableDescription) throws -> Int {
    let count = try connection.bulkInsert(intoTable: themes) { rows in
      try rows.append(1, "Technic", .null)
      try rows.append(2, "Arctic", 1)
    }
    return count
  }
}
