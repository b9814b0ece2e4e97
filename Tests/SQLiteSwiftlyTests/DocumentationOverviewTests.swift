import Foundation
import SQLiteSwiftly
import Testing

/// The examples of the overview and of the README.
struct DocumentationOverviewTests {
  @Test func `SW-37 SW-38 SW-39 SW-40 a table is described, filled and read`() throws {
    try withFolder { folder in
      let path = folder + "/catalog.sqlite"

      let themes = TableDescription(
        "themes",
        columns: [
          ColumnDescription("id", .integer), ColumnDescription("name", .text),
          ColumnDescription("parent_id", .integer, isNullable: true),
        ],
        primaryKey: ["id"])

      let connection = try Connection(path, opening: .createNew)
      try connection.createTable(describedBy: themes)
      var insert = try connection.prepareInsertIntoTable(describedBy: themes)
      try connection.transaction {
        try insert.insert(1, "Technic", .null)
        try insert.insert(["name": "Arctic", "id": 2, "parent_id": 1])
      }
      let parents = [1, 7]
      let names = try connection.query(
        "SELECT name FROM themes WHERE parent_id IN (\(parents))", as: String.self)

      var lines: [String] = []
      do {
        var statement = try connection.prepare("SELECT id, name FROM themes")
        var rows = statement.rows()
        while let row = try rows.next() {
          lines.append("\(try row["id"] as Int) \(try row["name"] as String)")
        }
        statement.close()
      }

      #expect(names == ["Arctic"] && lines == ["1 Technic", "2 Arctic"])
      #expect(try connection.query("SELECT * FROM themes WHERE id = 1") == [[1, "Technic", .null]])
    }
  }

  @Test func `SW-32 SW-33 SW-34 there are five ways to open a database`() throws {
    try withFolder { folder in
      let path = folder + "/catalog.sqlite"
      let missing = folder + "/missing.sqlite"

      let new = try Connection(path, opening: .createNew)
      let existing = try Connection(path, opening: .openExisting)
      let either = try Connection(path, opening: .openOrCreate)
      let reader = try Connection(path, opening: .readOnly, busyTimeout: .seconds(5))
      let scratch = try Connection.inMemory()

      try new.execute("CREATE TABLE t (a)")
      try existing.execute("INSERT INTO t VALUES (1)")
      try either.execute("INSERT INTO t VALUES (2)")
      #expect(try reader.query("SELECT a FROM t") == [[1], [2]])
      #expect(try scratch.query("SELECT name FROM sqlite_schema") == [])
      #expect(try failure { try reader.execute("DELETE FROM t") }.code == .readOnly)
      #expect(
        try failure { _ = try Connection(path, opening: .createNew) }.code == .cannotOpen)
      for opening in [Connection.Opening.openExisting, .readOnly] {
        #expect(
          try failure { _ = try Connection(missing, opening: opening) }.code == .cannotOpen)
      }
      #expect(!FileManager.default.fileExists(atPath: missing))
    }
  }

  @Test func `SW-48 SK-17 values are bound in each of three ways`() throws {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE parts (part_num TEXT PRIMARY KEY, name TEXT)")
    let (number, name) = ("3001", "Brick 2 x 4'); DROP TABLE parts; --")

    try connection.execute("INSERT INTO parts VALUES (\(number), \(name))")
    try connection.execute("INSERT INTO parts VALUES (?, ?)", ["3002", "Brick 2 x 3"])
    try connection.execute(
      "INSERT INTO parts VALUES (:number, :name)", ["name": "Brick 2 x 2", "number": "3003"])

    #expect(
      try connection.rows(of: "parts") == [
        ["3001", .text(name)], ["3002", "Brick 2 x 3"], ["3003", "Brick 2 x 2"],
      ])
  }

  @Test func `identifiers and other SQL can be put into SQL`() throws {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE \"parts of 2026\" (name TEXT, year INTEGER)")
    try connection.execute("INSERT INTO \"parts of 2026\" VALUES ('Brick', 1958), ('Pin', 1977)")
    let (table, year) = ("parts of 2026", 1960)

    let condition: SQL = "year > \(year)"
    let rows = try connection.query(
      "SELECT name FROM \(identifier: table) WHERE \(sql: condition)")

    #expect(rows == [["Pin"]])
  }

  @Test func `SW-71 a trace handler receives each statement`() throws {
    let connection = try Connection.inMemory()
    var log: [String] = []

    connection.traceHandler = { event in
      switch event {
      case .prepared: break
      case .finished(let sql, let duration): log.append("\(sql): \(duration)")
      case .failed(let error): log.append("\(error)")
      }
    }

    try connection.execute("CREATE TABLE t (a)")
    #expect(throws: SQLiteError.self) { try connection.execute("INSERT INTO t VALUES (1, 2)") }
    #expect(log.count == 2)
    #expect(log.first?.hasPrefix("CREATE TABLE t (a): ") == true)
    #expect(log.last?.contains("table t has 1 columns but 2 values were supplied") == true)
  }
}
