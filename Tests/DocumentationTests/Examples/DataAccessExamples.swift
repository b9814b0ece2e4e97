import SQLiteSwiftly
import SQLiteSwiftlyData
import Testing

/// The data access layer of the article for those who come from another library.
struct DataAccessExamples {
  // Example: ComingFromAnotherLibrary # A data access layer on SQLite.swift

  @Test func `DAL-6 DAL-27 DAL-35 DAL-36 DAL-38 DAL-40 teams`() throws {
    try withFolder { folder in
      let path = folder + "/baseball.sqlite"

      // Example: ComingFromAnotherLibrary # A data access layer on SQLite.swift (2)

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
