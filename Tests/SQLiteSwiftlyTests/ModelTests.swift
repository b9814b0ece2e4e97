import SQLiteSwiftly
import Testing

/// A query that is read by a description, and its result.
struct ModelCase: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let sql: SQL
  /// The rows by their columns, or how they are refused.
  let outcome: Result<[[String: SQLiteValue]], Refused>

  struct Refused: Error {
    let code: SQLiteError.ResultCode
    let message: String
  }

  init(_ name: String, _ sql: SQL, gives rows: [[String: SQLiteValue]]) {
    (testDescription, self.sql) = (name, sql)
    outcome = .success(rows)
  }

  init(
    _ name: String, _ sql: SQL, fails message: String,
    _ code: SQLiteError.ResultCode = .misuse
  ) {
    (testDescription, self.sql) = (name, sql)
    outcome = .failure(Refused(code: code, message: message))
  }
}

struct ModelTests {
  static let parts = TableDescription(
    "parts",
    columns: [
      ColumnDescription("number", .text), ColumnDescription("count", .integer, isNullable: true),
      ColumnDescription("weight", .real, isNullable: true), ColumnDescription("is_new", .boolean),
      ColumnDescription("image", .blob, isNullable: true),
    ],
    primaryKey: ["number"])

  static let row: [String: SQLiteValue] = [
    "number": "3001", "count": 7, "weight": 2.5, "is_new": 1, "image": .blob([1, 2]),
  ]

  static let cases: [ModelCase] = [
    ModelCase("all columns", "SELECT * FROM parts", gives: [row]),
    ModelCase(
      "in another order", "SELECT image, weight, number, is_new, count FROM parts", gives: [row]),
    ModelCase(
      "with capitals", "SELECT number, count AS Count, WEIGHT, is_new, image AS IMAGE FROM parts",
      gives: [row]),
    ModelCase("no rows", "SELECT * FROM parts WHERE number = ''", gives: []),
    ModelCase(
      "NULL where it may be",
      "SELECT number, NULL AS count, NULL AS weight, is_new, NULL AS image FROM parts",
      gives: [["number": "3001", "count": .null, "weight": .null, "is_new": 1, "image": .null]]),
    ModelCase(
      "rows of a change",
      """
      UPDATE parts SET is_new = 0 RETURNING image, number, count, weight, is_new
      """, gives: [row.merging(["is_new": 0]) { $1 }]),
    ModelCase(
      "a column too few", "SELECT number, count, weight, image FROM parts",
      fails: "column is_new of parts is missing from the result"),
    ModelCase(
      "a column too few and no rows", "SELECT number FROM parts WHERE number = ''",
      fails: "column count of parts is missing from the result"),
    ModelCase(
      "a column too many", "SELECT *, 5 AS five FROM parts",
      fails: "column five of the result is not in the description of parts"),
    ModelCase(
      "a renamed column", "SELECT number AS part_num, count, weight, is_new, image FROM parts",
      fails: "column number of parts is missing from the result"),
    ModelCase(
      "a column that is there twice", "SELECT *, count FROM parts",
      fails: "column count of parts occurs twice in the result"),
    ModelCase(
      "a column that is there twice and one too few",
      "SELECT number, count, count, weight, is_new FROM parts",
      fails: "column count of parts occurs twice in the result"),
    ModelCase(
      "an accent in another form", "SELECT *, 1 AS \(identifier: "nu\u{301}mber") FROM parts",
      fails: "column nu\u{301}mber of the result is not in the description of parts"),
    ModelCase(
      "an integer for a text",
      "SELECT 3001 AS number, count, weight, is_new, image FROM parts",
      fails: "row 0, column number: expected text, found the integer 3001", .mismatch),
    ModelCase(
      "a text for an integer",
      "SELECT number, '7' AS count, weight, is_new, image FROM parts",
      fails: "row 0, column count: expected an integer or NULL, found text", .mismatch),
    ModelCase(
      "an integer for a real",
      "SELECT number, count, 2 AS weight, is_new, image FROM parts",
      fails: "row 0, column weight: expected a real or NULL, found the integer 2", .mismatch),
    ModelCase(
      "a text for a blob",
      "SELECT number, count, weight, is_new, 'x' AS image FROM parts",
      fails: "row 0, column image: expected a blob or NULL, found text", .mismatch),
    ModelCase(
      "2 for a truth value",
      "SELECT number, count, weight, 2 AS is_new, image FROM parts",
      fails: "row 0, column is_new: expected 0 or 1, found the integer 2", .mismatch),
    ModelCase(
      "NULL where it may not be",
      "SELECT number, count, weight, NULL AS is_new, image FROM parts",
      fails: "row 0, column is_new: expected 0 or 1, found NULL", .mismatch),
    ModelCase(
      "NULL for a key",
      "SELECT NULL AS number, count, weight, is_new, image FROM parts",
      fails: "row 0, column number: expected text, found NULL", .mismatch),
    ModelCase(
      "a wrong value in a later row",
      """
      SELECT * FROM parts
      UNION ALL SELECT '3002', 'x', 1.5, 0, NULL
      """,
      fails: "row 1, column count: expected an integer or NULL, found text", .mismatch),
  ]

  private func makeParts() throws -> Connection {
    let connection = try Connection.inMemory(with: Self.parts)
    var insert = try connection.prepareInsertIntoTable(describedBy: Self.parts)
    try insert.insert(Self.row)
    return connection
  }

  @Test(
    "SW-51 SW-53 SW-56 SW-57 SW-58 the columns of a result are those of its model, by name",
    arguments: cases)
  func queried(given: ModelCase) throws {
    let connection = try makeParts()
    try expect(given) { try connection.query(given.sql, describedBy: Self.parts) }
  }

  @Test(
    "SW-51 SW-53 SW-56 SW-57 SW-58 SW-60 so are those of a prepared statement, run by run",
    arguments: cases)
  func prepared(given: ModelCase) throws {
    let connection = try makeParts()
    var statement = try connection.prepare(given.sql)
    for _ in 0..<2 { try expect(given) { try statement.query(describedBy: Self.parts) } }
  }

  private func expect(_ given: ModelCase, _ body: () throws -> [TableRow]) throws {
    switch given.outcome {
    case .success(let expected):
      let rows = try body()
      #expect(
        rows.map { row in expected.first?.keys.reduce(into: [:]) { $0[$1] = row[$1] } ?? [:] }
          == expected)
      #expect(rows.allSatisfy { $0["no such column"] == nil })
    case .failure(let refused):
      let error = try failure { _ = try body() }
      #expect(error.code == refused.code && error.message == refused.message)
      #expect(error.sql == given.sql.text)
    }
  }

  @Test func `SW-51 a table with another column order is read and filled correctly`() throws {
    let connection = try Connection.inMemory(
      after: "CREATE TABLE parts (image BLOB, is_new INT, weight REAL, count INT, number TEXT)")
    var insert = try connection.prepareInsertIntoTable(describedBy: Self.parts)
    try insert.insert(["3001", 7, 2.5, 1, .blob([1, 2])])
    let permuted = TableDescription(
      "parts", columns: Self.parts.columns.reversed(), primaryKey: ["number"])
    for description in [Self.parts, permuted] {
      let rows = try connection.readAllRows(fromTable: description)
      #expect(rows.count == 1)
      for (column, value) in Self.row { #expect(rows.first?[column] == value) }
    }
    var second = try connection.prepareInsertIntoTable(describedBy: permuted)
    try second.insert([.null, 0, .null, .null, "3002"])
    #expect(
      try connection.query("SELECT number, is_new FROM parts WHERE count IS NULL") == [["3002", 0]])
  }

  @Test func `SW-57 SW-58 a table that is not as described is refused whole`() throws {
    let connection = try makeParts()
    let changes: [(SQL, String)] = [
      (
        "ALTER TABLE parts ADD COLUMN more TEXT",
        "column more of the result is not in the description of parts"
      ),
      ("ALTER TABLE parts DROP COLUMN weight", "column weight of parts is missing from the result"),
      (
        "ALTER TABLE parts RENAME COLUMN count TO counts",
        "column count of parts is missing from the result"
      ),
    ]
    for (change, message) in changes {
      try connection.execute(change)
      try expectFailure(.misuse, message) { _ = try connection.readAllRows(fromTable: Self.parts) }
    }
  }

  @Test func `SW-59 rows without a model are not lost silently`() throws {
    let connection = try makeParts()
    let selects: [SQL] = [
      "SELECT * FROM parts", "SELECT 1 WHERE 0", "UPDATE parts SET count = 1 RETURNING number",
      "PRAGMA user_version",
    ]
    for sql in selects {
      let error = try failure { try connection.execute(sql) }
      #expect(error.code == .misuse && error.sql == sql.text)
      #expect(error.message == "the statement returns rows; read them with query")
      var statement = try connection.prepare(sql)
      #expect(try failure { try statement.run() } == error)
    }
    #expect(try connection.readAllRows(fromTable: Self.parts).map { $0["count"] } == [7])
  }

  @Test func `SW-59 a model for a statement without rows is refused`() throws {
    let connection = try makeParts()
    let changes: [SQL] = [
      "DELETE FROM parts", "INSERT INTO parts VALUES ('1', 1, 1, 1, NULL)", "DROP TABLE parts",
      "ALTER TABLE parts RENAME TO pieces", "BEGIN",
    ]
    for sql in changes {
      let error = try failure { _ = try connection.query(sql, describedBy: Self.parts) }
      #expect(error.code == .misuse && error.sql == sql.text)
      #expect(error.message == "the statement returns no rows to check")
    }
    #expect(try connection.rows(of: "parts").count == 1)
    #expect(try !connection.isInTransaction)
  }
}
