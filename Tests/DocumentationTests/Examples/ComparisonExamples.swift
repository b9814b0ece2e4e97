import SQLiteSwiftly
import SQLiteSwiftlyData
import Testing

/// The examples of the article for those who come from another library.
struct ComparisonExamples {
  // Example: FromSQLiteSwift # Corresponding calls (2)

  // Example: ComingFromAnotherLibrary # StructuredQueries (2)

  // Example: ComingFromAnotherLibrary # StructuredQueries

  private func makeUsers() throws -> Connection {
    let connection = try Connection.inMemory()
    try connection.execute(
      "CREATE TABLE users (id INTEGER PRIMARY KEY, email TEXT NOT NULL UNIQUE, name TEXT)")
    try connection.execute(
      """
      INSERT INTO users (email, name)
      VALUES ('ada@example.org', 'Ada'), ('bea@example.org', 'Bea'), ('cy@example.org', NULL)
      """)
    return connection
  }

  @Test func `SW-39 SW-40 SW-41 contacts, as with SQLite_swiftly`() throws {
    try withFolder { folder in
      let path = folder + "/contacts.sqlite"

      // Example: ComingFromAnotherLibrary # SQLite.swiftly

      #expect(names == ["Ada", "Bea"])
      #expect(rows.map { $0["id"] } == [1, 2])
    }
  }

  @Test func `users, as with SQLite_swift`() throws {
    let connection = try Connection.inMemory()

    // Example: FromSQLiteSwift # Corresponding calls

    #expect(found?.email == email && found?.name == "Ada")
    #expect(updated == 1 && count == 1)
    #expect(try connection.rows(of: "users") == [[1, .text(email), "Ada L."]])
    let error = try failure {
      try connection.execute("INSERT INTO users (email) VALUES (\(email))")
    }
    #expect(error.code == .constraint && error.message == "UNIQUE constraint failed: users.email")
  }

  @Test func `a savepoint, as with SQLite_swift and GRDB`() throws {
    let connection = try makeUsers()

    // Example: FromSQLiteSwift # Corresponding calls (3)

    #expect(try connection.query("SELECT name FROM users") == [["Ada"], [.null]])
  }

  @Test func `users, as with GRDB`() throws {
    let connection = try makeUsers()

    // Example: FromGRDB # Corresponding calls

    #expect(all.map(\.id) == [1, 2, 3])
    #expect(count == 3)
    #expect(names == ["Ada", "Bea", nil])
    #expect(emails == ["bea@example.org", "cy@example.org"])
  }

  @Test func `SK-1 SK-2 SK-3 SK-4 SK-5 SK-6 SK-7 a table, as with SkipSQL`() throws {
    try withFolder { folder in
      let path = folder + "/some.sqlite"
      for run in 1...2 {
        // Example: ComingFromAnotherLibrary # SkipSQL

        #expect(rows == Array(repeating: ["ABC"], count: run))
      }
    }
  }

  @Test func `SK-8 SK-11 SK-12 calculations, as with SkipSQL`() throws {
    // Example: ComingFromAnotherLibrary # SkipSQL (2)

    #expect(rows == [[1, 5, 20]])
  }

  @Test func `SK-13 SK-15 SK-16 SK-17 SK-18 SK-19 SK-20 inserts, as with SkipSQL`() throws {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE numbers (num INTEGER, str TEXT)")

    // Example: ComingFromAnotherLibrary # SkipSQL (3)

    #expect(try connection.value(of: "SELECT count(*) FROM numbers")?.integerValue == 1_000)
    #expect(try connection.query("SELECT str FROM numbers WHERE num = 77") == [["Row #77"]])
    try connection.close()
  }

  @Test func `SK-22 SK-25 SK-26 migrations, as with SkipSQL`() throws {
    let connection = try Connection.inMemory()

    // Example: ComingFromAnotherLibrary # SkipSQL (4)

    #expect(try connection.value(of: .userVersion) == 2)
    #expect(try connection.query("SELECT id, description FROM data_item") == [])
  }

  @Test func `SQ-1 SQ-19 a query builder's query is run and decoded`() throws {
    let connection = try makeUsers()

    // Example: ComingFromAnotherLibrary # StructuredQueries (3)

    #expect(newest.map(\.email) == ["cy@example.org", "bea@example.org"])
  }
}
