import SQLiteSwiftly
import Testing

struct PreparedStatementDecodingTests {
  @Test func `SQ-19 each run of a prepared statement is decoded`() throws {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b)")
    try connection.execute("INSERT INTO t VALUES (1, 'x'), (2, 'y'), (3, NULL), (4, 7)")
    var statement = try connection.prepare("SELECT b FROM t WHERE a BETWEEN :low AND :high")

    #expect(try statement.query(["low": 1, "high": 2], as: String.self) == ["x", "y"])
    #expect(
      try statement.query(["low": 2, "high": 4], as: String?.self, decoding: .lenient)
        == ["y", nil, "7"])
    // Neither a value that does not fit nor a parameter without a value spoils the next run.
    #expect(throws: SQLiteError.self) {
      try statement.query(["low": 1, "high": 4], as: String.self, decoding: .lenient)
    }
    #expect(throws: SQLiteError.self) {
      try statement.query(["low": 4, "high": 4], as: String.self)
    }
    #expect(throws: SQLiteError.self) { try statement.query(["low": 1], as: String.self) }
    #expect(try statement.query(["low": 4, "high": 4], as: Int.self) == [7])
    #expect(try statement.query(["low": 5, "high": 9], as: Int.self) == [])
  }
}
