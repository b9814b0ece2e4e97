import Foundation
import SQLiteSwiftly
import SQLiteSwiftlyData
import Testing

/// What the commonest mistakes print: what happened, where, what was expected, and what to do.
extension MistakeTests {
  static let opening: [Mistake] = [
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

  static let locks: [Mistake] = [
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
  ]

  static let statements: [Mistake] = [
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
  ]

  static let constraints: [Mistake] = [
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
      "a reference",
      "FOREIGN KEY constraint failed (SQLITE_CONSTRAINT_FOREIGNKEY, 787) in: "
        + "INSERT INTO members VALUES ('Ann', 9)"
    ) { connection, _ in
      try connection.set(.foreignKeys, to: true)
      try connection.execute("INSERT INTO members VALUES ('Ann', 9)")
    },
    Mistake(
      "a reference that is checked late",
      "FOREIGN KEY constraint failed; foreignKeyViolations() lists the rows before the commit "
        + "(SQLITE_CONSTRAINT_FOREIGNKEY, 787) in: COMMIT"
    ) { connection, _ in
      try connection.set(.foreignKeys, to: true)
      try connection.transaction { () throws(SQLiteError) in
        try connection.set(.deferForeignKeys, to: true)
        try connection.execute("INSERT INTO members VALUES ('Ann', 9)")
      }
    },
  ]

  static let failures: [Mistake] = [
    Mistake(
      "a rowid", sql: "INSERT INTO members (rowid) VALUES (1), (1)",
      "UNIQUE constraint failed: members.rowid (SQLITE_CONSTRAINT_ROWID, 2579)"),
    Mistake(
      "a trigger", "the rows stay (SQLITE_CONSTRAINT_TRIGGER, 1811) in: DELETE FROM teams"
    ) { connection, _ in
      try connection.execute(
        """
        CREATE TRIGGER r BEFORE DELETE ON teams BEGIN SELECT RAISE (ABORT, 'the rows stay'); END
        """)
      try connection.execute("DELETE FROM teams")
    },
    Mistake(
      "a key that is text", sql: "UPDATE teams SET id = 'x'",
      "datatype mismatch (SQLITE_MISMATCH, 20)"),
    Mistake("a function", sql: "SELECT missing()", "no such function: missing (SQLITE_ERROR, 1)"),
    Mistake("an overflow", "integer overflow (SQLITE_ERROR, 1) in: SELECT abs(?)") {
      connection, _ in _ = try connection.query("SELECT abs(\(Int64.min))")
    },
    Mistake(
      "a large value", sql: "UPDATE teams SET city = zeroblob(2000000000)",
      "string or blob too big (SQLITE_TOOBIG, 18)"),
    Mistake(
      "a value that stays secret", sql: "INSERT INTO teams VALUES (1, \("secret"), \("secret"))",
      "UNIQUE constraint failed: teams.id (SQLITE_CONSTRAINT_PRIMARYKEY, 1555)"),
    Mistake(
      "a write after query_only",
      "attempt to write a readonly database (SQLITE_READONLY, 8) in: DELETE FROM teams"
    ) { connection, _ in
      try connection.set(.queryOnly, to: true)
      try connection.execute("DELETE FROM teams")
    },
    Mistake(
      "an outdated read",
      "database is locked; run the whole transaction again (SQLITE_BUSY_SNAPSHOT, 517) in: "
        + "DELETE FROM teams"
    ) { connection, folder in
      try connection.set(.journalMode, to: .wal)
      let reader = try Connection(folder + "/a.sqlite", opening: .openExisting)
      try reader.execute("BEGIN")
      _ = try reader.query("SELECT * FROM teams")
      try connection.execute("UPDATE teams SET city = 'Rome'")
      try reader.execute("DELETE FROM teams")
    },
    Mistake(
      "a damaged page",
      "database disk image is malformed (SQLITE_CORRUPT, 11) in: SELECT * FROM t"
    ) { _, folder in
      let path = folder + "/b.sqlite"
      try Connection(path, opening: .createNew).execute("CREATE TABLE t (a)")
      let file = try FileHandle(forWritingTo: URL(filePath: path))
      // The kind of the page of the table, which is the second one.
      try file.seek(toOffset: 4096)
      try file.write(contentsOf: [0xff])
      try file.close()
      _ = try Connection(path, opening: .openExisting).query("SELECT * FROM t")
    },
  ]
}
