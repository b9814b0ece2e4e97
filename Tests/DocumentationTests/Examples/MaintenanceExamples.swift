import Foundation
import SQLiteSwiftly
import Testing

/// The examples of the article about settings, checks and backups.
struct MaintenanceExamples {
  private func withParts(_ body: (Connection, String) throws -> Void) throws {
    try withFolder { folder in
      let connection = try Connection(folder + "/parts.sqlite", opening: .createNew)
      try connection.execute("CREATE TABLE parts (part_num TEXT PRIMARY KEY, name TEXT)")
      try connection.execute("INSERT INTO parts VALUES ('3001', 'Brick 2 x 4')")
      try body(connection, folder + "/copy.sqlite")
    }
  }

  @Test func `settings have types`() throws {
    try withParts { connection, _ in
      // Example: Maintenance # Settings

      #expect(try connection.value(of: "PRAGMA journal_mode") == "wal")
      #expect(try connection.value(of: "PRAGMA foreign_keys") == 1)
      #expect(mode == .full && pages == 3)
      #expect(throws: SQLiteError.self) { try Connection.inMemory().set(.journalMode, to: .wal) }
    }
  }

  @Test func `a valid database has no faults`() throws {
    try withParts { connection, _ in
      // Example: Maintenance # Checks

      #expect(faults == [] && orphans == [])
    }
  }

  @Test func `a backup is a copy of the whole`() throws {
    try withParts { connection, copy in
      var steps: [Int] = []

      // Example: Maintenance # Backups

      #expect(steps.allSatisfy { $0 > 0 })
      let reader = try Connection(copy, opening: .readOnly)
      #expect(try reader.rows(of: "parts") == [["3001", "Brick 2 x 4"]])
      #expect(throws: SQLiteError.self) { try connection.backUp(to: copy, opening: .createNew) }
    }
  }

  @Test func `a slow statement is stopped`() throws {
    let connection = try Connection.inMemory()

    // Example: Maintenance # Interrupting statements

    // On a slow machine the statement may not have begun by then, and it never ends on its own.
    let again = Thread {
      while !Thread.current.isCancelled {
        Thread.sleep(forTimeInterval: 0.05)
        interrupter.interrupt()
      }
    }
    again.start()
    defer { again.cancel() }
    let error = try failure {
      _ = try connection.query(
        """
        WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers)
        SELECT count(*) FROM numbers
        """)
    }
    #expect(error.code == .interrupted)
  }

  @Test func `SK-33 SK-34 the library reports its version and options`() {
    // Example: Maintenance # SQLite version

    #expect(isRecent)
    #expect(hasFullTextSearch == SQLiteLibrary.compileOptions.contains { $0 == "ENABLE_FTS5" })
  }
}
