import SQLiteSwiftly
import Testing

struct InsertStatementTests {
  @Test func `SW-43 SW-44 one statement is prepared for many rows`() throws {
    let connection = try Connection.inMemory(with: words)
    var insert = try connection.prepareInsertIntoTable(describedBy: words)
    for id in 0..<1000 {
      try insert.insert([.integer(Int64(id)), .text("word \(id)")])
      if id % 250 == 0 { #expect(try connection.changes == 1) }
    }
    let statements = try connection.query(
      "SELECT sql, run, reprep FROM sqlite_stmt WHERE sql LIKE 'INSERT%'")
    #expect(
      statements == [
        [
          .text("INSERT INTO \"words\" (\"id\", \"word\") VALUES (:id, :word)"), .integer(1000),
          .integer(0),
        ]
      ])
    let rows = try connection.rows(of: "words")
    #expect(rows == (0..<1000).map { [.integer($0), .text("word \($0)")] })
  }

  @Test func `a row without its rowid gets a new one`() throws {
    let connection = try Connection.inMemory(with: words)
    var insert = try connection.prepareInsertIntoTable(describedBy: words)
    try insert.insert([.integer(41), .null])
    try insert.insert([.null, .text("next")])
    #expect(try connection.rows(of: "words").last == [.integer(42), .text("next")])
  }

  @Test func `values are assigned by column name`() throws {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE words (word TEXT, id INTEGER PRIMARY KEY)")
    var insert = try connection.prepareInsertIntoTable(describedBy: words)
    try insert.insert([.integer(1), .text("one")])
    #expect(try connection.query("SELECT id, word FROM words") == [[.integer(1), .text("one")]])
  }

  @Test func `a literal may list its values in any order, each once`() throws {
    let connection = try Connection.inMemory(with: words)
    var insert = try connection.prepareInsertIntoTable(describedBy: words)
    try insert.insert(["word": "one", "id": 1])
    // The compiler detects a duplicate name in a literal, but not in a variable.
    let (id, x) = ("id", "x")
    let twice = try failure { try insert.insert(["id": 1, "word": "two", id: 2]) }
    #expect(twice.code == .range)
    #expect(twice.message == "column id of words has two values")
    let unknown = try failure { try insert.insert(["id": 2, "word": "two", "x": 1, "y": 2, x: 1]) }
    #expect(unknown.message == "words has no column x, y (columns: id, word)")
    try expectFailure("column word of words has no value; to leave it out, list it in leavingOut") {
      try insert.insert(["id": 2])
    }
    let none = try failure { try insert.insert([:]) }
    #expect(
      none.message == "column id of words has no value; to leave it out, list it in leavingOut")
    #expect(try connection.rows(of: "words") == [[1, "one"]])
  }

  @Test func `names are compared by bytes`() throws {
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    let table = TableDescription(
      "t", columns: [composed, decomposed].map { ColumnDescription($0, .integer) }, primaryKey: [])
    let connection = try Connection.inMemory(with: table)
    var insert = try connection.prepareInsertIntoTable(describedBy: table)
    try insert.insert(["e\u{301}": 2, "\u{E9}": 1])
    #expect(try connection.rows(of: "t") == [[1, 2]])
    let one: [String: SQLiteValue] = [composed: 3]
    let error = try failure { try insert.insert(one) }
    #expect(
      error.message
        == "column \(decomposed) of t has no value; to leave it out, list it in leavingOut")
  }

  @Test func `the table must exist, and may change`() throws {
    let connection = try Connection.inMemory()
    let error = try failure { _ = try connection.prepareInsertIntoTable(describedBy: words) }
    #expect(error.message == "no such table: words")
    try connection.createTable(describedBy: words)
    var insert = try connection.prepareInsertIntoTable(describedBy: words)
    try insert.insert([.integer(1), .null])
    try connection.execute("CREATE UNIQUE INDEX i ON words (word)")
    try connection.execute("ALTER TABLE words ADD COLUMN more TEXT")
    try insert.insert([.integer(2), .text("two")])
    let refused = try failure { try insert.insert([.integer(3), .text("two")]) }
    #expect(refused.extendedCode == .constraintUnique)
    try connection.execute("DROP TABLE words")
    try expectFailure("no such table: words") { try insert.insert([.integer(3), .null]) }
  }
}
