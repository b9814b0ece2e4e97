import SQLiteSwiftly
import SQLiteSwiftlyData
import Schema
import Testing

/// Steps are known by number and name, which the database keeps.
struct MigrationNameTests {
  /// Steps by number and name, each of which makes a table of its name.
  private static func steps(_ names: KeyValuePairs<Int32, String>) -> [Migration] {
    names.map { version, name in
      Migration(to: version, name, "CREATE TABLE \(identifier: name) (a)")
    }
  }

  private func stored(_ connection: Connection) throws -> [[SQLiteValue]] {
    try connection.query("SELECT version, name FROM sqliteswiftly_migrations ORDER BY version")
  }

  private func tables(_ connection: Connection) throws -> [String?] {
    try connection.texts(
      """
      SELECT name FROM sqlite_schema
      WHERE type = 'table' AND name <> 'sqliteswiftly_migrations' ORDER BY name
      """)
  }

  @Test func `SK-25 SK-26 applied migrations are stored with their names`() throws {
    let connection = try Connection.inMemory()
    try connection.migrate([])
    #expect(try connection.query("SELECT * FROM sqlite_schema") == [])
    let steps = Self.steps([1: "one", 3: "three"])
    try connection.migrate(steps)
    #expect(try stored(connection) == [[1, "one"], [3, "three"]])
    #expect(try connection.migrate(steps + Self.steps([4: "four"])).map(\.name) == ["four"])
    #expect(try stored(connection) == [[1, "one"], [3, "three"], [4, "four"]])
    #expect(try connection.value(of: .userVersion) == 4)
  }

  struct Disagreement: Sendable, CustomTestStringConvertible {
    let taken: KeyValuePairs<Int32, String>
    let listed: KeyValuePairs<Int32, String>
    let message: String
    var testDescription: String { message }
  }

  static let disagreements: [Disagreement] = [
    Disagreement(
      taken: [1: "one", 2: "theirs"], listed: [1: "one", 2: "mine"],
      message: "migration to 2 (mine): version 2 was applied as a different migration (theirs)"),
    Disagreement(
      taken: [1: "one", 2: "theirs"], listed: [1: "one", 2: "mine", 3: "three"],
      message: "migration to 2 (mine): version 2 was applied as a different migration (theirs)"),
    Disagreement(
      taken: [1: "One"], listed: [1: "one"],
      message: "migration to 1 (one): version 1 was applied as a different migration (One)"),
    Disagreement(
      taken: [1: "one", 3: "theirs"], listed: [1: "one", 2: "mine", 3: "theirs"],
      message:
        "migration to 2 (mine): version 3 was applied without this migration; "
        + "add it as a later version"),
    Disagreement(
      taken: [1: "one", 2: "theirs"], listed: [1: "one", 3: "mine"],
      message: "migration to 3 (mine): version 2 (theirs) was applied before, "
        + "but is not in the list"),
    Disagreement(
      taken: [1: "one", 2: "theirs", 3: "three"], listed: [1: "one", 3: "three"],
      message: "migration to 3 (three): version 2 (theirs) was applied before, "
        + "but is not in the list"),
  ]

  @Test("applied migrations that are not in the list are an error", arguments: disagreements)
  func otherSteps(case disagreement: Disagreement) throws {
    let connection = try Connection.inMemory()
    try connection.migrate(Self.steps(disagreement.taken))
    let (before, made) = (try stored(connection), try tables(connection))
    let error = try failure { try connection.migrate(Self.steps(disagreement.listed)) }
    #expect(error.code == .misuse && error.message == disagreement.message)
    #expect(try stored(connection) == before && tables(connection) == made)
    // The list that it was made by goes on.
    #expect(try connection.migrate(Self.steps(disagreement.taken)) == [])
  }

  @Test func `a list may begin later than the database`() throws {
    let connection = try Connection.inMemory()
    try connection.migrate(Self.steps([1: "one", 2: "two"]))
    #expect(try connection.migrate(Self.steps([2: "two", 3: "three"])).map(\.version) == [3])
  }

  @Test func `a database without names is adopted`() throws {
    let connection = try Connection.inMemory(after: "CREATE TABLE one (a)")
    try connection.set(.userVersion, to: 2)
    let steps = Self.steps([1: "one", 2: "two", 3: "three"])
    #expect(try connection.migrate(Array(steps.prefix(2))) == [])
    #expect(try stored(connection) == [[1, "one"], [2, "two"]])
    #expect(try connection.migrate(steps).map(\.name) == ["three"])
    let error = try failure { try connection.migrate(Self.steps([2: "other", 3: "three"])) }
    #expect(
      error.message
        == "migration to 2 (other): version 2 was applied as a different migration (two)")
  }

  @Test func `migrations after the last name are adopted, too`() throws {
    let connection = try Connection.inMemory()
    try connection.migrate(Self.steps([1: "one"]))
    // By a program that stores no names.
    try connection.set(.userVersion, to: 2)
    let steps = Self.steps([1: "one", 2: "two", 3: "three"])
    #expect(try connection.migrate(steps).map(\.version) == [3])
    #expect(try stored(connection) == [[1, "one"], [2, "two"], [3, "three"]])
  }

  @Test func `migrations after a version that was set back are applied again`() throws {
    let connection = try Connection.inMemory()
    let steps = Self.steps([1: "one", 2: "two"])
    try connection.migrate(steps)
    try connection.execute(script: "DROP TABLE two; PRAGMA user_version = 1")
    #expect(try connection.migrate([steps[0]] + Self.steps([2: "anew"])).map(\.name) == ["anew"])
    #expect(try stored(connection) == [[1, "one"], [2, "anew"]])
  }

  @Test("a read-only database that needs no migration is not written to", arguments: [true, false])
  func readOnly(hasNames: Bool) throws {
    try withFolder { folder in
      let path = folder + "/a.sqlite"
      let steps = Self.steps([1: "one", 2: "two"])
      let connection = try Connection(path, opening: .createNew)
      try connection.migrate(steps)
      if !hasNames { try connection.execute("DROP TABLE sqliteswiftly_migrations") }
      try connection.close()
      let before = try contents(of: folder)

      let reader = try Connection(path, opening: .readOnly)
      #expect(try reader.migrate(steps) == [])
      #expect(try contents(of: folder) == before)
    }
  }

  @Test func `a table of the same name in another database is ignored`() throws {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TEMP TABLE sqliteswiftly_migrations (version, name)")
    try connection.execute("INSERT INTO temp.sqliteswiftly_migrations VALUES (1, 'other')")
    let steps = Self.steps([1: "one"])
    #expect(try connection.migrate(steps).count == 1)
    #expect(try connection.migrate(steps).count == 0)
    #expect(
      try connection.query("SELECT version, name FROM main.sqliteswiftly_migrations") == [
        [1, "one"]
      ])
  }

  @Test func `the table of the names is not a difference`() throws {
    let connection = try Connection.inMemory()
    let schema = SchemaDescription(tables: [words], applicationID: 0, version: 1)
    try connection.migrate([
      Migration(to: 1, "words") { connection throws(SQLiteError) in
        try connection.createTable(describedBy: words)
      }
    ])
    #expect(try stored(connection) == [[1, "words"]])
    #expect(try connection.differences(from: schema) == [])
  }
}
