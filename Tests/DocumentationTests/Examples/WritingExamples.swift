import SQLiteSwiftly
import Testing

/// The examples in the comments of inserts and of rows that are read by their names.
struct WritingExamples {
  private let connection: Connection
  private let themes = TableDescription.themes

  init() throws { connection = try .ofThemes() }

  @Test func `rows by position, by name, and the same row again`() throws {
    // Example: InsertStatement.swift # InsertStatement

    try connection.execute("DELETE FROM themes WHERE id = 1")

    // Example: InsertStatement.swift # ConflictResolution

    #expect(
      try connection.rows(of: "themes") == [[1, "Technic, renamed", .null], [2, "Arctic", 1]])
    var parents: [String: Int] = [:]

    // Example: TableRow.swift # TableRow

    #expect(parents == ["Arctic": 1])
  }

  @Test func `rows in a loop`() throws {
    let names: [(Int64, String)] = [(1, "Technic"), (2, "Arctic")]
    var insert = try connection.prepareInsertIntoTable(describedBy: themes)

    // Example: InsertStatement.swift # insert

    #expect(try connection.rows(of: "themes") == [[1, "Technic", .null], [2, "Arctic", .null]])
  }

  @Test func `a column that is left out`() throws {
    // Example: InsertStatement.swift # prepareInsertIntoTable

    #expect(try connection.query("SELECT * FROM themes") == [[1, "Arctic", 1]])
  }

  @Test func `a bulk insert`() throws {
    // Example: BulkInsert.swift # bulkInsert

    #expect(count == 2)
    #expect(try connection.rows(of: "themes") == [[1, "Technic", .null], [2, "Arctic", 1]])
  }

  @Test func `models of described tables`() throws {
    let expected: [[SQLiteValue]] = [[1, "Technic", .null], [2, "Arctic", 1]]
    try connection.execute("INSERT INTO themes VALUES (1, 'Technic', NULL), (2, 'Arctic', 1)")
    do {
      // Example: QueryDecodable.swift # QueryDecodable
      #expect(themes.map { [$0.id, $0.parent] } == [[1, nil], [2, 1]])
      #expect(themes.map(\.name) == ["Technic", "Arctic"])
    }
    do {
      // Example: QueryDecodable.swift # RowDecodable
      #expect(themes.map { [$0.id, $0.parent] } == [[1, nil], [2, 1]])
      #expect(themes.map(\.name) == ["Technic", "Arctic"])
    }
    // Example: RecordQueries.swift # query
    #expect(themes.map(\.parent) == [nil, 1])
    try connection.execute("DELETE FROM themes")
    var insert = try connection.prepareInsertIntoTable(describedBy: .themes)
    // Example: InsertStatement.swift # insert (2)
    #expect(try connection.rows(of: "themes") == expected)
  }

  @Test func `a script`() throws {
    let name = "Arctic"

    // Example: Connection+Scripts.swift # execute

    #expect(try connection.query("SELECT * FROM boxes") == [[1, "Arctic"], [2, "Castle"]])
  }
}
