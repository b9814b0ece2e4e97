import SQLiteSwiftly
import Testing

/// The examples in the comments of connections.
struct ConnectionExamples {
  @Test func `a connection`() throws {
    try withFolder { folder in
      let path = folder + "/catalog.sqlite"

      // Example: Connection.swift # Connection

      #expect(count == 1)
      try expectThemes(inFileAt: path)
    }
  }

  private func expectThemes(inFileAt path: String) throws {
    // Example: Connection.swift # inMemory

    #expect(themes == [["Technic"]])
  }

  @Test func `a backup`() throws {
    try withFolder { folder in
      let connection = try Connection.ofParts()
      let path = folder + "/copy.sqlite"

      // Example: Connection+Backup.swift # backUp

      let reader = try Connection(path, opening: .readOnly)
      #expect(try reader.rows(of: "parts") == connection.rows(of: "parts"))
    }
  }

  @Test func `checks`() throws {
    let connection = try Connection.ofParts()
    try connection.execute("CREATE TABLE stock (part_num TEXT REFERENCES parts)")
    try connection.execute("INSERT INTO stock VALUES ('3001'), ('4711')")
    var messages: [String] = []

    // Example: Connection+Checks.swift # foreignKeyViolations

    // Example: Connection+Checks.swift # faults

    #expect(messages == ["row 2 of stock has no parent in parts"])
  }

  @Test func `a transaction`() throws {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE stock (place TEXT PRIMARY KEY, bricks INTEGER NOT NULL)")
    try connection.execute("INSERT INTO stock VALUES ('shop', 10), ('store', 20)")
    let bricks = 5

    // Example: Connection+Transactions.swift # transaction

    #expect(try connection.rows(of: "stock") == [["shop", 15], ["store", 15]])
  }

  @Test func `an interrupter`() throws {
    let connection = try Connection.ofParts()

    // Example: Interrupter.swift # Interrupter

    #expect(count == 27)
  }

  @Test func `a task that is not canceled gets its result`() throws {
    let connection = try Connection.ofParts()

    // Example: Interrupter.swift # interruptingOnCancellation

    #expect(count == 3)
  }

  @Test func `a pragma`() throws {
    try withFolder { folder in
      let connection = try Connection(folder + "/parts.sqlite", opening: .createNew)

      // Example: Pragma.swift # Pragma

      #expect(version == 0)
      #expect(try connection.value(of: .journalMode) == .wal)
    }
  }

  @Test func `untrusted queries can only read`() throws {
    let connection = try Connection.ofParts()
    let question: SQL = "SELECT upper(name) FROM parts WHERE part_num = '3001'"

    // Example: Connection.swift # authorizer

    #expect(answers == [["BRICK"]])
    #expect(throws: SQLiteError.self) { try connection.execute("DELETE FROM parts") }
  }
}
