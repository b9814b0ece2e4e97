import SQLiteSwiftly
import Testing

struct DocumentationAuthorizerTests {
  private func club() throws -> Connection {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE members (name TEXT, email TEXT)")
    try connection.execute("INSERT INTO members VALUES ('Ada', 'ada@example.org')")
    return connection
  }

  @Test func `untrusted queries can only read`() throws {
    let connection = try club()
    let question: SQL = "SELECT upper(name) FROM members"
    connection.authorizer = { action in
      switch action.operation {
      case .select, .read, .function, .recursive: .allow
      default: .deny
      }
    }
    let answers = try connection.query(question)
    #expect(answers.map { $0[0] } == [.text("ADA")])
    #expect(throws: SQLiteError.self) { try connection.execute("DELETE FROM members") }
  }

  @Test func `a column is hidden`() throws {
    let connection = try club()
    connection.authorizer = { action in
      switch action.operation {
      case .read(let table, let column): table == "members" && column == "email" ? .ignore : .allow
      case .select, .function, .recursive: .allow
      default: .deny
      }
    }
    #expect(
      try connection.query("SELECT * FROM members").map(Array.init) == [[.text("Ada"), .null]])
    connection.authorizer = { action in
      action.operation == .read(table: "members", column: "email") ? .ignore : .allow
    }
    #expect(
      try connection.query("SELECT * FROM members").map(Array.init) == [[.text("Ada"), .null]])
  }

  @Test func `no file is attached`() throws {
    let connection = try club()
    connection.authorizer = { action in
      if case .attach = action.operation { .deny } else { .allow }
    }
    #expect(throws: SQLiteError.self) { try connection.execute("ATTACH ':memory:' AS other") }
    try connection.execute("DELETE FROM members")
  }
}
