import SQLiteSwiftly
import TestSupport
import Testing

/// The examples in the comments of connections and their properties.
struct DocumentationConnectionTests {
  private func makeParts() throws -> Connection {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE parts (part_num TEXT PRIMARY KEY, name TEXT)")
    try connection.execute(
      "INSERT INTO parts VALUES ('3001', 'Brick'), ('973', 'Torso'), ('x1', NULL)")
    return connection
  }

  @Test func `the example of a connection`() throws {
    try withFolder { folder in
      let path = folder + "/catalog.sqlite"

      let connection = try Connection(path, opening: .openOrCreate)
      try connection.execute("CREATE TABLE themes (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
      try connection.execute("INSERT INTO themes (name) VALUES (\("Technic"))")
      let count = try connection.value(of: "SELECT count(*) FROM themes")?.integerValue ?? 0
      try connection.close()

      #expect(count == 1)
      #expect(try themes(ofFileAt: path) == [["Technic"]])

      let reader = try Connection(path, opening: .readOnly, busyTimeout: .seconds(5))
      let names = try reader.query("SELECT name FROM themes", as: String.self)

      #expect(names == ["Technic"])
    }
  }

  private func themes(ofFileAt path: String) throws -> [[SQLiteValue]] {
    let connection = try Connection.inMemory()
    try connection.execute("ATTACH \(path) AS catalog")
    let themes = try connection.query("SELECT name FROM catalog.themes")

    return themes
  }

  @Test func `the examples of a trace handler and of a timeout`() throws {
    let connection = try makeParts()
    var log: [String] = []

    connection.traceHandler = { event in
      if case .finished(let sql, let duration) = event { log.append("\(duration): \(sql)") }
    }
    connection.busyTimeout = .seconds(5)

    try connection.execute("DELETE FROM parts")
    #expect(log.count == 1)
    #expect(connection.busyTimeout == .seconds(5))
  }

  @Test func `the examples of changes and of a rowid`() throws {
    let connection = try makeParts()
    try connection.execute("CREATE TABLE themes (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")

    try connection.execute("DELETE FROM parts WHERE name IS NULL")
    let deleted = try connection.changes

    try connection.execute("INSERT INTO themes (name) VALUES ('Arctic')")
    let theme = try connection.lastInsertedRowID

    #expect((deleted, theme) == (1, 1))
  }

  @Test func `the examples of a backup`() throws {
    try withFolder { folder in
      let connection = try makeParts()
      let path = folder + "/copy.sqlite"

      try connection.backUp(to: path, opening: .createNew) { progress in
        print("\(progress.remainingPages) of \(progress.totalPages) pages remain")
      }

      let copy = try Connection.inMemory()
      try connection.backUp(into: copy)

      #expect(try copy.rows(of: "parts") == connection.rows(of: "parts"))
      let reader = try Connection(path, opening: .readOnly)
      #expect(try reader.rows(of: "parts") == connection.rows(of: "parts"))
    }
  }

  @Test func `the examples of checks`() throws {
    let connection = try makeParts()
    try connection.execute("CREATE TABLE stock (part_num TEXT REFERENCES parts)")
    try connection.execute("INSERT INTO stock VALUES ('3001'), ('4711')")
    var messages: [String] = []

    for violation in try connection.foreignKeyViolations(limit: 10) {
      let row = violation.rowid.map { "row \($0)" } ?? "a row"
      messages.append("\(row) of \(violation.table) has no parent in \(violation.parent)")
    }

    let faults = try connection.faults(.structure)
    guard faults.isEmpty else { throw SQLiteError(.corrupt, faults.joined(separator: "\n")) }

    #expect(messages == ["row 2 of stock has no parent in parts"])
  }

  @Test func `the examples of statements that are run once`() throws {
    let connection = try makeParts()
    let (name, number) = ("Brick 2 x 4", "3001")

    try connection.execute("UPDATE parts SET name = \(name) WHERE part_num = \(number)")
    try connection.execute("DELETE FROM parts WHERE part_num = :number", ["number": "973"])

    let rows = try connection.query("SELECT part_num, name FROM parts")
    let firstName = rows.first?[1].textValue

    let count = try connection.query("SELECT count(*) FROM parts", as: Int.self)[0]
    let names = try connection.query("SELECT name FROM parts", as: String?.self)

    #expect(firstName == "Brick 2 x 4")
    #expect(count == 2)
    #expect(names == ["Brick 2 x 4", nil])
  }

  @Test func `the examples of closures, and of a value`() throws {
    let connection = try makeParts()
    var names: [String: String] = [:]

    let parts = try connection.query("SELECT part_num, name FROM parts") {
      row throws(SQLiteError) in
      (number: try String(decoder: &row), name: try row.decode(String.self))
    }

    let count = try connection.value(of: "SELECT count(*) FROM parts")?.integerValue ?? 0

    try connection.forEachRow(of: "SELECT part_num, name FROM parts") { row in
      guard let number = try row.text(at: 0) else { return }
      names[number] = try row.text(at: 1)
    }

    #expect(parts.map(\.number) == ["3001", "973", "x1"])
    #expect(parts.map(\.name) == ["Brick", "Torso", nil])
    #expect(count == 3)
    #expect(names == ["3001": "Brick", "973": "Torso"])
  }

  @Test func `the example of a transaction`() throws {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE stock (place TEXT PRIMARY KEY, bricks INTEGER NOT NULL)")
    try connection.execute("INSERT INTO stock VALUES ('shop', 10), ('store', 20)")
    let bricks = 5

    try connection.transaction {
      try connection.execute("UPDATE stock SET bricks = bricks - \(bricks) WHERE place = 'store'")
      try connection.execute("UPDATE stock SET bricks = bricks + \(bricks) WHERE place = 'shop'")
    }

    #expect(try connection.rows(of: "stock") == [["shop", 15], ["store", 15]])
  }

  @Test func `the example of an interrupter`() throws {
    let connection = try makeParts()

    let interrupter = connection.interrupter
    let deadline = Task.detached {
      try await Task.sleep(for: .seconds(10))
      interrupter.interrupt()
    }
    defer { deadline.cancel() }
    let count = try connection.value(of: "SELECT count(*) FROM parts, parts, parts")

    #expect(count == 27)
  }

  @Test func `the examples of the library and of an error`() throws {
    let connection = try makeParts()
    var isThere = false

    let knowsStrictTables = SQLiteLibrary.versionNumber >= 3_037_000
    let hasSearch = SQLiteLibrary.compileOptions.contains("ENABLE_FTS5")

    do throws(SQLiteError) {
      try connection.execute("INSERT INTO parts VALUES ('3001', 'Brick')")
    } catch {
      guard error.extendedCode == .constraintPrimaryKey else { throw error }
      isThere = true
    }

    #expect(knowsStrictTables)
    let used = try connection.value(of: "SELECT sqlite_compileoption_used('ENABLE_FTS5')")
    #expect(used == (hasSearch ? 1 : 0))
    #expect(isThere)
  }

  @Test func `the examples of settings`() throws {
    let connection = try makeParts()

    try connection.set(.foreignKeys, to: true)
    try connection.set(.cacheSize, to: .kibibytes(16_000))

    let version = try connection.value(of: .userVersion)
    let cache = try connection.value(of: .cacheSize)

    let bytes = try connection.value(of: .pageCount) * connection.value(of: .pageSize)

    #expect(version == 0)
    #expect(cache == .kibibytes(16_000))
    #expect(bytes > 0)
  }
}
