import SQLiteSwiftly
import SQLiteSwiftlyData
import Testing

/// The examples of the article about migrations.
struct DocumentationMigrationTests {
  @Test func `SK-25 SK-26 SK-28 SK-29 migrations are applied once, and logged`() throws {
    let connection = try Connection.inMemory()
    var log: [String] = []

    let migrations = [
      Migration(
        to: 1, "make the tables",
        "CREATE TABLE categories (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT",
        "CREATE TABLE parts (part_num TEXT PRIMARY KEY, name TEXT NOT NULL) STRICT"),
      Migration(to: 2, "add the year", "ALTER TABLE parts ADD COLUMN year INTEGER"),
      Migration(to: 3, "tidy the names") { connection throws(SQLiteError) in
        let numbers = try connection.query("SELECT part_num FROM parts", as: String.self)
        var update = try connection.prepare(
          "UPDATE parts SET name = trim(name) WHERE part_num = ?")
        for number in numbers { try update.run([.text(number)]) }
      },
    ]
    let applied = try connection.migrate(migrations) { step in
      log.append("\(step.version): \(step.name), \(step.duration)")
    }

    #expect(applied.map(\.version) == [1, 2, 3])
    #expect(log.map { $0.prefix(3) } == ["1: ", "2: ", "3: "])
    #expect(try connection.value(of: "PRAGMA user_version") == 3)
    #expect(try connection.migrate(migrations).isEmpty)
  }

  @Test func `SK-25 a different migration with the same version is refused`() throws {
    let connection = try Connection.inMemory()
    let first = Migration(to: 1, "parts", "CREATE TABLE parts (part_num TEXT PRIMARY KEY)")
    var problem: SQLiteError?

    let theirs = Migration(to: 2, "add the weight", "ALTER TABLE parts ADD COLUMN weight REAL")
    let mine = Migration(to: 2, "add the material", "ALTER TABLE parts ADD COLUMN material TEXT")
    try connection.migrate([first, theirs])
    do throws(SQLiteError) {
      try connection.migrate([first, mine])
    } catch {
      problem = error
    }

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

    let second = Migration(
      to: 2, "require the name of a category",
      "CREATE TABLE new_categories (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT",
      "INSERT INTO new_categories SELECT id, name FROM categories",
      "DROP TABLE categories",
      "ALTER TABLE new_categories RENAME TO categories")
    try connection.migrate([first, second])

    #expect(try connection.rows(of: "parts") == [["3001", 11]])
    #expect(try connection.foreignKeyViolations() == [])
    #expect(
      try failure { try connection.execute("INSERT INTO categories VALUES (12, NULL)") }.message
        == "NOT NULL constraint failed: categories.name")
  }

  @Test func `SK-27 a failed migration leaves the version of the one before`() throws {
    let connection = try Connection.inMemory()
    var problem: SQLiteError?

    do throws(SQLiteError) {
      try connection.migrate([
        Migration(to: 1, "make a table", "CREATE TABLE colors (id INTEGER PRIMARY KEY)"),
        Migration(
          to: 2, "add colors", "INSERT INTO colors VALUES (0)", "INSERT INTO colours VALUES (1)"),
      ])
    } catch {
      problem = error
    }

    #expect(problem?.message == "migration to 2 (add colors): no such table: colours")
    #expect(try connection.value(of: "PRAGMA user_version") == 1)
    #expect(try connection.query("SELECT id FROM colors") == [])
  }
}
