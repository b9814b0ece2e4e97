import SQLiteSwiftly
import Testing

/// The handling of a row whose primary key exists.
struct ConflictCase: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let table: TableDescription
  /// The existing rows, which begin with the key, and the inserted rows.
  let before: [[SQLiteValue]]
  let rows: [[SQLiteValue]]
  /// The resulting table.
  let kept: [[SQLiteValue]]
  let updated: [[SQLiteValue]]
}

struct UpsertTests {
  static let columns = [
    ColumnDescription("a", .integer), ColumnDescription("b", .text),
    ColumnDescription("c", .integer, isNullable: true),
  ]

  static let cases = [
    ConflictCase(
      testDescription: "a key that is the rowid",
      table: TableDescription("t", columns: columns, primaryKey: ["a"]),
      before: [[1, "x", 1], [2, "y", 2]],
      rows: [[2, "new", .null], [3, "z", 3], [1, "new", 1]],
      kept: [[1, "x", 1], [2, "y", 2], [3, "z", 3]],
      updated: [[1, "new", 1], [2, "new", .null], [3, "z", 3]]),
    ConflictCase(
      testDescription: "rows of one key among those that are inserted",
      table: TableDescription("t", columns: columns, primaryKey: ["a"]), before: [],
      rows: [[1, "first", 1], [1, "second", .null], [2, "only", 2], [1, "third", 3]],
      kept: [[1, "first", 1], [2, "only", 2]], updated: [[1, "third", 3], [2, "only", 2]]),
    ConflictCase(
      testDescription: "a key of two columns",
      table: TableDescription("t", columns: columns, primaryKey: ["b", "a"]),
      before: [[1, "x", 1]], rows: [[1, "X", 2], [1, "x", 3], [2, "x", 4]],
      kept: [[1, "X", 2], [1, "x", 1], [2, "x", 4]],
      updated: [[1, "X", 2], [1, "x", 3], [2, "x", 4]]),
    ConflictCase(
      testDescription: "a key of two columns beside the rowid",
      table: TableDescription(
        "t", columns: columns, primaryKey: ["b", "a"], isWithoutRowid: false),
      before: [[1, "x", 1]], rows: [[1, "x", 3], [2, "x", 4]],
      kept: [[1, "x", 1], [2, "x", 4]], updated: [[1, "x", 3], [2, "x", 4]]),
    ConflictCase(
      testDescription: "a key that is all columns",
      table: TableDescription("t", columns: columns, primaryKey: ["a", "b", "c"]),
      before: [[1, "x", 1]], rows: [[1, "x", 1], [1, "x", 2]],
      kept: [[1, "x", 1], [1, "x", 2]], updated: [[1, "x", 1], [1, "x", 2]]),
    ConflictCase(
      testDescription: "names that need quotes",
      table: TableDescription(
        "o\"n conflict",
        columns: [
          ColumnDescription("set", .integer), ColumnDescription("excluded.\"x", .text),
          ColumnDescription("é", .integer, isNullable: true),
        ], primaryKey: ["set"]),
      before: [[1, "x", 1]], rows: [[1, "y", .null]], kept: [[1, "x", 1]],
      updated: [[1, "y", .null]]),
  ]

  private func makeTable(_ conflict: ConflictCase) throws -> Connection {
    let connection = try Connection.inMemory()
    try connection.createTable(describedBy: conflict.table)
    var insert = try connection.prepareInsertIntoTable(describedBy: conflict.table)
    for row in conflict.before { try insert.insert(row) }
    return connection
  }

  private func expected(
    _ conflict: ConflictCase, _ resolution: ConflictResolution
  ) -> [[SQLiteValue]] {
    resolution == .keep ? conflict.kept : conflict.updated
  }

  /// The rows, in the order of the first two columns.
  private func rows(_ conflict: ConflictCase, _ connection: Connection) throws -> [[SQLiteValue]] {
    try connection.query("SELECT * FROM \(identifier: conflict.table.name) ORDER BY 1, 2, 3")
  }

  @Test(arguments: cases, [ConflictResolution.keep, .update])
  func `a row with an existing key is kept or updated`(
    conflict: ConflictCase, resolution: ConflictResolution
  ) throws {
    let connection = try makeTable(conflict)
    var insert = try connection.prepareInsertIntoTable(
      describedBy: conflict.table, onConflict: resolution)
    for row in conflict.rows { try insert.insert(row) }
    #expect(try rows(conflict, connection) == expected(conflict, resolution))
  }

  @Test(arguments: cases, [ConflictResolution.keep, .update])
  func `it is the same for a bulk insert`(
    conflict: ConflictCase, resolution: ConflictResolution
  ) throws {
    let connection = try makeTable(conflict)
    let count = try connection.bulkInsert(intoTable: conflict.table, onConflict: resolution) {
      for row in conflict.rows { try $0.append(row) }
    }
    // A row that is all key has nothing to update.
    let isUpdated =
      resolution == .update && conflict.table.primaryKey.count < conflict.table.columns.count
    #expect(
      count == (isUpdated ? conflict.rows.count : conflict.kept.count - conflict.before.count))
    #expect(try rows(conflict, connection) == expected(conflict, resolution))
  }

  @Test func `the key that SQLite chooses for NULL is in no conflict`() throws {
    let connection = try Connection.inMemory()
    try connection.createTable(describedBy: words)
    var insert = try connection.prepareInsertIntoTable(describedBy: words, onConflict: .update)
    for word in ["one", "two"] { try insert.insert(.null, word) }
    #expect(try connection.rows(of: "words") == [[1, "one"], [2, "two"]])
  }
}
