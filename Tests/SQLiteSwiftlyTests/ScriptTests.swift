import Glibc
import SQLiteSwiftly
import Testing

/// The output of a query builder: a script whose text is not a literal.
struct BuiltScript: SQLQuery {
  var text: String
  var values: [SQLiteValue] = []
}

/// A script that runs, and the rows of its table `t` afterwards.
struct ScriptCase: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let script: SQL
  let rows: [[SQLiteValue]]

  init(_ name: String, _ script: SQL, _ rows: [[SQLiteValue]]) {
    (testDescription, self.script, self.rows) = (name, script, rows)
  }
}

struct ScriptTests {
  static let odd = [1, 3]

  static let cases: [ScriptCase] = [
    ScriptCase("nothing", "", []),
    ScriptCase("blanks", " \t\n\r\u{C}", []),
    ScriptCase("semicolons", ";;; ; ;", []),
    ScriptCase("comments", "-- one\n/* two; three */;-- four; five", []),
    ScriptCase("a comment that has no end", "INSERT INTO t VALUES (1); /* ; no end", [[1]]),
    ScriptCase("a comment that ends with the script", "INSERT INTO t VALUES (1) -- end", [[1]]),
    ScriptCase("no semicolon at the end", "INSERT INTO t VALUES (1)", [[1]]),
    ScriptCase("a semicolon at the end", "INSERT INTO t VALUES (1);", [[1]]),
    ScriptCase(
      "an empty statement in between",
      "INSERT INTO t VALUES (1);; /* ; */ ;\n;INSERT INTO t VALUES (2);;", [[1], [2]]),
    ScriptCase(
      "a statement that uses what one before it made",
      "CREATE TABLE u (b); INSERT INTO u VALUES (7); INSERT INTO t SELECT b FROM u", [[7]]),
    ScriptCase(
      "statements that depend on their order",
      "INSERT INTO t VALUES (1); UPDATE t SET a = a + 1; UPDATE t SET a = a * 10;", [[20]]),
    ScriptCase(
      "a string with a semicolon", "INSERT INTO t VALUES (';'), ('a;''b;--')",
      [[";"], ["a;'b;--"]]),
    ScriptCase(
      "names with semicolons",
      #"CREATE TABLE "x;y" ([a;b]); INSERT INTO `x;y` VALUES (3); INSERT INTO t SELECT * FROM "x;y""#,
      [[3]]),
    ScriptCase(
      "a trigger with semicolons",
      """
      CREATE TRIGGER r AFTER INSERT ON t WHEN new.a < 10 BEGIN
        INSERT INTO t VALUES (10 + new.a); -- one;
        INSERT INTO t VALUES (20 + new.a); /* two; */
      END;
      INSERT INTO t VALUES (1);
      """, [[1], [11], [21]]),
    ScriptCase(
      "values of several statements",
      "INSERT INTO t VALUES (\(1)), (\("b;c")); INSERT INTO t VALUES (4);INSERT INTO t VALUES (\(2.5))",
      [[1], [2.5], [4], ["b;c"]]),
    ScriptCase(
      "a list of values",
      """
      INSERT INTO t VALUES (1), (2), (3); DELETE FROM t WHERE a IN (\(odd));
      INSERT INTO t VALUES (\(nil as Int?))
      """, [[.null], [2]]),
    ScriptCase(
      "names and other SQL with values",
      "CREATE TABLE \(identifier: "a b;") (c); INSERT INTO t \(sql: "VALUES (\(8));")", [[8]]),
    ScriptCase(
      "texts of several bytes for a character",
      "INSERT INTO t VALUES ('\u{1F9F1}é');INSERT INTO t VALUES (\("e\u{301}\u{10FFFF}"));",
      [["e\u{301}\u{10FFFF}"], ["\u{1F9F1}é"]]),
    ScriptCase("a byte order mark", "\u{FEFF}INSERT INTO t VALUES (1);", [[1]]),
    ScriptCase(
      "byte order marks before statements",
      "INSERT INTO t VALUES (1);\u{FEFF};\u{FEFF}INSERT INTO t VALUES (2);\u{FEFF}", [[1], [2]]),
    ScriptCase(
      "a statement without rows that has a column", "ALTER TABLE t ADD COLUMN b CHECK (b > 0);", []),
    ScriptCase(
      "such statements after empty ones and byte order marks",
      """
      \u{FEFF}ALTER TABLE t ADD COLUMN b CHECK (b > 0);;
      ALTER TABLE t ADD COLUMN c CHECK (c > 0); ; /* ; */;\u{FEFF}
      ALTER TABLE t ADD COLUMN d CHECK (d > 0);
      """, []),
    ScriptCase(
      "a transaction of its own", "BEGIN; INSERT INTO t VALUES (1); COMMIT; BEGIN; ROLLBACK", [[1]]),
    ScriptCase(
      "what cannot be in a transaction",
      "INSERT INTO t VALUES (1); VACUUM; PRAGMA foreign_keys = ON;", [[1]]),
  ]

  private func makeTable() throws -> Connection {
    try Connection.inMemory(after: "CREATE TABLE t (a)")
  }

  @Test(arguments: cases)
  func `all statements run in their order`(script: ScriptCase) throws {
    let connection = try makeTable()
    try connection.execute(script: script.script)
    #expect(try connection.rows(of: "t") == script.rows)
    #expect(try !connection.isInTransaction)
  }

  @Test func `a script in a transaction is kept as a whole or not at all`() throws {
    let connection = try makeTable()
    let script: SQL = "INSERT INTO t VALUES (1); INSERT INTO t VALUES (2)"
    try connection.transaction { () throws(SQLiteError) in try connection.execute(script: script) }
    #expect(try connection.rows(of: "t") == [[1], [2]])
    let error = try failure {
      try connection.transaction { () throws(SQLiteError) in
        try connection.execute(script: "DELETE FROM t; INSERT INTO t VALUES (3); INSERT INTO u")
      }
    }
    #expect(error.message.hasPrefix("statement 3: "))
    #expect(try connection.rows(of: "t") == [[1], [2]])
  }

  @Test func `the trace handler receives each statement separately`() throws {
    let connection = try makeTable()
    var told: [String] = []
    connection.traceHandler = { event in
      switch event {
      case .prepared(let sql): told.append("prepared " + sql)
      case .finished(let sql, _): told.append("finished " + sql)
      case .failed(let error): told.append("failed " + (error.sql ?? ""))
      }
    }
    try connection.execute(script: "INSERT INTO t VALUES (\("secret"));DELETE FROM t;;")
    #expect(
      told == [
        "prepared INSERT INTO t VALUES (?);", "finished INSERT INTO t VALUES (?);",
        "prepared DELETE FROM t;", "finished DELETE FROM t;",
      ])
    told = []
    _ = try failure { try connection.execute(script: "DELETE FROM t;DELETE FROM u; DELETE") }
    #expect(
      told == [
        "prepared DELETE FROM t;", "finished DELETE FROM t;", "failed DELETE FROM u; DELETE",
      ])
  }

  @Test func `ten thousand statements run`() throws {
    let connection = try makeTable()
    let one: SQL = "INSERT INTO t VALUES (\(1)); UPDATE t SET a = a + 1 WHERE rowid = 7;\n"
    try connection.execute(script: [SQL](repeating: one, count: 5000).joined())
    #expect(try connection.query("SELECT count(*), sum(a) FROM t") == [[5000, 9994]])
  }

  @Test func `the rest of a script is not read again for each statement`() throws {
    let connection = try makeTable()
    let statements = String(repeating: "SAVEPOINT a;RELEASE a;", count: 500)
    let comment = "/*" + String(repeating: "-", count: 8 << 20) + "*/;"
    // The processor time of this thread: neither a slow machine nor other tests change the ratio.
    func now() -> Double {
      var time = timespec()
      unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    let time = { (text: String) in
      let start = now()
      try connection.execute(script: SQL(BuiltScript(text: text)))
      return now() - start
    }
    let first = try time(comment + statements)
    let last = try time(statements + comment)
    // It would take a thousand times as long.
    #expect(last < first * 50, "\(last) and \(first)")
  }
}
