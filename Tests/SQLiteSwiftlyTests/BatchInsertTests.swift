import SQLiteSwiftly
import Testing

extension RowBatch {
  /// Begins anew and fills in rows.
  mutating func fill(_ rows: [[SQLiteValue]]) {
    restart(columns: rows[0].count)
    text = []
    for row in rows { append(row) }
  }
}

struct BatchInsertTests {
  private func makeBatch() -> RowBatch { RowBatch(cells: 3000, textCapacity: 0) }

  /// Rows of words with ids from `first` on.
  private func rows(_ first: Int64, _ count: Int64) -> [[SQLiteValue]] {
    (first..<first + count).map { [.integer($0), .text("word \($0)")] }
  }

  @Test func `a batch and a statement serve many times`() throws {
    let connection = try Connection.inMemory(with: words)
    var batch = makeBatch()
    var insert = try BatchInsertStatement(into: words, on: connection)
    for round in 0..<5 {
      batch.fill(rows(Int64(round) * 1000, 1000))
      try insert.insert(batch)
      #expect(batch.rows == 1000 && batch.columns == 2)
    }
    batch.restart(columns: 2)
    try insert.insert(batch)
    #expect(try connection.changes == 0)
    #expect(try connection.rows(of: "words") == rows(0, 5000))
    let statements = try connection.query(
      "SELECT run, reprep FROM sqlite_stmt WHERE sql LIKE 'INSERT%'")
    #expect(statements == [[.integer(6), .integer(0)]])
  }

  @Test func `a column gets its values, whenever the first one comes`() throws {
    let table = TableDescription(
      "t",
      columns: [
        ColumnDescription("id", .integer),
        ColumnDescription("a", .text, isNullable: true, defaultValue: "x"),
        ColumnDescription("b", .text, isNullable: true),
      ], primaryKey: ["id"])
    let connection = try Connection.inMemory(with: table)
    let batches: [(rows: [[SQLiteValue]], empty: [Int])] = [
      ([[.integer(1), .null, .null]], [1, 2]),
      ([[.integer(2), .null, .null], [.integer(3), .null, .text("")]], [1]),
      ([[.integer(4), .null, .null]], [1]),
      ([[.integer(5), .text("a"), .text("b")], [.integer(6), .null, .null]], []),
      ([[.integer(7), .null, .text("c")]], []),
    ]
    var batch = makeBatch()
    var insert = try BatchInsertStatement(into: table, on: connection)
    #expect(insert.emptyColumns == [0, 1, 2])
    for (rows, empty) in batches {
      batch.fill(rows)
      try insert.insert(batch)
      #expect(insert.emptyColumns == empty)
    }
    #expect(try connection.rows(of: "t") == batches.flatMap(\.rows))
    // A row is still named by its number.
    batch.fill([[.integer(8), .null, .null], [.integer(7), .null, .null]])
    let error = try failure { try insert.insert(batch, after: 10) }
    #expect(error.message == "row 11: UNIQUE constraint failed: t.id")
  }

  @Test func `a table may get a value in one column after the other`() throws {
    let columns = (0..<40).map { ColumnDescription("c\($0)", .integer, isNullable: true) }
    let table = TableDescription("t", columns: columns, primaryKey: [])
    let connection = try Connection.inMemory(with: table)
    var batch = makeBatch()
    var insert = try BatchInsertStatement(into: table, on: connection)
    let rows: [[SQLiteValue]] = columns.indices.map { row in
      columns.indices.map { $0 == row || $0 == 0 ? .integer(Int64(row)) : .null }
    }
    for (row, values) in rows.enumerated() {
      batch.fill([values])
      try insert.insert(batch)
      // It is not compiled for each of thousands of columns.
      #expect(insert.emptyColumns == (row < 15 ? Array(row + 1..<40) : []))
    }
    #expect(try connection.rows(of: "t") == rows)
  }

  @Test func `a row may have no value at all`() throws {
    let columns = ["a", "b"].map { ColumnDescription($0, .integer, isNullable: true) }
    let table = TableDescription("t", columns: columns, primaryKey: [])
    let connection = try Connection.inMemory(with: table)
    var batch = makeBatch()
    batch.fill([[.null, .null], [.null, .null]])
    var insert = try BatchInsertStatement(into: table, on: connection)
    try insert.insert(batch)
    #expect(try connection.rows(of: "t") == [[.null, .null], [.null, .null]])
  }

  @Test func `an unfinished row is not inserted`() throws {
    let connection = try Connection.inMemory(with: words)
    var batch = makeBatch()
    batch.fill(rows(1, 1))
    batch.set(0, integer: 9)
    batch.setNull(1)
    var insert = try BatchInsertStatement(into: words, on: connection)
    try insert.insert(batch)
    #expect(try connection.rows(of: "words") == rows(1, 1))
  }

  @Test func `the cells limit the number of rows`() {
    var batch = RowBatch(cells: 5, textCapacity: 0)
    batch.restart(columns: 2)
    var room: [Bool] = []
    for _ in 0..<2 {
      room.append(batch.hasRoom)
      batch.setNull(0)
      batch.finishRow()
    }
    #expect(room + [batch.hasRoom] == [true, true, false])
  }

  @Test func `room for more rows keeps the finished ones`() throws {
    let connection = try Connection.inMemory(with: words)
    var batch = RowBatch(cells: 2, textCapacity: 0)
    batch.fill(rows(1, 1))
    batch.makeRoom(forRows: 500)
    for row in rows(2, 499) { batch.append(row) }
    var room = [batch.hasRoom]
    batch.append(rows(501, 1)[0])
    room.append(batch.hasRoom)
    #expect(room == [true, false])
    var insert = try BatchInsertStatement(into: words, on: connection)
    try insert.insert(batch)
    #expect(try connection.rows(of: "words") == rows(1, 501))
  }

  /// Integers and sizes of texts on both sides of each number of bytes in the packed form.
  @Test func `a packed batch has the same cells`() {
    let sizes = [0, 1, 127, 128, 16_383, 16_384]
    let numbers = (0..<63).flatMap { bit -> [Int64] in
      let power = Int64(1) << Int64(bit)
      return [power - 1, power, -power, -power - 1]
    }
    var cells: [SQLiteValue] = numbers.map { .integer($0) } + [.integer(.min), .integer(.max)]
    cells += sizes.map { .text(String(repeating: "é", count: $0 / 2) + ($0 % 2 == 1 ? "x" : "")) }
    cells.append(.null)
    var batch = RowBatch(cells: cells.count, textCapacity: 0)
    batch.fill(cells.map { [$0] })
    let unpacked = FilledBatch(batch).rows.valuesOfRows
    #expect(unpacked == cells.map { [$0] })
  }

  /// A row that is refused, and how.
  static let faults: [([SQLiteValue], SQLiteError.ResultCode, String)] = [
    ([.integer(1), .null], .constraintPrimaryKey, "UNIQUE constraint failed: words.id"),
    ([.text("x"), .null], .mismatch, "datatype mismatch"),
  ]

  @Test(arguments: faults, [0, 1, 7])
  func `a refused row undoes its batch and is named`(
    fault: ([SQLiteValue], SQLiteError.ResultCode, String), place: Int
  ) throws {
    let connection = try Connection.inMemory(with: words)
    try connection.execute("INSERT INTO words VALUES (1, 'old')")
    var batch = makeBatch()
    var rows = rows(100, 8)
    rows[place] = fault.0
    batch.fill(rows)
    var insert = try BatchInsertStatement(into: words, on: connection)
    try connection.beginTransaction()
    let error = try failure { try insert.insert(batch) }
    #expect(error.extendedCode == fault.1)
    #expect(error.message == "row \(place): \(fault.2)")
    #expect(error.sql?.hasPrefix("INSERT INTO \"words\" (\"id\", \"word\") SELECT") == true)
    #expect(try connection.isInTransaction)
    #expect(try connection.rows(of: "words") == [[.integer(1), .text("old")]])
    batch.fill(self.rows(2, 3))
    try insert.insert(batch)
    try connection.commitTransaction()
    #expect(try connection.rows(of: "words").count == 4)
  }

  @Test func `an error of no row names none`() throws {
    try withFile { path in
      let connection = try Connection(path, opening: .createNew)
      try connection.createTable(describedBy: words)
      var batch = makeBatch()
      var insert = try BatchInsertStatement(into: words, on: connection)
      batch.fill(rows(1, 3))
      try insert.insert(batch)
      let other = try Connection(path, opening: .openExisting)
      try other.beginTransaction()
      batch.fill(rows(10, 5))
      try expectFailure(.busy, "database is locked; set busyTimeout to wait for the lock") {
        try insert.insert(batch)
      }
      try other.commitTransaction()
      try insert.insert(batch)
      #expect(try connection.rows(of: "words") == rows(1, 3) + rows(10, 5))
    }
  }

  @Test func `the connection cannot be closed before the statement is gone`() throws {
    try withFolder { folder in
      let path = folder + "/a.sqlite"
      let connection = try Connection(path, opening: .createNew)
      try connection.createTable(describedBy: words)
      do {
        var batch = makeBatch()
        var insert = try BatchInsertStatement(into: words, on: connection)
        #expect(try failure { try connection.close() }.code == .busy)
        batch.fill(rows(1, 3))
        try insert.insert(batch)
        batch.fill(rows(1, 1))
        #expect(try failure { try insert.insert(batch) }.extendedCode == .constraintPrimaryKey)
      }
      try connection.close()
      #expect(try openFiles(below: folder) == [])
      #expect(try Connection(path, opening: .readOnly).rows(of: "words") == rows(1, 3))
    }
  }

  /// A change of the schema has every statement prepared again.
  @Test func `two statements for one table outlive a change of the schema`() throws {
    let connection = try Connection.inMemory(with: words)
    var batch = makeBatch()
    var first = try BatchInsertStatement(into: words, on: connection)
    var second = try BatchInsertStatement(into: words, on: connection)
    batch.fill(rows(1, 2))
    try first.insert(batch)
    batch.fill(rows(3, 2))
    try second.insert(batch)
    try connection.execute("CREATE UNIQUE INDEX i ON words (word)")
    batch.fill(rows(5, 2))
    try first.insert(batch)
    batch.fill(rows(7, 2))
    try second.insert(batch)
    try connection.execute("DROP INDEX i")
    batch.fill(rows(9, 2))
    try first.insert(batch)
    #expect(try connection.rows(of: "words") == rows(1, 10))
  }

  @Test func `the batch does not appear as a table of the database`() throws {
    let connection = try Connection.inMemory(with: words)
    for name in ["rows for words", "rows of 2 columns"] {
      try connection.execute("CREATE TABLE \(identifier: name) (c0, c1)")
      try connection.execute("INSERT INTO \(identifier: name) VALUES (77, 'false')")
    }
    var batch = makeBatch()
    var insert = try BatchInsertStatement(into: words, on: connection)
    batch.fill(rows(1, 2))
    try insert.insert(batch)
    #expect(try connection.rows(of: "words") == rows(1, 2))
  }

  @Test func `the database keeps no trace of the batch`() throws {
    let connection = try Connection.inMemory(with: words)
    let before = try connection.query("SELECT * FROM sqlite_schema")
    var batch = makeBatch()
    var insert = try BatchInsertStatement(into: words, on: connection)
    batch.fill(rows(1, 2))
    try insert.insert(batch)
    #expect(try connection.query("SELECT * FROM sqlite_schema") == before)
  }

  @Test func `text outside the arena is refused`() async {
    await #expect(processExitsWith: .failure) {
      let connection = try Connection.inMemory(with: words)
      var batch = RowBatch(cells: 2, textCapacity: 10)
      batch.restart(columns: 2)
      batch.set(0, integer: 1)
      batch.set(1, textAt: 5, 11)
      batch.finishRow()
      var insert = try BatchInsertStatement(into: words, on: connection)
      try insert.insert(batch)
    }
  }

  @Test func `rows without cells are refused`() async {
    await #expect(processExitsWith: .failure) {
      var batch = RowBatch(cells: 2, textCapacity: 0)
      batch.restart(columns: 2)
      batch.finishRow()
      batch.finishRow()
    }
  }

  @Test func `rows with the wrong number of columns are refused`() async {
    await #expect(processExitsWith: .failure) {
      let connection = try Connection.inMemory(with: words)
      var batch = RowBatch(cells: 3, textCapacity: 0)
      batch.restart(columns: 3)
      var insert = try BatchInsertStatement(into: words, on: connection)
      try insert.insert(batch)
    }
  }
}
