import SQLiteSwiftlyData
import SQLiteSwiftly
import Testing

/// Errors are logged: none of them shows a value that was stored or bound.
struct ErrorPrivacyTests {
  enum Color: String, QueryDecodableValue { case black }
  enum Level: Int, QueryDecodableValue { case low }

  /// A value that must stay secret, a call that fails on it, and the message.
  struct Secret: Sendable, CustomTestStringConvertible {
    let value: String
    let message: String
    let call: @Sendable (Connection) throws -> Void
    var testDescription: String { message }

    init(
      _ value: String, _ message: String, _ call: @escaping @Sendable (Connection) throws -> Void
    ) {
      (self.value, self.message, self.call) = (value, message, call)
    }
  }

  static let secrets: [Secret] = [
    Secret("hunter2", "column 0 (word): expected a case of Color") {
      _ = try $0.query("SELECT word FROM secrets", as: Color.self)
    },
    Secret("hunter2", "column 0 (word): expected a case of Color") {
      _ = try $0.query("SELECT word FROM secrets", as: Color?.self)
    },
    Secret("87654", "column 0 (number): expected a case of Level") {
      _ = try $0.query("SELECT number FROM secrets", as: Level.self)
    },
    Secret("87654", "column 0 (number): expected an integer of 8 bits") {
      _ = try $0.query("SELECT number FROM secrets", as: Int8.self)
    },
    Secret("87654", "column 0: expected an integer of 8 bits") { _ in
      var decoder = ValueQueryDecoder([87654])
      _ = try Int8(decoder: &decoder)
    },
    Secret("1.25e+99", "column 0 (weight): expected a number of 32 bits") {
      _ = try $0.query("SELECT weight FROM secrets", as: Float.self)
    },
    Secret("hunter2", "column 0 (word): expected an integer, found text") {
      _ = try $0.query("SELECT word FROM secrets", as: Int.self)
    },
    Secret("hunter2", "column word: expected an integer, found text") {
      let _: Int = try $0.readAllRows(fromTable: secretTable)[0].value("word")
    },
    Secret(
      "18446744073709551615",
      "a value of type UInt64 does not fit into SQLite's 64-bit integers"
    ) {
      try $0.execute("INSERT INTO secrets (number) VALUES (\(UInt64.max))")
    },
    Secret("hunter2", "UNIQUE constraint failed: secrets.word") {
      try $0.execute("INSERT INTO secrets VALUES (\("hunter2"), 1, 1)")
    },
    Secret("hunter2", "cannot store TEXT value in INTEGER column secrets.number") {
      try $0.execute("INSERT INTO secrets VALUES ('x', \("hunter2"), 1)")
    },
  ]

  private static let secretTable = TableDescription(
    "secrets",
    columns: [
      ColumnDescription("word", .text), ColumnDescription("number", .integer),
      ColumnDescription("weight", .real),
    ],
    primaryKey: ["word"], isWithoutRowid: false)

  @Test("the description of an error shows no value", arguments: secrets)
  func noValue(secret: Secret) throws {
    let connection = try Connection.inMemory(with: Self.secretTable)
    try connection.execute("INSERT INTO secrets VALUES ('hunter2', 87654, 1.25e99)")
    let error = try failure { try secret.call(connection) }
    #expect(error.message == secret.message)
    #expect(!"\(error)".contains(secret.value))
  }

  @Test func `the key of a model is not in the error of a helper`() throws {
    let boxes = try ChosenBoxHelper.make(ChosenBoxHelper.init)
    let error = try helperFailure { try boxes.insert(Box(id: -87654)) }
    #expect(!"\(error)".contains("87654"))
  }

  /// The exception named in the handbook.
  @Test func `messages of SQLite itself show a faulty path or search`() throws {
    let connection = try Connection.inMemory()
    let path = try failure { _ = try connection.query("SELECT json_extract('{}', \("hunter2"))") }
    #expect(path.message.contains("hunter2"))
    try connection.execute("CREATE VIRTUAL TABLE found USING fts5 (word)")
    let search = try failure {
      _ = try connection.query("SELECT * FROM found WHERE found MATCH \("hunter2:")")
    }
    #expect(search.message.contains("hunter2"))
  }
}
