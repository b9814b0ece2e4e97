import SQLiteSwiftly
import Testing

/// The objects created before each case.
private let preparation: [SQL] = [
  "CREATE TABLE boxes (id INTEGER PRIMARY KEY, name TEXT, weight REAL)",
  "CREATE INDEX by_name ON boxes (name)",
  "CREATE VIEW heavy AS SELECT name FROM boxes WHERE weight > 9",
  "CREATE TABLE log (line)",
  "CREATE TRIGGER logging AFTER DELETE ON boxes BEGIN INSERT INTO log VALUES (old.id); END",
  "CREATE VIRTUAL TABLE words USING fts5(word)",
  "INSERT INTO boxes VALUES (1, 'a', 10)",
]

private typealias Operation = AuthorizedAction.Operation

@Suite struct AuthorizerTests {
  private func connection() throws -> Connection {
    let connection = try Connection.inMemory()
    for statement in preparation { try connection.execute(statement) }
    return connection
  }

  /// SQL, and an action that SQLite asks for because of it.
  private static let cases: [(sql: SQL, operation: Operation, database: String?)] = [
    ("CREATE TABLE t (a)", .createTable("t"), "main"),
    ("CREATE TEMP TABLE t (a)", .createTable("t"), "temp"),
    ("CREATE TABLE t AS SELECT 1 AS a", .createTable("t"), "main"),
    ("CREATE INDEX i ON boxes (weight)", .createIndex("i", table: "boxes"), "main"),
    ("CREATE VIEW v AS SELECT 1", .createView("v"), "main"),
    ("CREATE TEMP VIEW v AS SELECT 1", .createView("v"), "temp"),
    (
      "CREATE TRIGGER t AFTER INSERT ON boxes BEGIN SELECT 1; END",
      .createTrigger("t", table: "boxes"), "main"
    ),
    (
      "CREATE TEMP TRIGGER t AFTER INSERT ON boxes BEGIN SELECT 1; END",
      .createTrigger("t", table: "boxes"), "temp"
    ),
    ("CREATE VIRTUAL TABLE f USING fts5(a)", .createVirtualTable("f", module: "fts5"), "main"),
    ("DROP TABLE log", .dropTable("log"), "main"),
    ("DROP INDEX by_name", .dropIndex("by_name", table: "boxes"), "main"),
    ("DROP VIEW heavy", .dropView("heavy"), "main"),
    ("DROP TRIGGER logging", .dropTrigger("logging", table: "boxes"), "main"),
    ("DROP TABLE words", .dropVirtualTable("words", module: "fts5"), "main"),
    ("ALTER TABLE log ADD COLUMN b", .alterTable("log"), "main"),
    ("ALTER TABLE log RENAME TO lines", .alterTable("log"), "main"),
    ("INSERT INTO log VALUES (1)", .insert(table: "log"), "main"),
    ("REPLACE INTO log VALUES (1)", .insert(table: "log"), "main"),
    (
      "INSERT INTO boxes VALUES (1, 'b', 1) ON CONFLICT DO UPDATE SET name = 'b'",
      .update(table: "boxes", column: "name"), "main"
    ),
    ("UPDATE boxes SET weight = 1", .update(table: "boxes", column: "weight"), "main"),
    ("DELETE FROM log", .delete(table: "log"), "main"),
    ("DELETE FROM boxes", .insert(table: "log"), "main"),
    ("SELECT name FROM boxes", .read(table: "boxes", column: "name"), "main"),
    ("SELECT count(*) FROM boxes", .read(table: "boxes", column: ""), nil),
    ("SELECT * FROM heavy", .read(table: "boxes", column: "weight"), "main"),
    ("SELECT 1", .select, nil),
    ("SELECT upper('a')", .function("upper"), nil),
    ("SELECT random()", .function("random"), nil),
    (
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3) SELECT i FROM n",
      .recursive, nil
    ),
    ("PRAGMA cache_size", .pragma("cache_size", argument: nil), nil),
    ("PRAGMA cache_size = 100", .pragma("cache_size", argument: "100"), nil),
    ("SELECT * FROM pragma_user_version", .pragma("user_version", argument: nil), nil),
    ("BEGIN", .transaction("BEGIN"), nil),
    ("SAVEPOINT s", .savepoint("s", action: "BEGIN"), nil),
    ("ATTACH ':memory:' AS other", .attach(file: ":memory:"), nil),
    ("DETACH other", .detach(database: "other"), nil),
    ("ANALYZE boxes", .analyze(table: "boxes"), "main"),
    ("REINDEX by_name", .reindex(index: "by_name"), "main"),
    ("INSERT INTO words VALUES ('x')", .insert(table: "words_data"), "main"),
    ("SELECT * FROM words WHERE words MATCH 'x'", .read(table: "words", column: "word"), "main"),
  ]

  @Test func `each kind of statement is authorized and can be denied`() throws {
    #expect(Self.cases.count >= 40)
    for (sql, operation, database) in Self.cases {
      let connection = try connection()
      var asked: [AuthorizedAction] = []
      connection.authorizer = {
        asked.append($0)
        return .allow
      }
      let error = Result { try connection.query(sql) }
      if operation != .detach(database: "other") { _ = try error.get() }
      #expect(
        asked.contains { $0.operation == operation && $0.database == database },
        "\(sql.text): \(asked)")

      let other = try self.connection()
      other.authorizer = { $0.operation == operation ? .deny : .allow }
      let denied = try failure { _ = try other.query(sql) }
      #expect(denied.code == .notAuthorized || denied.code == .error, "\(sql.text): \(denied)")
      other.authorizer = nil
      #expect(try other.value(of: "SELECT name FROM boxes") == .text("a"), "\(sql.text)")
    }
  }

  @Test func `actions of a trigger or a view have its name`() throws {
    let connection = try connection()
    var accessors: [String: String?] = [:]
    connection.authorizer = { action in
      if case .insert("log") = action.operation { accessors["log"] = action.accessor }
      if case .read("boxes", "weight") = action.operation { accessors["boxes"] = action.accessor }
      return .allow
    }
    try connection.execute("DELETE FROM boxes")
    _ = try connection.query("SELECT * FROM heavy")
    #expect(accessors == ["log": "logging", "boxes": "heavy"])
  }

  @Test func `it cannot use its connection, which works again afterwards`() throws {
    let connection = try connection()
    var refusals: [SQLiteError.ResultCode] = []
    connection.authorizer = { [unowned connection] _ in
      do throws(SQLiteError) {
        try connection.execute("DELETE FROM boxes")
      } catch {
        refusals.append(error.code)
      }
      return .allow
    }
    #expect(try connection.value(of: "SELECT 1") == .integer(1))
    #expect(refusals == [.misuse])
    #expect(try connection.value(of: "SELECT name FROM boxes") == .text("a"))
  }

  @Test func `a statement that was prepared before is authorized`() throws {
    let connection = try connection()
    var select = try connection.prepare("SELECT name FROM boxes")
    #expect(try select.query().count == 1)
    connection.authorizer = { _ in .deny }
    #expect(try failure { _ = try select.query() }.code == .notAuthorized)
    connection.authorizer = nil
    #expect(try select.query().count == 1)
  }

  @Test func `it may remove itself and does not outlive the connection`() throws {
    let connection = try connection()
    connection.authorizer = { [unowned connection] _ in
      connection.authorizer = nil
      return .deny
    }
    #expect(try failure { _ = try connection.query("SELECT 1") }.code == .notAuthorized)
    #expect(try connection.query("SELECT 1").count == 1)
    connection.authorizer = { _ in .deny }
    try connection.close()
    connection.authorizer = nil
    connection.authorizer = { _ in .allow }
  }

  @Test func `one that is set during a backup is called after it`() throws {
    let (source, target) = (try connection(), try Connection.inMemory())
    try source.backUp(into: target, pagesPerStep: 1) { _ throws(SQLiteError) in
      target.authorizer = { _ in .deny }
    }
    #expect(try failure { _ = try target.query("SELECT 1") }.code == .notAuthorized)
  }

  @Test func `an ignored action has no effect`() throws {
    let connection = try connection()
    connection.authorizer = { action in
      switch action.operation {
      case .read(_, "name"), .function("upper"), .delete: .ignore
      default: .allow
      }
    }
    let rows = try connection.query("SELECT id, name, upper('x') FROM boxes").map(Array.init)
    #expect(rows == [[.integer(1), .null, .null]])
  }
}
