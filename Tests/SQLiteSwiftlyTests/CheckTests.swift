import Foundation
import Testing

@testable import SQLiteSwiftly

struct CheckTests {
  /// Two children of `words`, with and without rowids.
  private func makeTables() throws -> Connection {
    let connection = try Connection.inMemory()
    let key = ForeignKeyDescription("word", references: "words", "id")
    let columns = [
      ColumnDescription("id", .integer), ColumnDescription("word", .integer, isNullable: true),
    ]
    let tables = [
      words,
      TableDescription("child", columns: columns, primaryKey: ["id"], foreignKeys: [key]),
      TableDescription(
        "other child", columns: columns, primaryKey: ["id", "word"], foreignKeys: [key]),
    ]
    for table in tables { try connection.createTable(describedBy: table) }
    try connection.execute("INSERT INTO words VALUES (1, NULL), (2, NULL)")
    return connection
  }

  @Test func `rows without a parent are found`() throws {
    let connection = try makeTables()
    try connection.execute("INSERT INTO child VALUES (10, 1), (11, NULL), (12, 2)")
    #expect(try connection.foreignKeyViolations() == [])
    try connection.execute("INSERT INTO child VALUES (20, 3), (21, 1), (22, -1)")
    try connection.execute("INSERT INTO \"other child\" VALUES (1, 2), (1, 4)")
    let violations = try connection.foreignKeyViolations()
    #expect(violations.count == 3)
    for expected in [
      ForeignKeyViolation(table: "child", rowid: 20, parent: "words"),
      ForeignKeyViolation(table: "child", rowid: 22, parent: "words"),
      ForeignKeyViolation(table: "other child", rowid: nil, parent: "words"),
    ] {
      #expect(violations.contains(expected))
    }
    #expect(try connection.foreignKeyViolations(limit: 2).count == 2)
  }

  @Test func `a foreign key without its parent table is an error or a violation`() throws {
    let connection = try makeTables()
    try connection.execute("INSERT INTO child VALUES (10, 1)")
    try connection.execute("DROP TABLE words")
    #expect(
      try connection.foreignKeyViolations() == [
        ForeignKeyViolation(table: "child", rowid: 10, parent: "words")
      ])
  }

  @Test func `a sound database has no faults`() throws {
    let connection = try makeTables()
    #expect(try connection.structuralFaults() == [])
    #expect(try connection.structuralFaults(ofTable: "other child") == [])
    let error = try failure { _ = try connection.structuralFaults(ofTable: "missing") }
    #expect(error.message == "no such table: missing")
  }

  @Test func `values that types and checks forbid are faults`() throws {
    let connection = try Connection.inMemory()
    let table = TableDescription(
      "t",
      columns: [
        ColumnDescription("id", .integer), ColumnDescription("flag", .boolean),
        ColumnDescription("name", .text, domain: .singleLine),
      ],
      primaryKey: ["id"])
    for table in [table, words] { try connection.createTable(describedBy: table) }
    try connection.execute("PRAGMA ignore_check_constraints = ON")
    try connection.execute("INSERT INTO t VALUES (1, 2, 'a'), (2, 1, 'b')")
    try connection.execute("PRAGMA ignore_check_constraints = OFF")
    #expect(try connection.structuralFaults() == ["CHECK constraint failed in t"])
    #expect(try connection.structuralFaults(ofTable: "t") == ["CHECK constraint failed in t"])
    #expect(try connection.structuralFaults(ofTable: "words") == [])
  }

  @Test func `a damaged file has faults`() throws {
    try withFolder { folder in
      let path = folder + "/a.sqlite"
      let connection = try Connection(path, opening: .createNew)
      try connection.createTable(describedBy: words)
      try connection.execute("INSERT INTO words VALUES (1, 'one')")
      try connection.close()
      var bytes = try Data(contentsOf: URL(filePath: path))
      // The number of rows on the page of the table, which is the second one.
      bytes[4096 + 4] = 9
      try bytes.write(to: URL(filePath: path))
      let damaged = try Connection(path, opening: .readOnly)
      let faults = try damaged.structuralFaults()
      #expect(faults.count == 1)
      #expect(faults.first?.hasPrefix("*** in database main ***\nOn tree page 2 cell 8: ") == true)
    }
  }
}
