import Foundation
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

  private func dataFailure(
    _ body: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> DataAccessError {
    try #require(throws: DataAccessError.self, sourceLocation: sourceLocation, performing: body)
  }

  private func count(_ table: String, in store: DataStore) throws -> SQLiteValue? {
    try store.connection?.value(of: "SELECT count(*) FROM \(identifier: table)")
  }

  private func drop(_ table: String, in store: DataStore) throws {
    try store.connection?.execute("DROP TABLE \(identifier: table)")
  }

  @Test func `DAL-1 DAL-9 DAL-38 two teams and two players`() throws {
    let (_, teams, players) = try makeStore()
    let team = try teams.insert(boston)
    try teams.insert(baltimore)
    for var player in [buchholz, pedroia] {
      player.teamId = team
      try players.insert(player)
    }
    let listing = try teams.findAll().map { "\($0.city ?? "") \($0.nickName ?? "")" }
    #expect(listing == ["Boston Red Sox", "Baltimore Orioles"])
    #expect(try players.findAll().map(\.teamId) == [team, team])
  }

  @Test func `DAL-2 DAL-3 one store owns the one connection of all helpers`() throws {
    let (store, teams, players) = try makeStore()
    #expect(throws: CancellationError.self) {
      try store.connection?.transaction {
        try teams.insert(boston)
        try players.insert(pedroia)
        throw CancellationError()
      }
    }
    #expect(try count("Teams", in: store) == 0)
    #expect(try count("Players", in: store) == 0)
  }

  @Test func `DAL-4 DAL-11 an unusable store opens, and reports that in every call`() throws {
    let store = DataStore("/nowhere/at/all.sqlite")
    #expect(store.connection == nil)
    let teams = TeamHelper(store: store)
    let calls: [() throws -> Void] = [
      { try teams.createTable() }, { try teams.insert(boston) }, { try teams.delete(boston) },
      { _ = try teams.find(1) }, { _ = try teams.findAll() },
      { _ = try teams.find(where: [:]) }, { _ = try teams.find(like: boston) },
      { try store.createTables([teams]) },
    ]
    for call in calls {
      guard case .datastoreConnection(let cause) = try dataFailure(call) else {
        Issue.record("another error")
        continue
      }
      #expect(cause.code == .cannotOpen && cause.message.hasPrefix("/nowhere/at/all.sqlite: "))
    }
  }

  @Test func `a store that was closed reports that in every call`() throws {
    let (store, teams, _) = try makeStore()
    try teams.insert(boston)
    try store.close()
    let calls: [() throws -> Void] = [
      { try teams.insert(boston) }, { _ = try teams.findAll() },
    ]
    for call in calls {
      guard case .datastoreConnection(let cause) = try dataFailure(call) else {
        Issue.record("another error")
        continue
      }
      #expect(cause.message == "the connection is closed")
    }
  }

  @Test func `DAL-5 the database is at the path of the program`() throws {
    try withFolder { folder in
      // $XDG_DATA_HOME, or the working folder.
      let path = folder + "/BaseballDB.sqlite"
      let store = DataStore(path)
      try store.createTables([TeamHelper(store: store)])
      #expect(FileManager.default.fileExists(atPath: path))
      try store.close()
    }
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
    guard
      case .datastoreConnection(let cause) = try dataFailure({
        try store.createTables([teams, players])
      })
    else {
      Issue.record("another error")
      return
    }
    #expect(cause.message.contains("Players"))
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
    #expect("\(DataAccessError.nilInData(column: "city"))".contains("city"))
  }

  @Test func `DAL-12 DAL-13 DAL-14 a copy of a model is apart`() {
    var copy = boston
    copy.city = "Brooklyn"
    #expect(boston.city == "Boston" && copy.city == "Brooklyn")
    #expect(Team() == Team(teamId: nil, city: nil, nickName: nil, abbreviation: nil))
    #expect(Player().position == nil)
  }

  @Test func `DAL-15 an adapter keeps the business from the schema`() throws {
    let (_, _, players) = try makeStore()
    try players.insert(pedroia)
    let roster = try players.findAll().compactMap(RosterEntry.init)
    #expect(roster.map(\.name) == ["Dustin Pedroia"] && roster.map(\.shirt) == [15])
    #expect(RosterEntry(Player()) == nil)
  }

  @Test func `DAL-16 there are ten positions`() { #expect(Positions.allCases.count == 10) }

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

  @Test func `DAL-26 every value of a team is required`() throws {
    let (store, teams, _) = try makeStore()
    let cases: [(String, (inout Team) -> Void)] = [
      ("city", { $0.city = nil }), ("nickname", { $0.nickName = nil }),
      ("abbreviation", { $0.abbreviation = nil }),
    ]
    for (column, forget) in cases {
      var team = boston
      forget(&team)
      #expect(try dataFailure { try teams.insert(team) } == .nilInData(column: column))
    }
    #expect(try count("Teams", in: store) == 0)
  }

  @Test func `DAL-26 DAL-30 every value of a player is required`() throws {
    let (store, _, players) = try makeStore()
    let cases: [(String, (inout Player) -> Void)] = [
      ("firstName", { $0.firstName = nil }), ("lastName", { $0.lastName = nil }),
      ("number", { $0.number = nil }), ("teamid", { $0.teamId = nil }),
      ("position", { $0.position = nil }),
    ]
    for (column, forget) in cases {
      var player = pedroia
      forget(&player)
      #expect(try dataFailure { try players.insert(player) } == .nilInData(column: column))
    }
    #expect(try count("Players", in: store) == 0)
  }

  @Test func `DAL-27 DAL-37 the engine chooses the key, and find has it`() throws {
    let (_, teams, _) = try makeStore()
    #expect(try teams.insert(boston) == 1)
    #expect(try teams.insert(boston) == 2)
    #expect(try teams.find(2)?.teamId == 2)
    #expect(try teams.findAll().map(\.teamId) == [1, 2])
  }

  @Test func `DAL-28 a key that is not greater than 0 is an error`() throws {
    let (store, teams, _) = try makeStore()
    try store.connection?.execute("INSERT INTO Teams VALUES (-5, '', '', '')")
    guard case .insert(let cause) = try dataFailure({ try teams.insert(boston) }) else {
      Issue.record("another error")
      return
    }
    #expect(cause.message == "the key of a row of Teams must be greater than 0")
    #expect(try count("Teams", in: store) == 1)
  }

  @Test func `DAL-29 a row that SQLite refuses is an insert error`() throws {
    let (store, teams, _) = try makeStore()
    try store.connection?.execute("CREATE UNIQUE INDEX one ON Teams (city)")
    try teams.insert(boston)
    guard case .insert(let cause) = try dataFailure({ try teams.insert(boston) }) else {
      Issue.record("another error")
      return
    }
    #expect(cause.message == "UNIQUE constraint failed: Teams.city")
    try teams.insert(baltimore)
    try drop("Teams", in: store)
    guard case .insert(let cause) = try dataFailure({ try teams.insert(boston) }) else {
      Issue.record("another error")
      return
    }
    #expect(cause.message == "no such table: Teams")
  }

  @Test func `DAL-31 a model without a key deletes nothing`() throws {
    let (store, teams, _) = try makeStore()
    try teams.insert(boston)
    try teams.delete(baltimore)
    #expect(try count("Teams", in: store) == 1)
  }

  @Test func `DAL-32 a missing key is an error`() throws {
    let (store, teams, _) = try makeStore()
    try teams.insert(boston)
    guard case .delete = try dataFailure({ try teams.delete(Team(teamId: 99)) }) else {
      Issue.record("another error")
      return
    }
    #expect(try count("Teams", in: store) == 1)
  }

  @Test func `DAL-33 a deletion that SQLite refuses is a delete error`() throws {
    let (store, teams, _) = try makeStore()
    try drop("Teams", in: store)
    guard case .delete(let cause) = try dataFailure({ try teams.delete(Team(teamId: 1)) }) else {
      Issue.record("another error")
      return
    }
    #expect(cause.message == "no such table: Teams")
  }

  @Test func `DAL-34 only the key matters to a deletion`() throws {
    let (store, teams, _) = try makeStore()
    try teams.insert(boston)
    try teams.insert(baltimore)
    try teams.delete(Team(teamId: 1))
    #expect(try teams.findAll().map(\.city) == ["Baltimore"])
    #expect(try count("Teams", in: store) == 1)
  }

  @Test func `DAL-35 a row is found by its key, or not`() throws {
    let (_, teams, _) = try makeStore()
    let id = try teams.insert(boston)
    var expected = boston
    expected.teamId = id
    #expect(try teams.find(id) == expected)
    #expect(try teams.find(99) == nil)
  }

  @Test func `DAL-36 an empty table has no rows`() throws {
    let (_, teams, players) = try makeStore()
    #expect(try teams.findAll() == [])
    try players.insert(pedroia)
    var expected = pedroia
    expected.playerId = 1
    #expect(try players.findAll() == [expected])
  }

  @Test func `a query that SQLite refuses is a search error`() throws {
    let (store, teams, _) = try makeStore()
    try drop("Teams", in: store)
    let calls: [() throws -> Void] = [{ _ = try teams.find(1) }, { _ = try teams.findAll() }]
    for call in calls {
      guard case .search(let cause) = try dataFailure(call) else {
        Issue.record("another error")
        continue
      }
      #expect(cause.message == "no such table: Teams")
    }
  }

  @Test func `DAL-8 DAL-39 rows are found by other columns`() throws {
    let (_, _, players) = try makeStore()
    try players.insert(buchholz)
    try players.insert(pedroia)
    var other = pedroia
    other.teamId = 2
    try players.insert(other)
    #expect(try players.find(byTeam: 1).map(\.lastName) == ["Buchholz", "Pedroia"])
    #expect(try players.find(where: ["position": "Second Base"]).map(\.teamId) == [1, 2])
    #expect(try players.find(where: ["position": .null]) == [])
    guard
      case .search(let cause) = try dataFailure({
        _ = try players.find(where: ["shirt": 1])
      })
    else {
      Issue.record("another error")
      return
    }
    #expect(
      cause.message
        == "Players has no column shirt (columns: playerid, firstName, lastName, number, "
        + "teamid, position)")
  }

  @Test func `a column has one value to be found by`() throws {
    let (_, teams, _) = try makeStore()
    try teams.insert(boston)
    let key = "teamid"
    let calls: [() throws -> Void] = [
      { _ = try teams.find(where: ["teamid": 1, "city": "Boston", key: 2]) },
      { _ = try teams.find(where: ["teamid": 1, key: 1]) },
    ]
    for call in calls {
      let error = try dataFailure(call)
      #expect(
        error == .search(SQLiteError(.range, "column teamid of Teams has two values")))
    }
    let conditions: [String: SQLiteValue] = ["teamid": 1, "city": "Boston"]
    #expect(try teams.find(where: conditions).map(\.city) == ["Boston"])
  }

  @Test func `DAL-40 rows are found by an example`() throws {
    let (_, _, players) = try makeStore()
    try players.insert(buchholz)
    try players.insert(pedroia)
    let example = Player(teamId: 1, position: .secondBase)
    #expect(try players.find(like: example).map(\.lastName) == ["Pedroia"])
    #expect(try players.find(like: Player()).count == 2)
    #expect(try players.find(like: Player(teamId: 3)) == [])
  }

  @Test func `one insert is compiled for all rows of a helper`() throws {
    let (store, teams, _) = try makeStore()
    var prepared = 0
    store.connection?.traceHandler = { event in
      if case .prepared(let sql) = event, sql.hasPrefix("INSERT") { prepared += 1 }
    }
    for _ in 0..<50 { try teams.insert(boston) }
    #expect(prepared == 1)
    #expect(try count("Teams", in: store) == 50)
  }
}
