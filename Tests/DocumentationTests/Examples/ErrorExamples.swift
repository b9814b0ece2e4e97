import SQLiteSwiftly
import Testing

/// The examples of the article about errors.
struct ErrorExamples {
  private func makeColors() throws -> Connection {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE colors (id INTEGER PRIMARY KEY, name TEXT UNIQUE)")
    try connection.execute("INSERT INTO colors VALUES (0, 'Black')")
    return connection
  }

  @Test func `SW-61 SW-63 SW-64 SW-65 an error reports what, where and why`() throws {
    let connection = try makeColors()
    var report = ""

    // Example: HandlingErrors # Overview

    #expect(report == "This color already exists")
    let error = try failure { try connection.execute("INSERT INTO colors (name) VALUES (\(name))") }
    #expect(error.code == .constraint && error.extendedCode.name == "SQLITE_CONSTRAINT_UNIQUE")
    #expect(
      "\(error)" == """
        UNIQUE constraint failed: colors.name (SQLITE_CONSTRAINT_UNIQUE, 2067) in: \
        INSERT INTO colors (name) VALUES (?)
        """)
  }

  @Test func `SK-14 X-1 a transaction that throws leaves nothing behind`() throws {
    let connection = try makeColors()

    // Example: HandlingErrors # Transactions

    #expect(problem?.message == "UNIQUE constraint failed: colors.name")
    #expect(try connection.rows(of: "colors") == [[0, "Black"]])
  }

  @Test func `X-5 a transaction that SQLite rolled back cannot continue`() throws {
    let connection = try makeColors()

    var problems: [SQLiteError] = []
    // Example: HandlingErrors # Automatic rollback

    #expect(problems.map(\.code) == [.constraint, .abort])
    #expect(try connection.rows(of: "colors") == [[0, "Black"]])
  }

  @Test func `X-1 X-4 a transaction that finds the file busy is retried`() throws {
    try withFolder { folder in
      let path = folder + "/colors.sqlite"
      let other = try Connection(path, opening: .createNew)
      try other.execute("CREATE TABLE colors (id INTEGER PRIMARY KEY)")
      let connection = try Connection(path, opening: .openExisting)
      var attempts = 0

      // Example: HandlingErrors # Busy

      try other.transaction { () throws(SQLiteError) in
        try other.execute("INSERT INTO colors VALUES (1)")
        #expect(throws: SQLiteError.self) { try insert(2) }
      }
      #expect(attempts == 0)

      // Example: HandlingErrors # Busy (2)

      #expect(attempts == 1)
      #expect(try connection.rows(of: "colors") == [[1], [2]])
    }
  }
}
