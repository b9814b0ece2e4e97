import SQLiteSwiftly
import Testing

/// A row that SQLite refuses.
struct RefusedRow: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let row: [SQLiteValue]
  let code: SQLiteError.ResultCode
  let message: String

  init(
    _ name: String, _ row: [SQLiteValue], _ code: SQLiteError.ResultCode, _ message: String
  ) {
    (testDescription, self.row, self.code, self.message) = (name, row, code, message)
  }
}

struct BulkInsertRefusalTests {
  static let boxes = TableDescription(
    "boxes",
    columns: [
      ColumnDescription("id", .integer), ColumnDescription("name", .text, domain: .singleLine),
      ColumnDescription("weight", .integer, isNullable: true, domain: .atLeast(0)),
    ],
    primaryKey: ["id"], uniqueKeys: [["name"]])

  static let refused = [
    RefusedRow(
      "a value is missing", [-1, .null, .null], .constraintNotNull,
      "NOT NULL constraint failed: boxes.name"),
    RefusedRow(
      "a check fails", [-1, "x", -5], .constraintCheck, "CHECK constraint failed: weight"),
    RefusedRow(
      "a unique key is there", [-1, "box 0", .null], .constraintUnique,
      "UNIQUE constraint failed: boxes.name"),
    RefusedRow(
      "a primary key is there", [0, "x", .null], .constraintPrimaryKey,
      "UNIQUE constraint failed: boxes.id"),
    RefusedRow(
      "a type is another", [-1, .blob([1]), .null], .constraintDataType,
      "cannot store BLOB value in TEXT column boxes.name"),
    RefusedRow("a key is no integer", ["x", "x", .null], .mismatch, "datatype mismatch"),
  ]

  private func makeTable() throws -> Connection {
    let connection = try Connection.inMemory(with: Self.boxes)
    try connection.execute("INSERT INTO boxes VALUES (-9, 'there', NULL)")
    return connection
  }

  private func row(_ id: Int) -> [SQLiteValue] { [.integer(Int64(id)), .text("box \(id)"), 1] }

  /// Places of the row: in the first batch, at its ends, in later ones, and at the very end.
  @Test(arguments: refused, [1, 5460, 5461, 5462, 12_000, 14_999])
  func `a refused row is named, and none is inserted`(
    refused: RefusedRow, place: Int
  ) throws {
    let connection = try makeTable()
    var appended = 0
    let error = try failure {
      try connection.bulkInsert(intoTable: Self.boxes) { rows in
        for id in 0..<15_000 {
          try rows.append(id == place ? refused.row : row(id))
          appended += 1
        }
      }
    }
    #expect(error.extendedCode == refused.code)
    #expect(error.message == "row \(place): \(refused.message)")
    #expect(appended <= 15_000 && appended > place)
    #expect(try connection.rows(of: "boxes") == [[-9, "there", .null]])
    #expect(try !connection.isInTransaction)
    try connection.bulkInsert(intoTable: Self.boxes) { try $0.append(row(1)) }
    #expect(try connection.rows(of: "boxes").count == 2)
  }

  @Test func `an error that the closure caught is still thrown`() throws {
    let connection = try makeTable()
    var caught: Set<String> = []
    let error = try failure {
      try connection.bulkInsert(intoTable: Self.boxes) { rows in
        for id in 0..<30_000 {
          do throws(SQLiteError) {
            try rows.append(row(id == 3000 ? 0 : id))
          } catch {
            caught.insert(error.message)
          }
        }
      }
    }
    #expect(caught == [error.message])
    #expect(error.message.hasPrefix("row 3000: "))
    #expect(try connection.rows(of: "boxes") == [[-9, "there", .null]])
  }

  /// Rows that are left out, and how.
  static let wrong: [([any SQLiteValueConvertible & Sendable], String)] = [
    ([], "row 1 of boxes: expected 3 values (columns: id, name, weight), found 0"),
    ([1, "x"], "row 1 of boxes: expected 3 values (columns: id, name, weight), found 2"),
    ([1, "x", 1, 1], "row 1 of boxes: expected 3 values (columns: id, name, weight), found 4"),
  ]

  @Test(arguments: wrong)
  func `a wrong number of values skips only that row`(
    values: [any SQLiteValueConvertible & Sendable], message: String
  ) throws {
    let connection = try makeTable()
    let converted = try values.map { try $0.sqliteValue }
    let count = try connection.bulkInsert(intoTable: Self.boxes) { rows in
      try rows.append(row(1))
      try expectFailure(.range, message) { try rows.append(converted) }
      try rows.append(row(2))
    }
    #expect(count == 2)
    #expect(try connection.rows(of: "boxes") == [[-9, "there", .null], row(1), row(2)])
  }

  @Test func `a value without a form skips only that row`() throws {
    let connection = try makeTable()
    let count = try connection.bulkInsert(intoTable: Self.boxes) { rows in
      try rows.append(row(1))
      for _ in 0..<3 {
        try expectFailure(.range) { try rows.append(7, "a text before it", UInt64.max) }
        #expect(try failure { try rows.append(7, "x") }.code == .range)
        #expect(try failure { try rows.append() }.code == .range)
      }
      try rows.append(2, "box 2", 1)
    }
    #expect(count == 2)
    #expect(try connection.rows(of: "boxes") == [[-9, "there", .null], row(1), row(2)])
  }

  @Test func `skipped rows do not occupy memory permanently`() throws {
    let connection = try makeTable()
    let long = String(repeating: "x", count: 1 << 20)
    let count = try connection.bulkInsert(intoTable: Self.boxes) { rows in
      try rows.append(row(1))
      // As texts of one batch they would be more than it can have.
      for _ in 0..<200 { try? rows.append(7, long) }
      try rows.append(row(2))
    }
    #expect(count == 2)
    #expect(try connection.rows(of: "boxes") == [[-9, "there", .null], row(1), row(2)])
  }

  private struct OwnError: Error, Equatable { let number: Int }

  @Test(arguments: [0, 1, 9000]) func `an error of the closure undoes all`(count: Int) throws {
    let connection = try makeTable()
    let error = #expect(throws: OwnError.self) {
      try connection.bulkInsert(intoTable: Self.boxes) { rows in
        for id in 0..<count { try rows.append(row(id)) }
        throw OwnError(number: count)
      }
    }
    #expect(error == OwnError(number: count))
    #expect(try connection.rows(of: "boxes") == [[-9, "there", .null]])
    let refused = try failure {
      try connection.bulkInsert(intoTable: Self.boxes) { rows throws(SQLiteError) in
        try rows.append(1, "x", 1)
        throw SQLiteError(.abort, "given up")
      }
    }
    #expect(refused == SQLiteError(.abort, "given up"))
    #expect(try connection.rows(of: "boxes") == [[-9, "there", .null]])
  }

  @Test func `a foreign key that has no parent undoes all`() throws {
    let connection = try makeTable()
    let parts = TableDescription(
      "parts",
      columns: [ColumnDescription("id", .integer), ColumnDescription("box", .integer)],
      primaryKey: ["id"], foreignKeys: [ForeignKeyDescription("box", references: "boxes", "id")])
    try connection.createTable(describedBy: parts)
    try connection.set(.foreignKeys, to: true)
    let error = try failure {
      try connection.bulkInsert(intoTable: parts) { rows in
        try rows.append(1, -9)
        try rows.append(2, 77)
      }
    }
    // SQLite checks foreign keys after all rows, and does not identify the row.
    #expect(
      error == SQLiteError(.constraintForeignKey, "FOREIGN KEY constraint failed", sql: error.sql))
    #expect(try connection.rows(of: "parts") == [])
    #expect(try connection.bulkInsert(intoTable: parts) { try $0.append(1, -9) } == 1)
  }

  @Test func `a table with a trigger undoes all, and names no row`() throws {
    let connection = try makeTable()
    try connection.execute("CREATE TABLE log (id, rows)")
    try connection.execute(
      """
      CREATE TRIGGER r AFTER INSERT ON boxes BEGIN
        INSERT INTO log VALUES (new.id, (SELECT count(*) FROM boxes));
      END
      """)
    let error = try failure {
      try connection.bulkInsert(intoTable: Self.boxes) { rows in
        for id in 0..<9000 { try rows.append(row(id == 7000 ? 1 : id)) }
      }
    }
    #expect(error.extendedCode == .constraintPrimaryKey)
    // SQLite reads all rows of a batch before it inserts one.
    #expect(error.message == "UNIQUE constraint failed: boxes.id")
    #expect(try connection.query("SELECT * FROM log") == [])
    try connection.bulkInsert(intoTable: Self.boxes) { rows in
      for id in 0..<9000 { try rows.append(row(id)) }
    }
    #expect(
      try connection.query("SELECT count(*), min(rows), max(rows), sum(rows - id) FROM log")
        == [[9000, 2, 9001, 18_000]])
  }
}
