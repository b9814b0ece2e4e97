import Foundation
import SQLiteSwiftly
import Schema
import Testing

/// The effects of a description once its table is created.
struct TableCreationTests {
  /// How a table is stored when that is said, and how its definition ends.
  static let storages: [(key: [String], isStrict: Bool, isWithoutRowid: Bool?, end: String)] = [
    (["id"], true, true, ",\n  PRIMARY KEY (\"id\")\n) STRICT, WITHOUT ROWID"),
    (["id"], false, nil, "\n)"), (["id"], false, true, "\n) WITHOUT ROWID"),
    (["word"], true, false, ",\n  PRIMARY KEY (\"word\")\n) STRICT"),
    (["word"], false, nil, "\n) WITHOUT ROWID"), ([], true, nil, "\"word\" TEXT\n) STRICT"),
    ([], false, false, "\"word\" TEXT\n)"),
  ]

  @Test(arguments: storages)
  func `SW-39 a table is stored as its description says`(
    key: [String], isStrict: Bool, isWithoutRowid: Bool?, end: String
  ) throws {
    let table = TableDescription(
      "t", columns: words.columns, primaryKey: key, isStrict: isStrict,
      isWithoutRowid: isWithoutRowid)
    #expect(table.faults == [])
    #expect(try table.creation.text.hasSuffix(end))
    let connection = try Connection.inMemory(with: table)
    let found = try connection.query("SELECT strict, wr FROM pragma_table_list WHERE name = 't'")
    #expect(found == [[.integer(isStrict ? 1 : 0), .integer(table.isWithoutRowid ? 1 : 0)]])
    #expect(try connection.differences(fromTable: table) == [])
  }

  @Test func `a boolean that is the whole key of a table with rowids is the rowid`() throws {
    let table = TableDescription(
      "t", columns: [ColumnDescription("is_one", .boolean)], primaryKey: ["is_one"],
      isWithoutRowid: false)
    let connection = try Connection.inMemory(with: table)
    try connection.execute("INSERT INTO t VALUES (1)")
    #expect(table.keyIsRowid)
    #expect(try connection.value(of: "SELECT rowid FROM t") == .integer(1))
    #expect(try connection.differences(fromTable: table) == [])
  }

  @Test func `SW-39 indexes of two tables with the same name are refused`() throws {
    func table(_ name: String, _ column: String) -> TableDescription {
      TableDescription(
        name, columns: [ColumnDescription(column, .integer)], primaryKey: [], indexes: [[column]])
    }
    let connection = try Connection.inMemory()
    try connection.createTable(describedBy: table("a", "b_c"))
    let error = try failure { try connection.createTable(describedBy: table("a_b", "c")) }
    #expect(error.message == "index a_b_c already exists")
    #expect(try connection.texts("SELECT name FROM sqlite_schema") == ["a", "a_b_c"])
  }

  @Test func `SW-51 a table created in another order of columns is the same table`() throws {
    let reversed = TableDescription(
      "orders", columns: DescriptionTests.orders.columns.reversed(), primaryKey: ["id"],
      uniqueKeys: DescriptionTests.orders.uniqueKeys,
      foreignKeys: DescriptionTests.orders.foreignKeys.reversed(),
      indexes: DescriptionTests.orders.indexes.reversed())
    let connection = try Connection.inMemory(with: reversed)
    let names = try connection.texts("SELECT name FROM pragma_table_info('orders')")
    #expect(names == DescriptionTests.orders.columns.reversed().map(\.name))
    #expect(try connection.differences(fromTable: DescriptionTests.orders) == [])
  }

  @Test func `indexes may be created after the rows`() throws {
    let table = TableDescription(
      "t", columns: [ColumnDescription("a", .integer), ColumnDescription("b", .text)],
      primaryKey: ["a"], uniqueKeys: [["b"]], indexes: [["b", "a"]])
    let connection = try Connection.inMemory()
    try connection.createTable(describedBy: table, withIndexes: false)
    #expect(try connection.differences(fromTable: table).map(\.property) == [.uniqueKey, .index])
    var insert = try connection.prepareInsertIntoTable(describedBy: table)
    try insert.insert([1, "x"])
    try insert.insert([2, "x"])
    let error = try failure { try connection.createIndexes(describedBy: table) }
    #expect(error.extendedCode == .constraintUnique)
    try connection.execute("DELETE FROM t WHERE a = 2")
    try connection.createIndexes(describedBy: table)
    #expect(try connection.differences(fromTable: table) == [])
  }
}
