import SQLiteSwiftly
import SQLiteSwiftlyData
import Testing

/// A player's position; the raw value is stored.
private enum Positions: String, CaseIterable, SQLiteValueConvertible, QueryDecodableValue {
  case pitcher = "Pitcher"
  case catcher = "Catcher"
  case firstBase = "First Base"
  case secondBase = "Second Base"
  case thirdBase = "Third Base"
  case shortstop = "Shortstop"
  case leftField = "Left Field"
  case centerField = "Center Field"
  case rightField = "Right field"
  case designatedHitter = "Designated Hitter"
}

private struct Team: Equatable {
  var teamId: Int64?
  var city: String?
  var nickName: String?
  var abbreviation: String?
}

private struct Player: Equatable {
  var playerId: Int64?
  var firstName: String?
  var lastName: String?
  var number: Int?
  var teamId: Int64?
  var position: Positions?
}

private struct TeamHelper: DataHelper {
  static let table = TableDescription(
    "Teams",
    columns: [
      ColumnDescription("teamid", .integer), ColumnDescription("city", .text),
      ColumnDescription("nickname", .text), ColumnDescription("abbreviation", .text),
    ],
    primaryKey: ["teamid"])

  let store: DataStore

  static func values(of team: Team) -> [(any SQLiteValueConvertible)?] {
    [team.teamId, team.city, team.nickName, team.abbreviation]
  }

  static func model(from row: TableRow) throws(SQLiteError) -> Team {
    Team(
      teamId: try row.value("teamid"), city: try row.value("city"),
      nickName: try row.value("nickname"), abbreviation: try row.value("abbreviation"))
  }
}

private struct PlayerHelper: DataHelper {
  static let table = TableDescription(
    "Players",
    columns: [
      ColumnDescription("playerid", .integer), ColumnDescription("firstName", .text),
      ColumnDescription("lastName", .text), ColumnDescription("number", .integer),
      ColumnDescription("teamid", .integer), ColumnDescription("position", .text),
    ],
    primaryKey: ["playerid"])

  let store: DataStore

  static func values(of player: Player) -> [(any SQLiteValueConvertible)?] {
    [
      player.playerId, player.firstName, player.lastName, player.number, player.teamId,
      player.position,
    ]
  }

  static func model(from row: TableRow) throws(SQLiteError) -> Player {
    Player(
      playerId: try row.value("playerid"), firstName: try row.value("firstName"),
      lastName: try row.value("lastName"), number: try row.value("number"),
      teamId: try row.value("teamid"), position: try row.value("position", decoding: .lenient))
  }

  func find(byTeam team: Int64) throws(DataAccessError) -> [Player] {
    try find(where: ["teamid": .integer(team)])
  }
}

/// The business model of a player, independent of the database.
private struct RosterEntry: Equatable {
  let name: String
  let shirt: Int

  init?(_ player: Player) {
    guard let first = player.firstName, let last = player.lastName, let number = player.number
    else { return nil }
    name = first + " " + last
    shirt = number
  }
}

private let boston = Team(teamId: 0, city: "Boston", nickName: "Red Sox", abbreviation: "BOS")
private let baltimore = Team(city: "Baltimore", nickName: "Orioles", abbreviation: "BAL")
private let buchholz = Player(
  firstName: "Clay", lastName: "Buchholz", number: 11, teamId: 1, position: .pitcher)
private let pedroia = Player(
  firstName: "Dustin", lastName: "Pedroia", number: 15, teamId: 1, position: .secondBase)

struct DataAccessTests {
  private func makeStore() throws -> (DataStore, TeamHelper, PlayerHelper) {
    let store = DataStore(try Connection.inMemory())
    let (teams, players) = (TeamHelper(store: store), PlayerHelper(store: store))
    try store.createTables([teams, players])
    return (store, teams, players)
  }

  private func count(_ table: String, in store: DataStore) throws -> SQLiteValue? {
    try store.connection?.value(of: "SELECT count(*) FROM \(identifier: table)")
  }

  @Test func `DAL-1 DAL-5 DAL-8 DAL-9 DAL-38 two teams and two players`() throws {
    let (_, teams, players) = try makeStore()
    let team = try teams.insert(boston)
    try teams.insert(baltimore)
    for var player in [buchholz, pedroia] {
      player.teamId = team
      try players.insert(player)
    }
    let listing = try teams.findAll().map { "\($0.city ?? "") \($0.nickName ?? "")" }
    #expect(listing == ["Boston Red Sox", "Baltimore Orioles"])
    #expect(try players.find(byTeam: team).map(\.lastName) == ["Buchholz", "Pedroia"])
    #expect(try players.find(byTeam: 9) == [])
  }

  @Test func `DAL-6 DAL-22 DAL-23 one call creates all tables`() throws {
    let (store, _, _) = try makeStore()
    let columns = try store.connection?.query(
      """
      SELECT t.name, c.name, c.type, c."notnull", c.pk
      FROM sqlite_schema AS t, pragma_table_info(t.name) AS c ORDER BY t.name DESC, c.cid
      """)
    #expect(
      columns == [
        ["Teams", "teamid", "INTEGER", 1, 1], ["Teams", "city", "TEXT", 1, 0],
        ["Teams", "nickname", "TEXT", 1, 0], ["Teams", "abbreviation", "TEXT", 1, 0],
        ["Players", "playerid", "INTEGER", 1, 1], ["Players", "firstName", "TEXT", 1, 0],
        ["Players", "lastName", "TEXT", 1, 0], ["Players", "number", "INTEGER", 1, 0],
        ["Players", "teamid", "INTEGER", 1, 0], ["Players", "position", "TEXT", 1, 0],
      ])
  }

  @Test func `DAL-7 DAL-25 a table that cannot be created is an error`() throws {
    let store = DataStore(try Connection.inMemory())
    let (teams, players) = (TeamHelper(store: store), PlayerHelper(store: store))
    try store.connection?.execute("CREATE VIEW Players AS SELECT 1")
    let error = try helperFailure { try store.createTables([teams, players]) }
    #expect(error.kind == "cannot use the database")
    #expect(try #require(error.cause).message.contains("Players"))
    #expect(try store.connection?.query("SELECT 1 FROM sqlite_schema WHERE name = 'Teams'") == [])
  }

  @Test func `DAL-10 there are five errors`() {
    func name(_ error: DataAccessError) -> String {
      switch error {
      case .datastoreConnection: "connection"
      case .insert: "insert"
      case .delete: "delete"
      case .search: "search"
      case .nilInData(let column): "nil in \(column)"
      }
    }
    #expect(name(.nilInData(column: "city")) == "nil in city")
  }

  @Test func `DAL-12 DAL-13 DAL-14 DAL-16 a model is a value with optionals`() {
    var copy = boston
    copy.city = nil
    #expect(boston.city == "Boston" && Player().position == nil)
    #expect(Positions.allCases.count == 10)
  }

  @Test func `DAL-15 an adapter keeps the business from the schema`() throws {
    let (_, _, players) = try makeStore()
    try players.insert(pedroia)
    let roster = try players.findAll().compactMap(RosterEntry.init)
    #expect(roster.map(\.name) == ["Dustin Pedroia"] && roster.map(\.shirt) == [15])
    #expect(RosterEntry(Player()) == nil)
  }

  @Test("DAL-17 the raw value is stored", arguments: Positions.allCases)
  fileprivate func storedPosition(position: Positions) throws {
    let (store, _, players) = try makeStore()
    var player = pedroia
    player.position = position
    let id = try players.insert(player)
    let stored = try store.connection?.value(of: "SELECT position FROM Players")
    #expect(stored == .text(position.rawValue))
    #expect(try players.find(id)?.position == position)
  }

  @Test func `DAL-18 an unknown position is none`() throws {
    let (store, _, players) = try makeStore()
    let id = try players.insert(pedroia)
    try store.connection?.execute("UPDATE Players SET position = 'Bench'")
    let player = try #require(try players.find(id))
    #expect(player.position == nil && player.lastName == "Pedroia" && player.number == 15)
  }

  @Test func `DAL-19 DAL-20 DAL-21 every helper has the same operations`() throws {
    func exercise<Helper: DataHelper>(_ helper: Helper, _ model: Helper.Model) throws -> Int {
      try helper.createTable()
      let id: Int64 = try helper.insert(model)
      let found: Helper.Model? = try helper.find(id)
      let all: [Helper.Model] = try helper.findAll()
      try helper.delete(try #require(found))
      return all.count - (try helper.findAll().count)
    }
    let store = DataStore(try Connection.inMemory())
    #expect(try exercise(TeamHelper(store: store), boston) == 1)
    #expect(try exercise(PlayerHelper(store: store), pedroia) == 1)
  }

  @Test func `DAL-24 creating a table again keeps what is in it`() throws {
    let (store, teams, _) = try makeStore()
    try teams.insert(boston)
    try teams.createTable()
    #expect(try count("Teams", in: store) == 1)
  }

  @Test func `DAL-28 a key that is not greater than 0 is an error`() throws {
    let (store, teams, _) = try makeStore()
    try store.connection?.execute("INSERT INTO Teams VALUES (-5, '', '', '')")
    let cause = SQLiteError(.range, "the key of a row of Teams must be greater than 0")
    #expect(try helperFailure { try teams.insert(boston) } == .insert(cause))
    #expect(try count("Teams", in: store) == 1)
  }

  @Test func `DAL-32 a missing key is an error`() throws {
    let (store, teams, _) = try makeStore()
    try teams.insert(boston)
    #expect(try helperFailure { try teams.delete(Team(teamId: 99)) }.kind == "cannot delete")
    #expect(try count("Teams", in: store) == 1)
  }
}
