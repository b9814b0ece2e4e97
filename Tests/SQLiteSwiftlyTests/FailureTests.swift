import Foundation
import Testing

@testable import SQLiteSwiftly

/// A failure of SQLite, identified by its code.
struct Refusal: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let code: SQLiteError.ResultCode
  let message: String
  /// Provokes it on a connection to a file with the table `t`, of which it may open more.
  let provoke: @Sendable (_ connection: Connection, _ path: String) throws -> Void

  init(
    _ name: String, _ code: SQLiteError.ResultCode, _ message: String,
    _ provoke: @escaping @Sendable (Connection, String) throws -> Void
  ) {
    testDescription = name
    self.code = code
    self.message = message
    self.provoke = provoke
  }

  /// A statement that is refused, after others that are not.
  init(
    _ statement: SQL, _ code: SQLiteError.ResultCode, _ message: String, after others: [SQL] = []
  ) {
    self.init(statement.text, code, message) { connection, _ in
      for other in others + [statement] { _ = try connection.query(other) }
    }
  }
}

struct FailureTests {
  static let refusals: [Refusal] = [
    Refusal(
      "INSERT INTO t VALUES (3, '', NULL)", .constraintCheck, "CHECK constraint failed: b <> ''"),
    Refusal(
      "INSERT INTO t VALUES (3, 'z', 9)", .constraintForeignKey, "FOREIGN KEY constraint failed"),
    Refusal(
      "INSERT INTO t VALUES (3, NULL, NULL)", .constraintNotNull, "NOT NULL constraint failed: t.b"),
    Refusal(
      "INSERT INTO t VALUES (1, 'z', NULL)", .constraintPrimaryKey, "UNIQUE constraint failed: t.a"),
    Refusal(
      "INSERT INTO t VALUES (3, 'x', NULL)", .constraintUnique, "UNIQUE constraint failed: t.b"),
    Refusal(
      "INSERT INTO t VALUES (3, x'00', NULL)", .constraintDataType,
      "cannot store BLOB value in TEXT column t.b"),
    Refusal(
      "INSERT INTO u (rowid) VALUES (1)", .constraintRowid, "UNIQUE constraint failed: u.rowid",
      after: ["CREATE TABLE u (a)", "INSERT INTO u VALUES (1)"]),
    Refusal(
      "DELETE FROM t", .constraintTrigger, "the rows stay",
      after: [
        "CREATE TRIGGER r BEFORE DELETE ON t BEGIN SELECT RAISE (ABORT, 'the rows stay'); END"
      ]),
    Refusal("UPDATE t SET a = 'x'", .mismatch, "datatype mismatch"),
    Refusal(
      "UPDATE t SET b = 'z'", .readOnly, "attempt to write a readonly database",
      after: ["PRAGMA query_only = ON"]),
    Refusal(
      "CREATE TABLE u AS SELECT zeroblob(100000) AS a", .full, "database or disk is full",
      after: ["PRAGMA max_page_count = 10"]),
    Refusal("SELECT zeroblob(2000000000)", .tooBig, "string or blob too big"),
    Refusal("SELECT \(1) FROM missing", .error, "no such table: missing"),
    Refusal("opened for reading only", .readOnly, "attempt to write a readonly database") {
      try Connection($1, opening: .readOnly).execute("DELETE FROM t")
    },
    Refusal(
      "another connection writes", .busy,
      "database is locked; set busyTimeout to wait for the lock"
    ) { connection, path in
      try connection.transaction { () throws(SQLiteError) in
        try Connection(path, opening: .openExisting).execute("DELETE FROM t")
      }
    },
    Refusal(
      "what was read is out of date", .busySnapshot,
      "database is locked; run the whole transaction again"
    ) {
      try $0.set(.journalMode, to: .wal)
      let reader = try Connection($1, opening: .openExisting)
      try reader.execute("BEGIN")
      #expect(try reader.value(of: "SELECT count(*) FROM t") == .integer(2))
      try $0.execute("UPDATE t SET b = 'z' WHERE a = 1")
      try reader.execute("UPDATE t SET b = 'w' WHERE a = 2")
    },
    Refusal(
      "a statement of the same connection reads", .locked,
      "database table is locked; finish the cursors of this connection first"
    ) {
      connection, _ in
      try connection.backUp(into: .inMemory(), pagesPerStep: 1) { _ throws(SQLiteError) in
        try connection.execute("DROP TABLE t")
      }
    },
    Refusal("a page is damaged", .corrupt, "database disk image is malformed") {
      _ = try $0.query("PRAGMA wal_checkpoint")
      let file = try FileHandle(forWritingTo: URL(filePath: $1))
      // The kind of the page of the table, which is the second one.
      try file.seek(toOffset: 4096)
      try file.write(contentsOf: [0xff])
      try file.close()
      _ = try Connection($1, opening: .openExisting).query("SELECT * FROM t")
    },
  ]

  @Test("SW-62 X-13 every refusal is an error with its own code", arguments: refusals)
  func refuses(refusal: Refusal) throws {
    try withFolder { folder in
      let path = folder + "/a.sqlite"
      let connection = try Connection(path, opening: .createNew)
      try connection.execute(
        """
        CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT UNIQUE NOT NULL CHECK (b <> ''),
          c INTEGER REFERENCES t) STRICT
        """)
      try connection.execute("INSERT INTO t VALUES (1, 'x', NULL), (2, 'y', NULL)")
      try connection.set(.foreignKeys, to: true)
      let error = try failure { try refusal.provoke(connection, path) }
      #expect(error.extendedCode == refusal.code && error.code == refusal.code.primary)
      #expect(error.message == refusal.message)
      #expect(try connection.value(of: "SELECT 7") == .integer(7))
      #expect(try !connection.isInTransaction)
    }
  }

  @Test("SW-62 a file of another format is refused when it is opened") func notADatabase() throws {
    try withFolder { folder in
      let path = folder + "/a.sqlite"
      try Data(repeating: 0x61, count: 8192).write(to: URL(filePath: path))
      let error = try failure { _ = try Connection(path, opening: .openExisting) }
      #expect(error.extendedCode == .notADatabase)
      #expect(error.message == "\(path): file is not a database")
    }
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
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE t (a UNIQUE)")
    try connection.execute(
      "CREATE TRIGGER r BEFORE DELETE ON t BEGIN SELECT RAISE (ABORT, ''); END")
    var insert = try connection.prepare("INSERT INTO t VALUES (?)")
    try insert.run([1])
    let refused = try failure { try insert.run([1]) }
    #expect(refused.message == "UNIQUE constraint failed: t.a")
    // The words of that failure are still there, and the statement that failed works again.
    #expect(connection.lastErrorMessage == refused.message)
    try insert.run([2])
    // A failure is one without words, too.
    let silent = try failure { try connection.execute("DELETE FROM t") }
    #expect(silent.extendedCode == .constraintTrigger && silent.message == "")
    #expect(try connection.rows(of: "t") == [[.integer(1)], [.integer(2)]])
  }

  @Test("SW-72 an error does not have the message of an earlier one") func ownWords() throws {
    let connection = try Connection.inMemory()
    _ = try failure { try connection.execute("SELECT missing()") }
    let error = unsafe SQLiteError(5, on: try connection.openHandle(), sql: nil)
    #expect(error == SQLiteError(.busy, "database is locked"))
  }
}
