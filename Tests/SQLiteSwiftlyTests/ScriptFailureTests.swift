import SQLiteSwiftly
import Testing

/// A script that fails, and its effects on the table `t` before that.
struct ScriptFailure: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let script: SQL
  let code: SQLiteError.ResultCode
  let message: String
  /// The statement that the error has.
  let sql: String?
  let rows: [[SQLiteValue]]

  init(
    _ name: String, _ script: SQL, _ code: SQLiteError.ResultCode, _ message: String, sql: String?,
    rows: [[SQLiteValue]]
  ) {
    (testDescription, self.script, self.code) = (name, script, code)
    (self.message, self.sql, self.rows) = (message, sql, rows)
  }
}

struct ScriptFailureTests {
  static let noValue = "parameter but 0 values: parameter 1"

  static let cases: [ScriptFailure] = [
    ScriptFailure(
      "a word that is none", "INSERT INTO t VALUES (1); INSRT INTO t VALUES (2); DELETE FROM t",
      .error, "statement 2: near \"INSRT\": syntax error",
      sql: " INSRT INTO t VALUES (2); DELETE FROM t", rows: [[1]]),
    ScriptFailure(
      "a table that is not there, after nothings",
      ";; -- a; b\n/* c; */ ; INSERT INTO t VALUES (1);; ; INSERT INTO u VALUES (2)", .error,
      "statement 2: no such table: u", sql: "; ; INSERT INTO u VALUES (2)", rows: [[1]]),
    ScriptFailure(
      "a constraint",
      "INSERT INTO t VALUES (1);INSERT INTO t VALUES (2);INSERT INTO t VALUES (1);DELETE FROM t",
      .constraintUnique, "statement 3: UNIQUE constraint failed: t.a",
      sql: "INSERT INTO t VALUES (1);", rows: [[1], [2]]),
    ScriptFailure(
      "one of several rows", "INSERT INTO t VALUES (1);INSERT INTO t VALUES (2), (1), (3)",
      .constraintUnique, "statement 2: UNIQUE constraint failed: t.a",
      sql: "INSERT INTO t VALUES (2), (1), (3)", rows: [[1]]),
    ScriptFailure(
      "a statement that returns rows", "INSERT INTO t VALUES (1);SELECT a FROM t;DELETE FROM t",
      .misuse, "statement 2: the statement returns rows; read them with query",
      sql: "SELECT a FROM t;", rows: [[1]]),
    ScriptFailure(
      "a change that returns rows", "INSERT INTO t VALUES (1) RETURNING a", .misuse,
      "statement 1: the statement returns rows; read them with query",
      sql: "INSERT INTO t VALUES (1) RETURNING a", rows: []),
    ScriptFailure(
      "a setting that is told back", "PRAGMA journal_mode = MEMORY", .misuse,
      "statement 1: the statement returns rows; read them with query",
      sql: "PRAGMA journal_mode = MEMORY", rows: []),
    ScriptFailure(
      "a parameter without a value", "INSERT INTO t VALUES (\(1));INSERT INTO t VALUES (?)", .range,
      "statement 2: 1 \(noValue) has no value", sql: "INSERT INTO t VALUES (?)",
      rows: [[1]]),
    ScriptFailure(
      "a name without a value", "INSERT INTO t VALUES (1); INSERT INTO t VALUES (:name)", .range,
      "statement 2: 1 \(noValue) (:name) has no value",
      sql: " INSERT INTO t VALUES (:name)", rows: [[1]]),
    ScriptFailure(
      "a value in a comment", "INSERT INTO t VALUES (\(1)); -- \(2)", .range,
      "1 unused value in the script", sql: "INSERT INTO t VALUES (?); -- ?",
      rows: [[1]]),
    ScriptFailure(
      "a value in a comment before another one",
      "INSERT INTO t VALUES (3) /* \(1) */; INSERT INTO t VALUES (\(2))", .range,
      "statement 1: 0 parameters but 1 value: 1 extra value",
      sql: "INSERT INTO t VALUES (3) /* ? */;", rows: []),
    ScriptFailure(
      "a value in a comment between statements",
      "INSERT INTO t VALUES (\(1)); -- \(3)\n; INSERT INTO t VALUES (\(2))", .range,
      "statement 2: 1 parameter but 2 values: 1 extra value",
      sql: " -- ?\n; INSERT INTO t VALUES (?)", rows: [[1]]),
    ScriptFailure(
      "a number beyond 64 bits", "INSERT INTO t VALUES (1); INSERT INTO t VALUES (\(UInt64.max))",
      .range, "a value of type UInt64 does not fit into SQLite's 64-bit integers",
      sql: "INSERT INTO t VALUES (1); INSERT INTO t VALUES (?)",
      rows: []),
    ScriptFailure(
      "a text that has no end", "INSERT INTO t VALUES (1); INSERT INTO t VALUES ('2);", .error,
      "statement 2: unrecognized token: \"'2);\"", sql: " INSERT INTO t VALUES ('2);", rows: [[1]]),
    ScriptFailure(
      "a name that has no end", "INSERT INTO t VALUES (1); DELETE FROM \"t; DELETE FROM t", .error,
      "statement 2: unrecognized token: \"\"t; DELETE FROM t\"",
      sql: " DELETE FROM \"t; DELETE FROM t", rows: [[1]]),
    ScriptFailure(
      "a statement that has no end", "INSERT INTO t VALUES (1); INSERT INTO t VALUES (", .error,
      "statement 2: incomplete input", sql: " INSERT INTO t VALUES (", rows: [[1]]),
    ScriptFailure(
      "a trigger that has no end",
      "INSERT INTO t VALUES (1);CREATE TRIGGER r AFTER INSERT ON t BEGIN DELETE FROM t;", .error,
      "statement 2: incomplete input",
      sql: "CREATE TRIGGER r AFTER INSERT ON t BEGIN DELETE FROM t;", rows: [[1]]),
    ScriptFailure(
      "a NUL", "INSERT INTO t VALUES (1);\0INSERT INTO t VALUES (2)", .misuse,
      "the SQL contains a NUL character",
      sql: "INSERT INTO t VALUES (1);\0INSERT INTO t VALUES (2)",
      rows: []),
    ScriptFailure(
      "a vacuum within a transaction", "INSERT INTO t VALUES (1);SAVEPOINT a;VACUUM", .error,
      "statement 3: cannot VACUUM from within a transaction", sql: "VACUUM", rows: [[1]]),
  ]

  @Test(arguments: cases)
  func `an error has the number of its statement, and earlier changes remain`(
    script: ScriptFailure
  ) throws {
    let connection = try Connection.inMemory(after: "CREATE TABLE t (a UNIQUE)")
    let error = try failure { try connection.execute(script: script.script) }
    #expect(error.extendedCode == script.code)
    #expect(error.message == script.message)
    #expect(error.sql == script.sql)
    #expect(try connection.rows(of: "t") == script.rows)
    // Nothing is left over that would be in the way.
    try connection.close()
  }

  @Test func `another connection's lock fails the statement that needs it`() throws {
    try withFile { path in
      let connection = try Connection(path, opening: .createNew)
      try connection.execute("CREATE TABLE t (a)")
      let other = try Connection(path, opening: .openExisting)
      try other.execute("BEGIN IMMEDIATE")
      let script: SQL =
        "CREATE TEMP TABLE u (a); INSERT INTO u VALUES (1); INSERT INTO t VALUES (1)"
      try expectFailure(
        .busy, "statement 3: database is locked; set busyTimeout to wait for the lock"
      ) {
        try connection.execute(script: script)
      }
      #expect(try connection.rows(of: "u") == [[1]])
      try other.execute("ROLLBACK")
      try connection.execute(script: "INSERT INTO t VALUES (1)")
      #expect(try other.rows(of: "t") == [[1]])
    }
  }
}
