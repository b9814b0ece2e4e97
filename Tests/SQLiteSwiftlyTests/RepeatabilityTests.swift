import SQLiteSwiftly
import Testing

@Suite struct RepeatabilityTests {
  private static let preparation: [SQL] = [
    "CREATE TABLE t (a, at DEFAULT CURRENT_TIMESTAMP, number DEFAULT (random()))",
    "CREATE VIEW today AS SELECT date('now')",
  ]

  /// Gives `body` a connection that records uses of the clock.
  private func noticing(_ body: (Connection) throws -> Void) throws {
    try withFile { path in
      let maker = try Connection(path, opening: .createNew)
      for statement in Self.preparation { try maker.execute(statement) }
      try maker.close()
      try body(Connection(recordingClockIn: path, busyTimeout: .zero))
    }
  }

  private static let cases: [(sql: SQL, readsClock: Bool)] = [
    ("SELECT datetime('now')", true), ("SELECT date()", true), ("SELECT strftime('%Y')", true),
    ("SELECT julianday('no' || 'w')", true), ("SELECT CURRENT_DATE", true),
    ("SELECT * FROM today", true), ("INSERT INTO t (a, number) VALUES (1, 2)", true),
    ("SELECT time('now', 'utc')", true), ("SELECT unixepoch()", true),
    ("SELECT datetime(0, 'unixepoch')", false), ("SELECT 'now'", false),
    ("SELECT strftime('%Y', '2020-06-09')", false), ("CREATE VIEW v AS SELECT date('now')", false),
    ("INSERT INTO t VALUES (1, 2, 3)", false), ("SELECT abs(-1)", false), ("ANALYZE", false),
  ]

  @Test(arguments: cases)
  func `a statement that reads the clock is recorded`(sql: SQL, readsClock: Bool) throws {
    try noticing { connection in
      _ = Connection.consumeClockReading()
      _ = try connection.query(sql)
      #expect(Connection.consumeClockReading() == readsClock)
      #expect(!Connection.consumeClockReading())
    }
  }

  @Test func `an ordinary connection records nothing`() throws {
    _ = Connection.consumeClockReading()
    #expect(try Connection.inMemory().query("SELECT datetime('now')").count == 1)
    #expect(!Connection.consumeClockReading())
  }

  @Test func `random numbers are refused everywhere`() throws {
    let statements: [SQL] = [
      "SELECT random()", "SELECT randomblob(4)", "SELECT max(random())",
      "INSERT INTO t (a, at) VALUES (1, 2)",
    ]
    try noticing { connection in
      try connection.refuseRandomNumbers()
      for statement in statements {
        let error = try failure { _ = try connection.query(statement) }
        #expect(error.message.contains("a different result each time"), "\(statement.text)")
      }
      #expect(try connection.query("SELECT abs(-1)").count == 1)
    }
  }
}

@Suite struct ForeignScriptTests {
  private static let failures: [(script: String, statement: Int, line: Int, message: String)] = [
    ("SELECT nmae", 1, 1, "nmae"),
    ("SELECT 1;\n\n-- a comment;\nSELECT 2,\n  nmae;\n", 2, 5, "nmae"),
    ("/* one;\ntwo */ SELECT 1;;\n ; SELECT\n 1 / /* ; */ nothing.at.all", 2, 4, "nothing"),
    ("SELECT ';\n';\nINSERT INTO none VALUES (1)", 2, 3, "none"),
    (
      "CREATE TABLE t (a UNIQUE);\nINSERT INTO t VALUES (1);\n\n  INSERT INTO t\nVALUES (1)", 3, 4,
      "UNIQUE"
    ),
    ("\u{FEFF}SELECT 1;\nSELEKT 2", 2, 2, "SELEKT"),
    ("SELECT 1;\r\nSELECT 'a", 2, 2, "unrecognized token"),
    ("SELECT 1;\n\nSELECT ?, :name", 2, 3, "parameter :name has no value"),
    ("CREATE TRIGGER t AFTER INSERT ON none BEGIN SELECT 1; SELECT 2; END", 1, 1, "none"),
  ]

  @Test(arguments: failures)
  func `a failure has the number and the line of its statement`(
    script: String, statement: Int, line: Int, message: String
  ) throws {
    let connection = try Connection.inMemory()
    let error = try #require(throws: ScriptError.self) {
      _ = try connection.run(script: Array(script.utf8)) { () throws(SQLiteError) in }
    }
    #expect(error.statement == statement)
    #expect(error.line == line || SQLiteLibrary.versionNumber < 3_038_000)
    #expect(error.error.message.contains(message), "\(error)")
  }

  @Test func `statements are counted, and their rows skipped`() throws {
    let connection = try Connection.inMemory()
    let script = "CREATE TABLE t (a); ;; INSERT INTO t VALUES (1), (2); SELECT * FROM t; -- the end"
    var checks = 0
    let count = try connection.run(script: Array(script.utf8)) { () throws(SQLiteError) in
      checks += 1
    }
    #expect(count == 3)
    #expect(checks == 3)
    #expect(try connection.value(of: "SELECT count(*) FROM t") == .integer(2))
    #expect(try connection.run(script: []) { () throws(SQLiteError) in } == 0)
  }
}
