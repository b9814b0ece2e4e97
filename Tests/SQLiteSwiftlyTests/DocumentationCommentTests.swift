import SQLiteSwiftly
import SQLiteSwiftlyData
import Testing

/// The examples in the comments of public declarations.
struct DocumentationCommentTests {
  struct Team: Equatable {
    var id: Int64?
    var city: String?
  }

  struct TeamHelper: DataHelper {
    static let table = TableDescription(
      "teams", columns: [ColumnDescription("id", .integer), ColumnDescription("city", .text)],
      primaryKey: ["id"])
    let store: DataStore

    static func values(of team: Team) -> [(any SQLiteValueConvertible)?] { [team.id, team.city] }

    static func model(from row: TableRow) throws(SQLiteError) -> Team {
      Team(id: try row.value("id"), city: try row.value("city"))
    }
  }

  private func makeThemes() throws -> (Connection, TableDescription) {
    let connection = try Connection.inMemory()
    let themes = TableDescription(
      "themes",
      columns: [
        ColumnDescription("id", .integer), ColumnDescription("name", .text),
        ColumnDescription("parent_id", .integer, isNullable: true),
      ],
      primaryKey: ["id"])
    try connection.createTable(describedBy: themes)
    return (connection, themes)
  }

  private func makeParts() throws -> Connection {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE parts (part_num TEXT PRIMARY KEY, name TEXT)")
    try connection.execute("INSERT INTO parts VALUES ('3001', 'Brick'), ('973', 'Torso')")
    return connection
  }

  @Test func `the example of an insert statement, and of what is decodable`() throws {
    let (connection, themes) = try makeThemes()

    var insert = try connection.prepareInsertIntoTable(describedBy: themes)
    try insert.insert([1, "Technic", .null])
    try insert.insert(["name": "Arctic", "id": 2, "parent_id": 1])

    #expect(try themeNames(connection) == ["Technic in nothing", "Arctic in 1"])
  }

  private func themeNames(_ connection: Connection) throws -> [String] {
    struct Theme: QueryDecodable {
      var id: Int
      var name: String
      var parent: Int?

      init<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
        decoder: inout Decoder
      ) throws(Decoder.Failure) {
        id = try Int(decoder: &decoder)
        name = try String(decoder: &decoder)
        parent = try decoder.decode(Int.self)
      }
    }

    let themes = try connection.query("SELECT id, name, parent_id FROM themes", as: Theme.self)

    return themes.map { theme in "\(theme.name) in \(theme.parent.map(String.init) ?? "nothing")" }
  }

  @Test func `the example of a prepared statement`() throws {
    let connection = try makeParts()
    let names = [("3001", "Brick 2 x 4"), ("973", "Torso, plain")]

    var update = try connection.prepare("UPDATE parts SET name = :name WHERE part_num = :number")
    for (number, name) in names {
      try update.run(["name": .text(name), "number": .text(number)])
    }

    #expect(
      try connection.rows(of: "parts") == [["3001", "Brick 2 x 4"], ["973", "Torso, plain"]])
  }

  @Test func `the example of a cursor`() throws {
    let connection = try makeParts()
    var names: [String] = []

    var statement = try connection.prepare("SELECT part_num, name FROM parts")
    var cursor = statement.rows()
    while let row = try cursor.next() { names.append(try row.text(at: 1) ?? "") }

    #expect(names == ["Brick", "Torso"])
  }

  @Test func `the example of SQL`() throws {
    let connection = try makeParts()
    let number = "973"

    let rows = try connection.query("SELECT name FROM parts WHERE part_num = \(number)")

    #expect(rows == [["Torso"]])
  }

  @Test func `the example of a pragma`() throws {
    try withFolder { folder in
      let connection = try Connection(folder + "/parts.sqlite", opening: .createNew)

      try connection.set(.journalMode, to: .wal)
      let version = try connection.value(of: .userVersion)

      #expect(version == 0)
      #expect(try connection.value(of: .journalMode) == .wal)
    }
  }

  @Test func `the example of a helper`() throws {
    let teams = TeamHelper(store: DataStore(try Connection.inMemory()))
    try teams.createTable()
    let id = try teams.insert(Team(city: "Boston"))

    #expect(try teams.findAll() == [Team(id: id, city: "Boston")])
  }
}
