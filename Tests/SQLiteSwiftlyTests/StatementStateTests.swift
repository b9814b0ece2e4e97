import Testing

@testable import SQLiteSwiftly

/// Statements that are run again, whatever came of the run before.
struct StatementStateTests {
  @Test func `SW-60 X-1 a statement that met a lock keeps none`() throws {
    try withFiles { connection, other in
      var insert = try connection.prepareInsertIntoTable(describedBy: words)
      var query = try connection.prepare("SELECT id FROM words")
      try other.execute("BEGIN EXCLUSIVE")
      #expect(try failure { try insert.insert([1, "one"]) }.code == .busy)
      #expect(try failure { _ = try query.query() }.code == .busy)
      // Somebody who reads would be in the way of this commit.
      try other.execute("INSERT INTO words VALUES (2, 'two')")
      try other.execute("COMMIT")
      // A statement that is under way would be in the way of this one.
      try connection.execute("INSERT INTO words VALUES (3, 'three')")
      #expect(try other.rows(of: "words") == [[2, "two"], [3, "three"]])
      try insert.insert([4, "four"])
      #expect(try query.query() == [[2], [3], [4]])
    }
  }

  /// Gives `body` two connections to a file with an empty table of words.
  private func withFiles(_ body: (Connection, Connection) throws -> Void) throws {
    try withFolder { folder in
      let path = folder + "/a.sqlite"
      let connection = try Connection(path, opening: .createNew)
      try connection.createTable(describedBy: words)
      try body(connection, try Connection(path, opening: .openExisting))
    }
  }
}
