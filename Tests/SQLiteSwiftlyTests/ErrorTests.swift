import Testing

@testable import SQLiteSwiftly

struct ErrorTests {
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

  @Test("SW-68 SW-70 the last message names the culprit") func lastMessage() throws {
    let connection = try Connection.inMemory()
    let error = try failure { try connection.execute("SELECT a FROM missing") }
    #expect(connection.lastErrorMessage == "no such table: missing")
    #expect(connection.lastErrorMessage == error.message)
  }

  @Test("SW-69 without a failure there is no message") func noMessage() throws {
    let connection = try Connection.inMemory()
    #expect(connection.lastErrorMessage == nil)
    try connection.execute("CREATE TABLE t (a)")
    #expect(connection.lastErrorMessage == nil)
    _ = try failure { try connection.execute("SELECT missing()") }
    #expect(connection.lastErrorMessage == "no such function: missing")
    #expect(try connection.query("SELECT 1") == [[.integer(1)]])
    #expect(connection.lastErrorMessage == nil)
    try connection.close()
    #expect(connection.lastErrorMessage == nil)
  }

  @Test("SW-72 codes decide errors, not messages") func codesDecide() throws {
    let connection = try Connection.inMemory(
      after: "CREATE TABLE t (a UNIQUE)",
      "CREATE TRIGGER r BEFORE DELETE ON t BEGIN SELECT RAISE (ABORT, ''); END")
    var insert = try connection.prepare("INSERT INTO t VALUES (?)")
    try insert.run([1])
    let refused = try failure { try insert.run([1]) }
    #expect(refused.message == "UNIQUE constraint failed: t.a")
    // The words of that failure are still there, and the statement that failed works again.
    #expect(connection.lastErrorMessage == refused.message)
    try insert.run([2])
    // A failure is one without words, too.
    try expectFailure(extended: .constraintTrigger, "") { try connection.execute("DELETE FROM t") }
    #expect(try connection.rows(of: "t") == [[.integer(1)], [.integer(2)]])
  }

  @Test("SW-72 an error does not have the message of an earlier one") func ownWords() throws {
    let connection = try Connection.inMemory()
    _ = try failure { try connection.execute("SELECT missing()") }
    let error = unsafe SQLiteError(5, on: try connection.openHandle(), sql: nil)
    #expect(error == SQLiteError(.busy, "database is locked"))
  }
}
