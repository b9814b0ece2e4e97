import SQLiteSwiftly
import Testing

/// The actions that a bulk insert's closure may perform besides appending rows.
struct BulkInsertNestingTests {
  static let pairs = TableDescription(
    "pairs", columns: [ColumnDescription("a", .integer), ColumnDescription("b", .integer)],
    primaryKey: ["a", "b"])
  static let triples = TableDescription(
    "triples",
    columns: ["a", "b", "c"].map { ColumnDescription($0, .integer) }, primaryKey: ["a"])

  private func makeTables() throws -> Connection {
    let connection = try Connection.inMemory()
    for table in [words, Self.pairs, Self.triples] {
      try connection.createTable(describedBy: table)
    }
    return connection
  }

  private func count(_ table: String, _ connection: Connection) throws -> SQLiteValue? {
    try connection.value(of: "SELECT count(*) FROM \(identifier: table)")
  }

  @Test func `bulk inserts into several tables are filled in turn`() throws {
    let connection = try makeTables()
    try connection.bulkInsert(intoTable: words) { outer in
      try connection.bulkInsert(intoTable: Self.pairs) { pairs in
        try connection.bulkInsert(intoTable: Self.triples) { triples in
          for id in 0..<20_000 {
            try outer.append(id, "word \(id)")
            try pairs.append(id, id + 1)
            try triples.append(id, id + 1, id + 2)
          }
        }
      }
    }
    #expect(
      try connection.query("SELECT count(*), sum(word = 'word ' || id) FROM words")
        == [[20_000, 20_000]])
    #expect(try connection.query("SELECT count(*), sum(b - a) FROM pairs") == [[20_000, 20_000]])
    #expect(try connection.query("SELECT count(*), sum(c - a) FROM triples") == [[20_000, 40_000]])
  }

  @Test func `an inner bulk insert that fails leaves the outer one as it was`() throws {
    let connection = try makeTables()
    let count = try connection.bulkInsert(intoTable: words) { outer in
      for id in 0..<9000 { try outer.append(id, "x") }
      let error = try failure {
        try connection.bulkInsert(intoTable: Self.pairs) { rows in
          try rows.append(1, 1)
          try rows.append(1, 1)
        }
      }
      #expect(error.message.hasPrefix("row 1: "))
      try outer.append(9000, "x")
    }
    #expect(count == 9001)
    #expect(try self.count("words", connection) == 9001)
    #expect(try self.count("pairs", connection) == 0)
  }

  @Test func `two bulk inserts into one table see each other's rows when they are inserted`() throws
  {
    let connection = try makeTables()
    try connection.bulkInsert(intoTable: words) { outer in
      try outer.append(1, "outer")
      try connection.bulkInsert(intoTable: words) { try $0.append(2, "inner") }
      #expect(try connection.rows(of: "words") == [[2, "inner"]])
      try outer.append(3, "outer")
    }
    #expect(try connection.rows(of: "words") == [[1, "outer"], [2, "inner"], [3, "outer"]])
  }

  @Test func `rows are visible once their batch is inserted`() throws {
    let connection = try makeTables()
    var seen: [SQLiteValue?] = []
    try connection.bulkInsert(intoTable: words) { rows in
      for id in 0..<10_000 {
        try rows.append(id, .null)
        if id % 5000 == 0 || id == 9999 { seen.append(try self.count("words", connection)) }
      }
    }
    #expect(seen == [0, 0, 8192])
    #expect(try count("words", connection) == 10_000)
  }

  @Test func `the closure may read, write and prepare`() throws {
    let connection = try makeTables()
    try connection.execute(script: "INSERT INTO triples VALUES (1, 2, 0), (3, 4, 0), (5, 6, 0)")
    try connection.bulkInsert(intoTable: words) { words in
      var update = try connection.prepare("UPDATE triples SET c = b * 10 WHERE a = ?")
      try connection.forEachRow(of: "SELECT a, b FROM triples ORDER BY a") { row in
        let id: Int = try row["a"]
        try words.append(id, "\(try row["b"] as Int)")
        try update.run(id)
      }
      try connection.execute("CREATE TABLE made (a)")
    }
    #expect(try connection.rows(of: "words") == [[1, "2"], [3, "4"], [5, "6"]])
    #expect(try connection.rows(of: "triples") == [[1, 2, 20], [3, 4, 40], [5, 6, 60]])
    #expect(try connection.rows(of: "made") == [])
  }

  @Test func `rows read from the table itself are inserted after the reader`() throws {
    let connection = try makeTables()
    try connection.bulkInsert(intoTable: words) { for id in 0..<100 { try $0.append(id, "x") } }
    let count = try connection.bulkInsert(intoTable: words) { rows in
      try connection.forEachRow(of: "SELECT id FROM words") { row in
        try rows.append(1000 + (try row["id"] as Int), "y")
      }
    }
    #expect(count == 100)
    #expect(try self.count("words", connection) == 200)
  }

  @Test func `in a transaction it is a part of that`() throws {
    let connection = try makeTables()
    try expectFailure(extended: .constraintPrimaryKey) {
      try connection.transaction { () throws(SQLiteError) in
        try connection.bulkInsert(intoTable: words) { rows throws(SQLiteError) in
          try rows.append(1, "one")
        }
        try connection.execute("INSERT INTO words VALUES (1, 'again')")
      }
    }
    #expect(try connection.rows(of: "words") == [])
    try connection.transaction {
      try connection.execute("INSERT INTO words VALUES (1, 'one')")
      #expect(throws: SQLiteError.self) {
        try connection.bulkInsert(intoTable: words) { rows in
          try rows.append(2, "two")
          try rows.append(1, "again")
        }
      }
      try connection.bulkInsert(intoTable: words) { try $0.append(3, "three") }
    }
    #expect(try connection.rows(of: "words") == [[1, "one"], [3, "three"]])
  }

  /// The change to the table after the first row, and the end of the insert.
  static let alterations: [(SQL, [[SQLiteValue]]?, String)] = [
    ("ALTER TABLE words ADD COLUMN more INTEGER DEFAULT 5", [[1, "a", 5], [2, "b", 5]], ""),
    ("CREATE INDEX i ON words (word)", [[1, "a"], [2, "b"]], ""),
    ("CREATE TABLE u (a)", [[1, "a"], [2, "b"]], ""),
    ("ALTER TABLE words RENAME COLUMN word TO name", nil, "table words has no column named word"),
    ("ALTER TABLE words DROP COLUMN word", nil, "table words has no column named word"),
    ("ALTER TABLE words RENAME TO others", nil, "no such table: words"),
    ("DROP TABLE words", nil, "no such table: words"),
  ]

  @Test(arguments: alterations)
  func `a table altered in between is used as it is`(
    alteration: SQL, rows: [[SQLiteValue]]?, message: String
  ) throws {
    let connection = try makeTables()
    let insert = {
      try connection.bulkInsert(intoTable: words) { rows in
        try rows.append(1, "a")
        try connection.execute(alteration)
        try rows.append(2, "b")
      }
    }
    if let rows {
      #expect(try insert() == 2)
      #expect(try connection.rows(of: "words") == rows)
    } else {
      try expectFailure(message) { _ = try insert() }
      // The alteration is undone, too.
      #expect(try connection.rows(of: "words") == [])
    }
  }

  @Test func `a description that does not match the table is refused at once`() throws {
    let connection = try makeTables()
    var isBegun = false
    for (table, message) in [
      (TableDescription("lost", columns: words.columns, primaryKey: []), "no such table: lost"),
      (
        TableDescription("pairs", columns: words.columns, primaryKey: []),
        "table pairs has no column named id"
      ),
    ] {
      try expectFailure(message) {
        try connection.bulkInsert(intoTable: table) { _ in isBegun = true }
      }
    }
    #expect(!isBegun)
    #expect(try !connection.isInTransaction)
  }

  @Test func `a transaction that SQLite rolled back accepts no more rows`() throws {
    let connection = try makeTables()
    try connection.execute("INSERT INTO pairs VALUES (1, 1)")
    try expectFailure(extended: .abortRollback) {
      try connection.bulkInsert(intoTable: words) { rows in
        try rows.append(1, "one")
        try? connection.execute("INSERT OR ROLLBACK INTO pairs VALUES (1, 1)")
        try rows.append(2, "two")
      }
    }
    #expect(try connection.rows(of: "words") == [])
  }

  @Test func `bulk inserts that are exchanged keep their rows`() throws {
    let (connection, other) = (try makeTables(), try makeTables())
    try connection.bulkInsert(intoTable: words) { first in
      try first.append(1, "one")
      try other.bulkInsert(intoTable: Self.triples) { second in
        try second.append(1, 2, 3)
        swap(&first, &second)
        try second.append(2, "two")
      }
      try first.append(4, 5, 6)
    }
    #expect(try connection.rows(of: "words") == [[1, "one"], [2, "two"]])
    #expect(try other.rows(of: "triples") == [[1, 2, 3], [4, 5, 6]])
  }
}
