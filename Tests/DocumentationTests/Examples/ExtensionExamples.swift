import SQLiteSwiftly
import SQLiteSwiftlyData
import Testing

/// The examples of the article about functions, aggregates and collations.
struct ExtensionExamples {
  @Test func `functions`() throws {
    let connection = try Connection.ofParts()
    let ownPrices = ["3001": 12]

    // Example: ExtendingSQL # Functions

    #expect(initials == "OK")
    #expect(prices == [["3001", 12], ["3139", .null], ["973", .null]])
    try connection.execute("CREATE INDEX by_initials ON parts (initials(part_num))")
    #expect(throws: SQLiteError.self) {
      try connection.execute("CREATE INDEX by_price ON parts (price(part_num))")
    }
  }

  @Test func `any number of arguments`() throws {
    let connection = try Connection.ofParts()

    // Example: ExtendingSQL # Any number of arguments

    #expect(list == "3001/Brick")
  }

  @Test func `errors`() throws {
    let connection = try Connection.ofParts()
    var reason = ""

    // Example: ExtendingSQL # Errors

    #expect(reason == "not a part number")
  }

  @Test func `aggregates`() throws {
    let connection = try Connection.ofParts()

    // Example: ExtendingSQL # Aggregates

    #expect(medians == [["Plastic", 2.5], ["Rubber", 1.0]])
  }

  @Test func `collations`() throws {
    let connection = try Connection.ofParts()

    // Example: ExtendingSQL # Collations

    #expect(sets == ["Set 2", "Set 10"])
  }

  @Test func `pools`() async throws {
    let folder = try Workplace()
    let path = folder.path + "/a.sqlite"

    // Example: ExtendingSQL # Pools

    let value = try await pool.read { connection in
      try connection.first("SELECT initials('Ole Kirk')", as: String.self)
    }
    #expect(value == "OK")
    try await pool.close()
  }
}
