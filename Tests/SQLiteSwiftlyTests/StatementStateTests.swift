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

  @Test func `SW-62 a commit that fails is told although a row was returned`() throws {
    try withFiles { connection, reader in
      var failures: [SQLiteError] = []
      connection.traceHandler = { if case .failed(let error) = $0 { failures.append(error) } }
      try reader.execute("BEGIN")
      #expect(try reader.rows(of: "words") == [])
      let error = try failure {
        _ = try connection.value(of: "INSERT INTO words VALUES (1, 'one') RETURNING id")
      }
      #expect(error.code == .busy)
      #expect(failures == [error])
      var insert = try connection.prepare("INSERT INTO words VALUES (2, 'two') RETURNING id")
      #expect(try firstValue(of: &insert) == 2)
      #expect(failures.map(\.code) == [.busy, .busy])
      #expect(try connection.rows(of: "words") == [])
      try reader.execute("COMMIT")
      #expect(try firstValue(of: &insert) == 2)
      #expect(try connection.value(of: "INSERT INTO words VALUES (3, '') RETURNING id") == 3)
      #expect(try reader.rows(of: "words") == [[2, "two"], [3, ""]])
      #expect(failures.count == 2)
    }
  }

  /// The first column of the first row, without a look at further rows.
  private func firstValue(
    of statement: inout PreparedStatement
  ) throws(SQLiteError) -> SQLiteValue? {
    var rows = statement.rows()
    guard let row = try rows.next() else { return nil }
    return try row.value(at: 0)
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
