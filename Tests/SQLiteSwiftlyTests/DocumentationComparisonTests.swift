import SQLiteSwiftly
import SQLiteSwiftlyData
import Testing

/// The examples of the article for those who come from another library.
struct DocumentationComparisonTests {
  struct User: RowDecodable, Equatable {
    var id: Int
    var email: String
    var name: String?

    init(row: borrowing Row) throws(SQLiteError) {
      id = try row["id"]
      email = try row["email"]
      name = try row["name"]
    }
  }

  struct StoredUser: QueryDecodable {
    var id: Int
    var email: String
    var name: String?

    init<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
      decoder: inout Decoder
    ) throws(Decoder.Failure) {
      id = try Int(decoder: &decoder)
      email = try String(decoder: &decoder)
      name = try decoder.decode(String.self)
    }
  }

  struct NewestUsers: SQLQuery {
    var count: Int64

    var text: String { "SELECT id, email, name FROM users ORDER BY id DESC LIMIT ?" }
    var values: [SQLiteValue] { [.integer(count)] }
  }

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

      let contacts = TableDescription(
        "contact",
        columns: [ColumnDescription("id", .integer), ColumnDescription("name", .text)],
        primaryKey: ["id"])

      let connection = try Connection(path, opening: .createNew)
      try connection.createTable(describedBy: contacts)
      var insert = try connection.prepareInsertIntoTable(describedBy: contacts)
      try insert.insert(["id": 1, "name": "Ada"])
      try insert.insert(["id": 2, "name": "Bea"])
      let rows = try connection.readAllRows(fromTable: contacts)
      let names = try rows.map { try $0.value("name", as: String.self) }

      #expect(names == ["Ada", "Bea"])
      #expect(rows.map { $0["id"] } == [1, 2])
    }
  }

  @Test func `users, as with SQLite_swift`() throws {
    let connection = try Connection.inMemory()

    let users = TableDescription(
      "users",
      columns: [
        ColumnDescription("id", .integer), ColumnDescription("email", .text),
        ColumnDescription("name", .text, isNullable: true),
      ],
      primaryKey: ["id"], uniqueKeys: [["email"]])
    try connection.createTable(describedBy: users)

    let email = "ada@example.org"
    try connection.execute("INSERT INTO users (email, name) VALUES (\(email), \("Ada"))")
    let id = try connection.lastInsertedRowID

    let found = try connection.first("SELECT * FROM users WHERE id = \(id)", as: User.self)

    try connection.execute("UPDATE users SET name = \("Ada L.") WHERE id = \(id)")
    let updated = try connection.changes

    let count = try connection.first("SELECT count(*) FROM users", as: Int.self)

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

    try connection.transaction {
      try connection.execute("DELETE FROM users WHERE name = 'Bea'")
      try? connection.transaction {
        try connection.execute("DELETE FROM users")
        throw CancellationError()
      }
    }

    #expect(try connection.query("SELECT name FROM users") == [["Ada"], [.null]])
  }

  @Test func `users, as with GRDB`() throws {
    let connection = try makeUsers()

    let all = try connection.query("SELECT id, email, name FROM users", as: User.self)
    let count = try connection.first("SELECT count(*) FROM users", as: Int.self) ?? 0
    let names = try connection.query("SELECT name FROM users", as: String?.self)

    var emails: [String] = []
    var statement = try connection.prepare("SELECT email FROM users WHERE id > ?")
    var cursor = statement.rows([1])
    while let row = try cursor.next() { emails.append(try row.text(at: 0) ?? "") }

    #expect(all.map(\.id) == [1, 2, 3])
    #expect(count == 3)
    #expect(names == ["Ada", "Bea", nil])
    #expect(emails == ["bea@example.org", "cy@example.org"])
  }

  @Test func `SK-1 SK-2 SK-3 SK-4 SK-5 SK-6 SK-7 a table, as with SkipSQL`() throws {
    try withFolder { folder in
      let path = folder + "/some.sqlite"
      for run in 1...2 {
        let connection = try Connection(path, opening: .openOrCreate)
        try connection.execute("CREATE TABLE IF NOT EXISTS some_table (string TEXT)")
        try connection.execute("INSERT INTO some_table (string) VALUES (?)", ["ABC"])
        let rows = try connection.query("SELECT string FROM some_table")
        try connection.close()

        #expect(rows == Array(repeating: ["ABC"], count: run))
      }
    }
  }

  @Test func `SK-8 SK-11 SK-12 calculations, as with SkipSQL`() throws {
    let connection = try Connection.inMemory()
    let rows = try connection.query("SELECT 1, 2 + 3, 4 * 5")

    #expect(rows == [[1, 5, 20]])
  }

  @Test func `SK-13 SK-15 SK-16 SK-17 SK-18 SK-19 SK-20 inserts, as with SkipSQL`() throws {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE numbers (num INTEGER, str TEXT)")

    var insert = try connection.prepare("INSERT INTO numbers (num, str) VALUES (?, ?)")
    try connection.transaction {
      for number in 1...1_000 {
        try insert.run([.integer(Int64(number)), .text("Row #\(number)")])
      }
    }
    insert.close()

    #expect(try connection.value(of: "SELECT count(*) FROM numbers")?.integerValue == 1_000)
    #expect(try connection.query("SELECT str FROM numbers WHERE num = 77") == [["Row #77"]])
    try connection.close()
  }

  @Test func `SK-22 SK-25 SK-26 migrations, as with SkipSQL`() throws {
    let connection = try Connection.inMemory()

    let migrations = [
      Migration(to: 1, "make the table", "CREATE TABLE data_item (id INTEGER PRIMARY KEY)"),
      Migration(
        to: 2, "add the description", "ALTER TABLE data_item ADD COLUMN description TEXT"),
    ]
    try connection.migrate(migrations)

    #expect(try connection.value(of: .userVersion) == 2)
    #expect(try connection.query("SELECT id, description FROM data_item") == [])
  }

  @Test func `SQ-1 SQ-19 a query builder's query is run and decoded`() throws {
    let connection = try makeUsers()

    let newest = try connection.query(SQL(NewestUsers(count: 2)), as: StoredUser.self)

    #expect(newest.map(\.email) == ["cy@example.org", "bea@example.org"])
  }
}
