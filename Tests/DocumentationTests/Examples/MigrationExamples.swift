import SQLiteSwiftly
import SQLiteSwiftlyData
import Testing

/// The examples of the article about migrations.
struct MigrationExamples {
  @Test func `SK-25 SK-26 SK-28 SK-29 migrations are applied once, and logged`() throws {
    let connection = try Connection.inMemory()
    var log: [String] = []

    // Example: Migrations # Overview

    #expect(applied.map(\.version) == [1, 2, 3])
    #expect(log.map { $0.prefix(3) } == ["1: ", "2: ", "3: "])
    #expect(try connection.value(of: "PRAGMA user_version") == 3)
    #expect(try connection.migrate(migrations).isEmpty)
  }

  @Test func `SK-25 a different migration with the same version is refused`() throws {
    let connection = try Connection.inMemory()
    let first = Migration(to: 1, "parts", "CREATE TABLE parts (part_num TEXT PRIMARY KEY)")
    var problem: SQLiteError?

    // Example: Migrations # Steps with the same number

    let message =
      "migration to 2 (add the material): version 2 was applied as a different migration (add the weight)"
    #expect(problem?.message == message && problem?.code == .misuse)
    #expect(
      try connection.texts("SELECT name FROM pragma_table_info('parts')") == ["part_num", "weight"])
  }

  @Test func `a table is recreated if SQLite cannot alter it`() throws {
    let connection = try Connection.inMemory()
    try connection.execute("PRAGMA foreign_keys = ON")
    let first = Migration(
      to: 1, "make the tables",
      "CREATE TABLE categories (id INTEGER PRIMARY KEY, name TEXT) STRICT",
      """
      CREATE TABLE parts (
        part_num TEXT PRIMARY KEY, category_id INTEGER REFERENCES categories ON DELETE CASCADE
      ) STRICT
      """,
      "INSERT INTO categories VALUES (11, 'Bricks')", "INSERT INTO parts VALUES ('3001', 11)")
    try connection.migrate([first])

    // Example: Migrations # Changes that SQLite cannot make

    #expect(try connection.rows(of: "parts") == [["3001", 11]])
    #expect(try connection.foreignKeyViolations() == [])
    #expect(
      try failure { try connection.execute("INSERT INTO categories VALUES (12, NULL)") }.message
        == "NOT NULL constraint failed: categories.name")
  }

  @Test func `SK-27 a failed migration leaves the version of the one before`() throws {
    let connection = try Connection.inMemory()
    var problem: SQLiteError?

    // Example: Migrations # Failed steps

    #expect(problem?.message == "migration to 2 (add colors): no such table: colours")
    #expect(try connection.value(of: "PRAGMA user_version") == 1)
    #expect(try connection.query("SELECT id FROM colors") == [])
  }
}
