import SQLiteSwiftly
import Testing

/// The rows of a bulk insert arrive as they would one by one.
struct BulkInsertTests {
  /// A table that accepts any value in any column but the first.
  static let things = TableDescription(
    "things",
    columns: [
      ColumnDescription("id", .integer), ColumnDescription("a", .blob, isNullable: true),
      ColumnDescription("b", .blob, isNullable: true),
    ],
    primaryKey: ["id"], isStrict: false)

  static let long = String(repeating: "0123456789\u{E9}\u{1F9F1}", count: 3 << 16)

  private func makeTable(_ table: TableDescription) throws -> Connection {
    try Connection.inMemory(with: table)
  }

  /// The contents of the table after each row was inserted by its own kind of statement.
  private func insertedOneByOne(
    _ rows: [[SQLiteValue]], _ table: TableDescription
  ) throws -> [[SQLiteValue]] {
    let connection = try makeTable(table)
    var insert = try connection.prepareInsertIntoTable(describedBy: table)
    for row in rows { try insert.insert(row) }
    return try connection.rows(of: table.name)
  }

  @Test func `values of Swift's own types arrive`() throws {
    let connection = try makeTable(Self.things)
    let missing: String? = nil
    try connection.bulkInsert(intoTable: Self.things) { rows in
      try rows.append(UInt8.max, missing, true)
      try rows.append(Int128(Int64.min), Float(0.5), [1, 2] as [UInt8])
      try rows.append(2, .null, .real(2))
    }
    #expect(
      try connection.rows(of: "things") == [
        [.integer(.min), 0.5, .blob([1, 2])], [2, .null, 2.0], [255, .null, 1],
      ])
  }

  /// Numbers of columns, and of rows of which some fill several batches.
  static let sizes = [(1, 40_000), (2, 8192), (2, 8193), (3, 20_000), (300, 170), (2000, 17)]

  @Test(arguments: sizes)
  func `a table of many rows is that of rows inserted one by one`(
    columns: Int, rows: Int
  ) throws {
    let table = TableDescription(
      "t",
      columns: (0..<columns).map {
        ColumnDescription("c\($0)", $0 == 0 ? .integer : .text, isNullable: $0 > 0)
      }, primaryKey: ["c0"])
    let rows = (0..<rows).map { row in
      (0..<columns).map { column -> SQLiteValue in
        if column == 0 { return .integer(Int64(row)) }
        return column % 3 == 0 ? .null : .text("\(row) \(column)")
      }
    }
    let connection = try makeTable(table)
    let count = try connection.bulkInsert(intoTable: table) { inserted in
      for row in rows { try inserted.append(row) }
    }
    #expect(count == rows.count)
    #expect(try connection.rows(of: "t") == (try insertedOneByOne(rows, table)))
    #expect(try connection.faults(.full) == [])
  }

  @Test func `texts longer than a batch use one each`() throws {
    let connection = try makeTable(words)
    var runs: [String] = []
    connection.traceHandler = { event in
      if case .finished(let sql, _) = event, sql.hasPrefix("INSERT") { runs.append(sql) }
    }
    let rows: [[SQLiteValue]] = (0..<5).map { [.integer($0), .text(Self.long + "\($0)")] }
    try connection.bulkInsert(intoTable: words) { for row in rows { try $0.append(row) } }
    #expect(runs.count == 5)
    #expect(try connection.rows(of: "words") == rows)
  }

  @Test(arguments: [0, 1]) func `a few rows are inserted`(count: Int) throws {
    let connection = try makeTable(words)
    let inserted = try connection.bulkInsert(intoTable: words) { rows in
      for id in 0..<count { try rows.append(id, "x") }
    }
    #expect(inserted == count)
    #expect(try connection.rows(of: "words").count == count)
    #expect(try !connection.isInTransaction)
  }

  @Test func `values are in the column order of the description`() throws {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE words (more DEFAULT 7, word TEXT, id INTEGER PRIMARY KEY)")
    try connection.bulkInsert(intoTable: words) { try $0.append(1, "one") }
    #expect(try connection.rows(of: "words") == [[7, "one", 1]])
  }

  @Test func `a missing key is chosen by SQLite`() throws {
    let connection = try makeTable(Self.things)
    try connection.bulkInsert(intoTable: Self.things) { rows in
      for _ in 0..<3 { try rows.append(.null, "x", .null) }
    }
    #expect(try connection.query("SELECT id FROM things") == [[1], [2], [3]])
    #expect(try connection.lastInsertedRowID == 3)
  }

  @Test func `a view accepts rows by its trigger`() throws {
    let connection = try makeTable(words)
    try connection.execute(
      script: """
        CREATE VIEW v AS SELECT id, word FROM words;
        CREATE TRIGGER r INSTEAD OF INSERT ON v BEGIN
          INSERT INTO words VALUES (new.id * 10, new.word);
        END
        """)
    let view = TableDescription("v", columns: words.columns, primaryKey: [])
    try connection.bulkInsert(intoTable: view) { rows in
      try rows.append(1, "a")
      try rows.append(2, .null)
    }
    #expect(try connection.rows(of: "words") == [[10, "a"], [20, .null]])
  }

  @Test func `a database without a journal accepts rows`() throws {
    let connection = try makeTable(words)
    try connection.set(.journalMode, to: .off)
    let count = try connection.bulkInsert(intoTable: words) { rows in
      for id in 0..<20_000 { try rows.append(id, "word \(id)") }
    }
    #expect(count == 20_000)
    #expect(try connection.value(of: "SELECT count(*) FROM words") == 20_000)
  }
}
