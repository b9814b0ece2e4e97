import Foundation
import SQLiteSwiftly
import SQLiteSwiftlyData
import Testing

/// A mistake of a newcomer, and the whole text that is printed for it.
struct Mistake: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// The text, with `FOLDER` for the folder of the test.
  let text: String
  /// Makes the mistake on a connection to `a.sqlite` in a folder, whose table of teams has a row.
  let call: @Sendable (Connection, _ folder: String) throws -> Void

  init(
    _ name: String, _ text: String,
    _ call: @escaping @Sendable (Connection, _ folder: String) throws -> Void
  ) {
    (testDescription, self.text, self.call) = (name, text, call)
  }

  /// A statement that fails.
  init(_ name: String, sql: SQL, _ text: String) {
    self.init(name, "\(text) in: \(sql.text)") { connection, _ in try connection.execute(sql) }
  }
}

/// What the commonest mistakes print: what happened, where, what was expected, and what to do.
struct MistakeMessageTests {
  private static let opening: [Mistake] = [
    Mistake(
      "a missing file",
      "FOLDER/b.sqlite: unable to open database file: No such file or directory "
        + "(SQLITE_CANTOPEN, 14)"
    ) { _, folder in _ = try Connection(folder + "/b.sqlite", opening: .openExisting) },
    Mistake(
      "a missing folder",
      "FOLDER/no/b.sqlite: unable to open database file: No such file or directory "
        + "(SQLITE_CANTOPEN, 14)"
    ) { _, folder in _ = try Connection(folder + "/no/b.sqlite", opening: .openOrCreate) },
    Mistake(
      "a file that exists",
      "cannot create a database at FOLDER/a.sqlite: File exists (SQLITE_CANTOPEN, 14)"
    ) { _, folder in _ = try Connection(folder + "/a.sqlite", opening: .createNew) },
    Mistake("a folder", "FOLDER: not a regular file: it is a folder (SQLITE_CANTOPEN, 14)") {
      _, folder in _ = try Connection(folder, opening: .readOnly)
    },
    Mistake("another format", "FOLDER/a.gz: file is not a database (SQLITE_NOTADB, 26)") {
      _, folder in
      try Data(repeating: 7, count: 4096).write(to: URL(filePath: folder + "/a.gz"))
      _ = try Connection(folder + "/a.gz", opening: .readOnly)
    },
    Mistake(
      "a name that is special elsewhere",
      ":memory:: unable to open database file: No such file or directory; use "
        + "Connection.inMemory() (SQLITE_CANTOPEN, 14)"
    ) { _, _ in _ = try Connection(":memory:", opening: .readOnly) },
    Mistake(
      "a URI",
      "file:FOLDER/a.sqlite?mode=ro: unable to open database file: No such file or directory "
        + "(SQLITE_CANTOPEN, 14)"
    ) { _, folder in
      _ = try Connection("file:\(folder)/a.sqlite?mode=ro", opening: .readOnly)
    },
    Mistake(
      "a closed connection",
      "the connection is closed (SQLITE_MISUSE, 21) in: SELECT name FROM teams"
    ) { connection, _ in
      try connection.close()
      _ = try connection.query("SELECT name FROM teams")
    },
    Mistake(
      "a statement that is in use while closing",
      "unable to close due to unfinalized statements or unfinished backups (SQLITE_BUSY, 5) in: "
        + "SELECT name FROM teams"
    ) { connection, _ in
      let statement = try connection.prepare("SELECT name FROM teams")
      try connection.close()
      statement.close()
    },
  ]

  private static let locks: [Mistake] = [
    Mistake(
      "a lock of another connection",
      "database is locked; set busyTimeout to wait for the lock (SQLITE_BUSY, 5) in: BEGIN IMMEDIATE"
    ) { connection, folder in
      let other = try Connection(folder + "/a.sqlite", opening: .openExisting)
      try other.transaction { () throws(SQLiteError) in try connection.transaction {} }
    },
    Mistake(
      "a lock that was waited for", "database is locked (SQLITE_BUSY, 5) in: BEGIN IMMEDIATE"
    ) { connection, folder in
      connection.busyTimeout = .milliseconds(1)
      let other = try Connection(folder + "/a.sqlite", opening: .openExisting)
      try other.transaction { () throws(SQLiteError) in try connection.transaction {} }
    },
    Mistake(
      "a table that is being read",
      "database table is locked; finish the cursors of this connection first (SQLITE_LOCKED, 6) in: "
        + "DROP TABLE teams"
    ) { connection, _ in
      try connection.forEachRow(of: "SELECT name FROM teams") { _ in
        try connection.execute("DROP TABLE teams")
      }
    },
    Mistake(
      "a write for reading only",
      "attempt to write a readonly database (SQLITE_READONLY, 8) in: DELETE FROM teams"
    ) { _, folder in
      try Connection(folder + "/a.sqlite", opening: .readOnly).execute("DELETE FROM teams")
    },
    Mistake(
      "a full disk",
      "database or disk is full (SQLITE_FULL, 13) in: UPDATE teams SET city = hex(zeroblob(99999))"
    ) { connection, _ in
      try connection.set(.maximumPageCount, to: connection.value(of: .pageCount))
      try connection.execute("UPDATE teams SET city = hex(zeroblob(99999))")
    },
    Mistake(
      "a transaction in another",
      "cannot start a transaction within a transaction (SQLITE_ERROR, 1) in: BEGIN"
    ) { connection, _ in
      try connection.transaction { () throws(SQLiteError) in try connection.execute("BEGIN") }
    },
    Mistake(
      "a commit within a transaction",
      "the transaction has already ended; no further statement runs in it "
        + "(SQLITE_ABORT_ROLLBACK, 516) in: DELETE FROM teams"
    ) { connection, _ in
      try connection.transaction { () throws(SQLiteError) in
        try connection.execute("COMMIT")
        try connection.execute("DELETE FROM teams")
      }
    },
    Mistake(
      "a backup into itself",
      "a database cannot be backed up into itself (SQLITE_MISUSE, 21)"
    ) { connection, folder in
      try connection.backUp(to: folder + "/a.sqlite", opening: .openExisting)
    },
    Mistake("a backup over a locked database", "backup: database is locked (SQLITE_BUSY, 5)") {
      connection, folder in
      let target = try Connection(folder + "/b.sqlite", opening: .createNew)
      let other = try Connection(folder + "/b.sqlite", opening: .openExisting)
      try other.transaction(.exclusive) { try connection.backUp(into: target) }
    },
  ]

  private static let statements: [Mistake] = [
    Mistake("a word", sql: "SELCT 1", #"near "SELCT": syntax error (SQLITE_ERROR, 1)"#),
    Mistake("a table", sql: "DELETE FROM team", "no such table: team (SQLITE_ERROR, 1)"),
    Mistake(
      "a column", sql: "UPDATE teams SET nam = 'Blues'", "no such column: nam (SQLITE_ERROR, 1)"),
    Mistake(
      "two statements", sql: "DELETE FROM members; DELETE FROM teams",
      "the SQL contains more than one statement; use execute(script:) (SQLITE_MISUSE, 21)"),
    Mistake(
      "rows that are not read", sql: "SELECT name FROM teams",
      "the statement returns rows; read them with query (SQLITE_MISUSE, 21)"),
    Mistake(
      "a value beyond 64 bits", sql: "UPDATE teams SET id = \(UInt64.max)",
      "a value of type UInt64 does not fit into SQLite's 64-bit integers (SQLITE_RANGE, 25)"),
    Mistake(
      "a value too few",
      "2 parameters but 1 value: parameter 2 has no value (SQLITE_RANGE, 25) in: SELECT ?, ?"
    ) { connection, _ in _ = try connection.query("SELECT ?, ?", [1]) },
    Mistake(
      "a value too many",
      "1 parameter but 2 values: 1 extra value (SQLITE_RANGE, 25) in: SELECT ?"
    ) { connection, _ in _ = try connection.query("SELECT ?", [1, 2]) },
    Mistake(
      "a parameter's name",
      #"no parameter is named "nam" (named parameters: :name) (SQLITE_RANGE, 25) in: "#
        + "UPDATE teams SET name = :name"
    ) { connection, _ in
      try connection.execute("UPDATE teams SET name = :name", ["nam": "Blues"])
    },
    Mistake(
      "a name for a place",
      #"no parameter is named "name" (named parameters: none) (SQLITE_RANGE, 25) in: SELECT ?"#
    ) { connection, _ in _ = try connection.query("SELECT ?", ["name": "Blues"]) },
    Mistake(
      "a value of a parameter beyond 64 bits",
      "a value of type UInt64 does not fit into SQLite's 64-bit integers (SQLITE_RANGE, 25) in: "
        + "SELECT ?"
    ) { connection, _ in _ = try connection.query("SELECT ?", [UInt64.max]) },
  ]

  private static let constraints: [Mistake] = [
    Mistake(
      "a key", sql: "INSERT INTO teams VALUES (1, 'Blues', NULL)",
      "UNIQUE constraint failed: teams.id (SQLITE_CONSTRAINT_PRIMARYKEY, 1555)"),
    Mistake(
      "a unique value", sql: "INSERT INTO teams VALUES (2, 'Reds', NULL)",
      "UNIQUE constraint failed: teams.name (SQLITE_CONSTRAINT_UNIQUE, 2067)"),
    Mistake(
      "a required value", sql: "INSERT INTO teams VALUES (2, NULL, NULL)",
      "NOT NULL constraint failed: teams.name (SQLITE_CONSTRAINT_NOTNULL, 1299)"),
    Mistake(
      "a check", sql: "INSERT INTO teams VALUES (2, '', NULL)",
      "CHECK constraint failed: name <> '' (SQLITE_CONSTRAINT_CHECK, 275)"),
    Mistake(
      "a type", sql: "INSERT INTO members VALUES ('Ann', 'Reds')",
      "cannot store TEXT value in INTEGER column members.team (SQLITE_CONSTRAINT_DATATYPE, 3091)"),
    Mistake(
      "a reference", sql: "INSERT INTO members VALUES ('Ann', 9)",
      "FOREIGN KEY constraint failed (SQLITE_CONSTRAINT_FOREIGNKEY, 787)"),
    Mistake(
      "a reference that is checked late",
      "FOREIGN KEY constraint failed; foreignKeyViolations() lists the rows before the commit "
        + "(SQLITE_CONSTRAINT_FOREIGNKEY, 787) in: COMMIT"
    ) { connection, _ in
      try connection.transaction { () throws(SQLiteError) in
        try connection.set(.deferForeignKeys, to: true)
        try connection.execute("INSERT INTO members VALUES ('Ann', 9)")
      }
    },
  ]

  static let cases = opening + locks + statements + constraints + reading + writing + migrations

  @Test(arguments: cases) func `a mistake prints what, where and what to do`(
    mistake: Mistake
  ) throws {
    try withFolder { folder in
      let connection = try Connection(folder + "/a.sqlite", opening: .createNew)
      try connection.set(.synchronous, to: .off)
      try connection.set(.foreignKeys, to: true)
      try connection.execute(
        script: """
          CREATE TABLE teams (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE CHECK (name <> ''), city TEXT
          ) STRICT;
          CREATE TABLE members (name TEXT, team INTEGER REFERENCES teams) STRICT;
          INSERT INTO teams VALUES (1, 'Reds', NULL)
          """)
      let error = try failure { try mistake.call(connection, folder) }
      #expect("\(error)".replacing(folder, with: "FOLDER") == mistake.text)
    }
  }
  @Test func `mistakes with a pool`() async throws {
    try await withPool { pool, _ in
      let write = try await refusal { try await pool.read { try $0.execute("DELETE FROM t") } }
      #expect(
        "\(write)" == "attempt to write a readonly database; only the pool's write can write "
          + "(SQLITE_READONLY, 8) in: DELETE FROM t")
      let close = try await refusal { try await pool.read { try $0.close() } }
      #expect(
        "\(close)" == "the connection belongs to a pool, which closes it (SQLITE_MISUSE, 21)")
      try await pool.close()
      let closed = try await refusal { try await pool.read { _ in } }
      #expect("\(closed)" == "the pool is closed (SQLITE_MISUSE, 21)")
    }
  }
}
