import Foundation
import SQLiteSwiftly
import Testing

/// The examples of the overview and of the README.
struct OverviewExamples {
  @Test func `SW-37 SW-38 SW-39 SW-40 a table is described, filled and read`() throws {
    try withFolder { folder in
      let path = folder + "/catalog.sqlite"

      // Example: README # Use from Swift

      var lines: [String] = []
      // Example: SQLiteSwiftly # Use in main.swift

      #expect(names == ["Arctic"] && lines == ["1 Technic", "2 Arctic"])
      #expect(try connection.query("SELECT * FROM themes WHERE id = 1") == [[1, "Technic", .null]])
    }
  }

  @Test func `SW-32 SW-33 SW-34 there are five ways to open a database`() throws {
    try withFolder { folder in
      let path = folder + "/catalog.sqlite"
      let missing = folder + "/missing.sqlite"

      // Example: SQLiteSwiftly # Opening a database

      try new.execute("CREATE TABLE t (a)")
      try existing.execute("INSERT INTO t VALUES (1)")
      try either.execute("INSERT INTO t VALUES (2)")
      #expect(try reader.query("SELECT a FROM t") == [[1], [2]])
      #expect(try scratch.query("SELECT name FROM sqlite_schema") == [])
      #expect(try failure { try reader.execute("DELETE FROM t") }.code == .readOnly)
      #expect(try failure { _ = try Connection(path, opening: .createNew) }.code == .cannotOpen)
      for opening in [Connection.Opening.openExisting, .readOnly] {
        #expect(try failure { _ = try Connection(missing, opening: opening) }.code == .cannotOpen)
      }
      #expect(!FileManager.default.fileExists(atPath: missing))
    }
  }

  @Test func `SW-48 SK-17 values are bound in each of three ways`() throws {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE parts (part_num TEXT PRIMARY KEY, name TEXT)")
    let (number, name) = ("3001", "Brick 2 x 4'); DROP TABLE parts; --")

    // Example: SQLiteSwiftly # SQL literals

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

    // Example: SQLiteSwiftly # SQL literals (2)

    #expect(rows == [["Pin"]])
  }

  @Test func `SW-71 a trace handler receives each statement`() throws {
    let connection = try Connection.inMemory()
    var log: [String] = []

    // Example: SQLiteSwiftly # Tracing

    try connection.execute("CREATE TABLE t (a)")
    #expect(throws: SQLiteError.self) { try connection.execute("INSERT INTO t VALUES (1, 2)") }
    #expect(log.count == 2)
    #expect(log.first?.hasPrefix("CREATE TABLE t (a): ") == true)
    #expect(log.last?.contains("table t has 1 columns but 2 values were supplied") == true)
  }
}
