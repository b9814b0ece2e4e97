import SQLiteSwiftly
import Testing

struct ErrorTests {
  /// SQL that fails, with the code, the extended code and the message.
  static let failures: [(SQL, SQLiteError.ResultCode, Int32, String)] = [
    ("SELEC \(1)", .error, 1, "near \"SELEC\": syntax error"),
    ("SELECT a FROM missing", .error, 1, "no such table: missing"),
    ("SELECT missing()", .error, 1, "no such function: missing"),
    (
      "INSERT INTO t VALUES (\(1), \("secret"))", .constraint, 1555, "UNIQUE constraint failed: t.a"
    ),
    ("INSERT INTO t VALUES (\(2), \("x"))", .constraint, 2067, "UNIQUE constraint failed: t.b"),
    ("INSERT INTO t VALUES (\(2), NULL)", .constraint, 1299, "NOT NULL constraint failed: t.b"),
    ("INSERT INTO t VALUES (\(2), '')", .constraint, 275, "CHECK constraint failed: b <> ''"),
    ("INSERT INTO t VALUES (\("secret"), 'y')", .mismatch, 20, "datatype mismatch"),
    ("SELECT abs(\(Int64.min))", .error, 1, "integer overflow"),
    (
      "SELECT zeroblob(2000000000)", SQLiteError.ResultCode(rawValue: 18), 18,
      "string or blob too big"
    ),
  ]

  @Test(arguments: failures)
  func `an error says what SQLite says, without the values`(
    query: SQL, code: SQLiteError.ResultCode, extended: Int32, message: String
  ) throws {
    let connection = try Connection.inMemory()
    try connection.execute(
      "CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT NOT NULL UNIQUE CHECK (b <> ''))")
    try connection.execute("INSERT INTO t VALUES (1, 'x')")
    let error = try failure { _ = try connection.query(query) }
    #expect(error.code == code && error.extendedCode == extended)
    #expect(error.message == message && error.sql == query.text)
    #expect("\(error)" == "\(message) (SQLite code \(extended)) in: \(query.text)")
    #expect(!"\(error)".contains("secret"))
    // An error leaves nothing behind that the next statement would stumble on.
    #expect(try connection.value(of: "SELECT count(*) FROM t") == .integer(1))
  }

  @Test func `an error without SQL has a description, too`() throws {
    let error = try failure { _ = try Connection("/", opening: .openExisting) }
    #expect(error.sql == nil)
    #expect("\(error)" == "/: This is a folder (SQLite code 14)")
  }

  static let codes: [(SQLiteError.ResultCode, Int32)] = [
    (.error, 1), (.busy, 5), (.outOfMemory, 7), (.readOnly, 8), (.interrupted, 9),
    (.inputOutput, 10), (.corrupt, 11), (.full, 13), (.cannotOpen, 14), (.constraint, 19),
    (.mismatch, 20), (.misuse, 21), (.range, 25), (.notADatabase, 26),
  ]

  @Test(arguments: codes)
  func `codes are SQLite's`(code: SQLiteError.ResultCode, number: Int32) {
    #expect(code.rawValue == number)
  }

  @Test func `the library is the one of the version that it says`() throws {
    let version = try Connection.inMemory().value(of: "SELECT sqlite_version()")
    #expect(version == .text(SQLiteLibrary.version))
  }
}
