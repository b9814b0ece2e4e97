import SQLiteSwiftly
import Testing

/// Undocumented behavior that every user relies on.
struct RelianceTests {
  private func makeTable() throws -> Connection {
    try Connection.inMemory(
      after: "CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT NOT NULL CHECK (b <> ''), c)")
  }

  /// Values that one insert refuses, and its message.
  static let refused: [([SQLiteValue], String)] = [
    ([1, "again", .null], "UNIQUE constraint failed: t.a"),
    ([2, .null, .null], "NOT NULL constraint failed: t.b"),
    ([2, "", .null], "CHECK constraint failed: b <> ''"),
    (["two", "two", .null], "datatype mismatch"),
    ([2, "two"], "3 parameters but 2 values: parameter 3 has no value"),
    ([2, "two", 3, 4], "3 parameters but 4 values: 1 extra value"),
  ]

  @Test(arguments: refused)
  func `X-1 X-2 a statement runs again after an error, and reports it once`(
    values: [SQLiteValue], message: String
  ) throws {
    let connection = try makeTable()
    var insert = try connection.prepare("INSERT INTO t VALUES (?, ?, ?)")
    try insert.run([1, "one", 1.5])
    for _ in 0..<2 {
      let error = try failure { try insert.run(SQLParameters(values)) }
      #expect(error.message == message && error.sql == "INSERT INTO t VALUES (?, ?, ?)")
    }
    try insert.run([3, "three", .blob([3])])
    #expect(try connection.rows(of: "t") == [[1, "one", 1.5], [3, "three", .blob([3])]])
    insert.close()
    try connection.close()
  }

  @Test func `X-11 a rollback under a row that is being read is thrown`() throws {
    let connection = try makeTable()
    try connection.execute("INSERT INTO t VALUES (1, 'one', NULL), (2, 'two', NULL)")
    var seen: [Int64?] = []
    let error = try failure {
      try connection.transaction { () throws(SQLiteError) in
        // SQLite lets reads continue after a rollback, unless it changed the schema.
        try connection.execute("CREATE TABLE u (a)")
        try connection.forEachRow(of: "SELECT a FROM t") { row throws(SQLiteError) in
          seen.append(try row.integer(at: 0))
          try? connection.execute("INSERT OR ROLLBACK INTO t VALUES (1, 'again', NULL)")
        }
      }
    }
    #expect(error.code == .abort && error.sql == "SELECT a FROM t" && seen == [1])
    #expect(try connection.query("SELECT count(*) FROM t") == [[2]])
  }

  @Test func `X-11 an error after the first row is thrown even if only the first value is read`()
    throws
  {
    let connection = try Connection.inMemory(
      after: "PRAGMA foreign_keys = ON", "CREATE TABLE parent (a INTEGER PRIMARY KEY)",
      "CREATE TABLE child (a REFERENCES parent (a) DEFERRABLE INITIALLY DEFERRED)")
    let insertion: SQL = "INSERT INTO child VALUES (7) RETURNING a"
    let errors = [
      try failure { _ = try connection.value(of: insertion) },
      try failure { _ = try connection.query(insertion) },
      try failure { try connection.forEachRow(of: insertion) { _ in } },
    ]
    for error in errors {
      #expect(error.code == .constraint && error.message == "FOREIGN KEY constraint failed")
      #expect(error.sql == insertion.text)
    }
    #expect(try connection.rows(of: "child") == [])
    try connection.execute("INSERT INTO parent VALUES (7)")
    #expect(try connection.value(of: insertion) == 7)
    #expect(try connection.rows(of: "child") == [[7]])
  }

  @Test func `X-11 a column reads the same however it was read before`() throws {
    let connection = try Connection.inMemory()
    let text = Array("12.5".utf8)
    let values: [SQLiteValue] = [12, 12.5, "12.5", .blob(text), .null]
    var statement = try connection.prepare("SELECT ?, ?, ?, ?, ?")
    var cursor = statement.rows(SQLParameters(values))
    guard let row = try cursor.next() else { throw CellDecoder.Failure.noColumn(0) }
    for _ in 0..<2 {
      for column in values.indices {
        let found = (try row.text(at: column), try row.integer(at: column))
        #expect(found.0 == (column == 0 ? "12" : column == 4 ? nil : "12.5"))
        #expect(found.1 == (column == 4 ? nil : 12))
        let (real, value) = (try row.real(at: column), try row.value(at: column))
        #expect(real == (column == 0 ? 12 : column == 4 ? nil : 12.5))
        #expect(value == values[column])
      }
      var decoder = row.decoder(decoding: .strict)
      let strict = try Columns<Int, Double, String, [UInt8], Int?>(decoder: &decoder).values
      #expect(strict == (12, 12.5, "12.5", text, nil))
    }
  }

  @Test func `X-3 no value of an earlier run comes back`() throws {
    let connection = try makeTable()
    var insert = try connection.prepare("INSERT INTO t VALUES (:a, :b, :c)")
    try insert.run(["a": 1, "b": "one", "c": "kept?"])
    #expect(try failure { try insert.run(["a": 2, "b": "two"]) }.code == .range)
    #expect(try failure { try insert.run([2, "two"]) }.code == .range)
    #expect(try failure { try insert.run() }.code == .range)
    // The values of a run that was refused half way are not kept, either.
    #expect(try failure { try insert.run(["c": "half", "a": 2, "x": 1]) }.code == .range)
    try insert.run(["a": 2, "b": "two", "c": .null])
    try insert.run([3, "three", 3])
    let expected: [[SQLiteValue]] = [[1, "one", "kept?"], [2, "two", .null], [3, "three", 3]]
    #expect(try connection.rows(of: "t") == expected)
  }

  @Test func `X-3 rows that were left unread do not come in the next run`() throws {
    let connection = try Connection.inMemory()
    var statement = try connection.prepare("SELECT ?1 + column1 FROM (VALUES (1), (2), (3))")
    do {
      var rows = statement.rows([10])
      _ = try rows.next()
    }
    #expect(try statement.query([20]) == [[21], [22], [23]])
  }

  @Test func `X-10 no part of a text with two statements is run`() throws {
    let connection = try makeTable()
    for text in [
      "INSERT INTO t VALUES (1, 'one', NULL); DROP TABLE t", "DROP TABLE t; SELECT 1",
      "DROP TABLE t; this is no SQL", "DROP TABLE t;;; DROP TABLE t", "DROP TABLE t; ' open",
    ] as [SQL] {
      let errors = [
        try failure { try connection.execute(text) },
        try failure { _ = try connection.query(text) },
        try failure { _ = try connection.value(of: text) },
        try failure { _ = try connection.prepare(text).columnCount },
      ]
      for error in errors {
        #expect(error.code == .misuse && error.sql == text.text)
        #expect(error.message == "the SQL contains more than one statement; use execute(script:)")
      }
      #expect(try connection.rows(of: "t") == [])
    }
  }

  @Test func `X-12 a failed insert does not change the last rowid`() throws {
    let connection = try makeTable()
    #expect(try connection.lastInsertedRowID == 0)
    try connection.execute("INSERT INTO t VALUES (41, 'b', NULL)")
    #expect(try connection.lastInsertedRowID == 41)
    for values in ["(41, 'b', NULL)", "(7, '', NULL)", "(7, NULL, 1)"] {
      let sql = SQL(generated: "INSERT INTO t VALUES " + values)
      #expect(try failure { try connection.execute(sql) }.code == .constraint)
      #expect(try connection.lastInsertedRowID == 41)
    }
    try connection.execute("INSERT INTO t (b) VALUES ('next')")
    #expect(try connection.lastInsertedRowID == 42)
    try expectFailure(.constraint) {
      try connection.transaction { () throws(SQLiteError) in
        try connection.execute("INSERT INTO t (b) VALUES ('third')")
        try connection.execute("INSERT INTO t (b) VALUES ('')")
      }
    }
    // SQLite counts the insert that succeeded, although it was undone.
    #expect(try connection.lastInsertedRowID == 43)
  }
}
