import SQLiteSwiftly
import Testing

struct ErrorTests {
  /// SQL that fails, with the code, its name and number, and the message.
  static let failures: [(SQL, SQLiteError.ResultCode, String, String)] = [
    ("SELEC \(1)", .error, "SQLITE_ERROR, 1", "near \"SELEC\": syntax error"),
    ("SELECT a FROM missing", .error, "SQLITE_ERROR, 1", "no such table: missing"),
    ("SELECT missing()", .error, "SQLITE_ERROR, 1", "no such function: missing"),
    (
      "INSERT INTO t VALUES (\(1), \("secret"))", .constraintPrimaryKey,
      "SQLITE_CONSTRAINT_PRIMARYKEY, 1555", "UNIQUE constraint failed: t.a"
    ),
    (
      "INSERT INTO t VALUES (\(2), \("x"))", .constraintUnique, "SQLITE_CONSTRAINT_UNIQUE, 2067",
      "UNIQUE constraint failed: t.b"
    ),
    (
      "INSERT INTO t VALUES (\("secret"), 'y')", .mismatch, "SQLITE_MISMATCH, 20",
      "datatype mismatch"
    ),
    ("SELECT abs(\(Int64.min))", .error, "SQLITE_ERROR, 1", "integer overflow"),
    ("SELECT zeroblob(2000000000)", .tooBig, "SQLITE_TOOBIG, 18", "string or blob too big"),
  ]

  @Test("SW-61 SW-63 X-13 an error has SQLite's message, without the values", arguments: failures)
  func sayings(
    query: SQL, code: SQLiteError.ResultCode, name: String, message: String
  ) throws {
    let connection = try Connection.inMemory()
    try connection.execute(
      "CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT NOT NULL UNIQUE CHECK (b <> ''))")
    try connection.execute("INSERT INTO t VALUES (1, 'x')")
    let error = try failure { _ = try connection.query(query) }
    #expect(error.code == code.primary && error.extendedCode == code)
    #expect(error.message == message && error.sql == query.text)
    #expect("\(error)" == "\(message) (\(name)) in: \(query.text)")
    #expect(!"\(error)".contains("secret"))
    // An error leaves nothing behind that the next statement would stumble on.
    #expect(try connection.value(of: "SELECT count(*) FROM t") == .integer(1))
  }

  @Test func `an error without SQL has a description, too`() throws {
    let error = try failure { _ = try Connection("/", opening: .openExisting) }
    #expect(error.sql == nil)
    #expect("\(error)" == "/: not a regular file: it is a folder (SQLITE_CANTOPEN, 14)")
  }

  @Test("SW-64 the caller's own error is rethrown unchanged") func thrown() throws {
    let connection = try Connection.inMemory()
    let own = SQLiteError(.constraintFunction, "not today", sql: "SELECT 1")
    let error = try failure { try connection.transaction { () throws(SQLiteError) in throw own } }
    #expect(error == own && error.code == .constraint)
    #expect("\(error)" == "not today (SQLITE_CONSTRAINT_FUNCTION, 1043) in: SELECT 1")
  }
}
