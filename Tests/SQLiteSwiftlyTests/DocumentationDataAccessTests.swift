import SQLiteSwiftly
import SQLiteSwiftlyData
import Testing

/// The data access layer of the article for those who come from another library.
struct DocumentationDataAccessTests {
  struct Team: Equatable {
    var id: Int64?
    var city: String?
    var nickname: String?
  }

  struct TeamHelper: DataHelper {
    static let table = TableDescription(
      "teams",
      columns: [
        ColumnDescription("id", .integer), ColumnDescription("city", .text),
        ColumnDescription("nickname", .text),
      ],
      primaryKey: ["id"])

    let store: DataStore

    static func values(of team: Team) -> [(any SQLiteValueConvertible)?] {
      [team.id, team.city, team.nickname]
    }

    static func model(from row: TableRow) throws(SQLiteError) -> Team {
      Team(
        id: try row.value("id"), city: try row.value("city"), nickname: try row.value("nickname"))
    }
  }

  @Test func `DAL-6 DAL-27 DAL-35 DAL-36 DAL-38 DAL-40 teams`() throws {
    try withFolder { folder in
      let path = folder + "/baseball.sqlite"

      let store = DataStore(path)
      let teams = TeamHelper(store: store)
      try store.createTables([teams])

      let boston = try teams.insert(Team(city: "Boston", nickname: "Red Sox"))
      try teams.insert(Team(city: "Baltimore", nickname: "Orioles"))
      let all = try teams.findAll()
      let found = try teams.find(boston)
      let alike = try teams.find(like: Team(city: "Baltimore"))
      try teams.delete(Team(id: boston))

      #expect(boston == 1)
      #expect(all.map(\.city) == ["Boston", "Baltimore"])
      #expect(found == Team(id: 1, city: "Boston", nickname: "Red Sox"))
      #expect(alike == [Team(id: 2, city: "Baltimore", nickname: "Orioles")])
      #expect(try teams.findAll() == alike)
      #expect(throws: DataAccessError.nilInData(column: "city")) { try teams.insert(Team()) }
      try store.close()
    }
  }
}
