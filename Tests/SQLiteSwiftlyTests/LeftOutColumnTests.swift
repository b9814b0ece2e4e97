import SQLiteSwiftly
import Testing

/// Inserts that give some columns no value.
struct LeftOutColumnTests {
  private static let table = TableDescription(
    "visits",
    columns: [
      ColumnDescription("id", .integer), ColumnDescription("page", .text),
      ColumnDescription("count", .integer, defaultValue: 1),
      ColumnDescription("referrer", .text, isNullable: true),
    ],
    primaryKey: ["id"])

  @Test func `a column that is left out gets its default, NULL or the next number`() throws {
    let connection = try Connection.inMemory(with: Self.table)
    var insert = try connection.prepareInsertIntoTable(
      describedBy: Self.table, leavingOut: ["ID", "count", "referrer"])
    try insert.insert("first")
    try insert.insert(["page": "second"])
    var counted = try connection.prepareInsertIntoTable(
      describedBy: Self.table, leavingOut: ["referrer"])
    try counted.insert(7, "third", 5)
    #expect(
      try connection.query("SELECT * FROM visits") == [
        [1, "first", 1, .null], [2, "second", 1, .null], [7, "third", 5, .null],
      ])
    let error = try failure { try insert.insert(["page": "x", "count": 2]) }
    #expect(error.message == "visits has no column count (columns: page)")
  }

  @Test func `an existing row keeps a column that is left out`() throws {
    let connection = try Connection.inMemory(with: Self.table)
    try connection.execute("INSERT INTO visits VALUES (1, 'first', 9, 'here')")
    var upsert = try connection.prepareInsertIntoTable(
      describedBy: Self.table, onConflict: .update, leavingOut: ["count"])
    try upsert.insert(1, "changed", .null)
    #expect(try connection.query("SELECT * FROM visits") == [[1, "changed", 9, .null]])
  }

  @Test(
    arguments: [
      (["page"], "column page of visits cannot be left out: it has no default, and cannot be NULL"),
      (["size"], "visits has no column size to leave out"),
    ])
  func `a column that needs a value cannot be left out`(
    columns: [String], message: String
  ) throws {
    let connection = try Connection.inMemory(with: Self.table)
    try expectFailure(.misuse, message) {
      _ = try connection.prepareInsertIntoTable(describedBy: Self.table, leavingOut: columns)
    }
  }

  @Test func `all columns cannot be left out`() throws {
    let connection = try Connection.inMemory()
    let table = TableDescription(
      "t", columns: [ColumnDescription("id", .integer)], primaryKey: ["id"])
    try connection.createTable(describedBy: table)
    try expectFailure("an insert into t cannot leave out all of its columns") {
      _ = try connection.prepareInsertIntoTable(describedBy: table, leavingOut: ["id"])
    }
  }
}
