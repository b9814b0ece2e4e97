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
      ForeignKeyViolation(
        table: "child", rowid: 20, columns: ["word"], key: [.integer(3)], parent: "words"),
      ForeignKeyViolation(
        table: "child", rowid: 22, columns: ["word"], key: [.integer(-1)], parent: "words"),
      ForeignKeyViolation(
        table: "other child", rowid: nil, columns: ["word"], key: nil, parent: "words"),
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
        ForeignKeyViolation(
          table: "child", rowid: 10, columns: ["word"], key: [.integer(1)], parent: "words")
      ])
  }

  @Test func `a violation names its key, whatever the names of the columns`() throws {
    let connection = try Connection.inMemory(after: "CREATE TABLE p (a, b, PRIMARY KEY (b, a))")
    try connection.execute(
      """
      CREATE TABLE "c d" (RowID TEXT, "x ""y" TEXT, z REFERENCES p2, oid,
        FOREIGN KEY ("x ""y", rowid) REFERENCES p (b, a))
      """)
    try connection.execute("CREATE TABLE p2 (z PRIMARY KEY)")
    try connection.execute("INSERT INTO p VALUES ('A', 'B')")
    try connection.execute(
      "INSERT INTO \"c d\" VALUES ('A', 'B', NULL, 0), ('B', 'A', 7, 0), ('x', NULL, NULL, 0)"
    )
    let violations = try connection.foreignKeyViolations(limit: -1)
    #expect(
      violations.sorted { $0.parent < $1.parent } == [
        ForeignKeyViolation(
          table: "c d", rowid: 2, columns: ["x \"y", "RowID"], key: [.text("A"), .text("B")],
          parent: "p"),
        ForeignKeyViolation(
          table: "c d", rowid: 2, columns: ["z"], key: [.integer(7)], parent: "p2"),
      ])
    try connection.execute("ALTER TABLE \"c d\" ADD COLUMN _ROWID_")
    #expect(try connection.foreignKeyViolations().map(\.key) == [nil, nil])
  }

  @Test func `a foreign key whose parent is no key is an error`() throws {
    let connection = try Connection.inMemory(
      after: "CREATE TABLE p (a)", "CREATE TABLE c (a REFERENCES p (a))")
    let error = try failure { _ = try connection.foreignKeyViolations() }
    #expect(
      error.code == .error && error.message == "foreign key mismatch - \"c\" referencing \"p\"")
  }

  @Test func `a full check finds missing entries of an index`() throws {
    try withFile { path in
      let connection = try Connection(path, opening: .createNew)
      try connection.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b)")
      try connection.execute("CREATE TABLE other (a)")
      try connection.execute("CREATE INDEX i ON t (b)")
      try connection.execute("INSERT INTO t VALUES (1, 'one'), (2, 'two')")
      for thoroughness in [Connection.Thoroughness.structure, .full] {
        #expect(try connection.faults(thoroughness) == [])
      }
      // The text in the table becomes another one, and that in the index stays.
      let root = try connection.value(
        of: "SELECT rootpage FROM sqlite_schema WHERE name = 't'")?.integerValue
      try connection.close()
      try replace("two", by: "owt", onPage: Int(try #require(root)), of: path)
      let damaged = try Connection(path, opening: .openExisting)
      #expect(try damaged.faults(.structure) == [])
      #expect(try damaged.faults(.full) == ["row 2 missing from index i"])
      #expect(try damaged.faults(.full, ofTable: "t") == ["row 2 missing from index i"])
      #expect(try damaged.faults(.full, ofTable: "other") == [])
      for name in ["5", "5 pieces", "-5"] {
        let error = try failure { _ = try damaged.faults(.full, ofTable: name) }
        #expect(
          error.code == .misuse
            && error.message == "table \(name) cannot be checked: SQLite reads its name as a number"
        )
      }
    }
  }

  /// Changes the first such text on a page of a file with pages of 4096 bytes.
  private func replace(
    _ old: String, by new: String, onPage page: Int, of path: String
  ) throws {
    let file = URL(filePath: path)
    var bytes = try Data(contentsOf: file)
    let range = (page - 1) * 4096..<page * 4096
    bytes.replaceSubrange(try #require(bytes.range(of: Data(old.utf8), in: range)), with: new.utf8)
    try bytes.write(to: file)
  }

  @Test func `a valid database has no faults`() throws {
    let connection = try makeTables()
    #expect(try connection.faults(.structure) == [])
    #expect(try connection.faults(.structure, ofTable: "other child") == [])
    let error = try failure { _ = try connection.faults(.structure, ofTable: "missing") }
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
    #expect(try connection.faults(.structure) == ["CHECK constraint failed in t"])
    #expect(try connection.faults(.structure, ofTable: "t") == ["CHECK constraint failed in t"])
    #expect(try connection.faults(.structure, ofTable: "words") == [])
  }

  @Test func `a damaged file has faults`() throws {
    try withFile { path in
      let connection = try Connection(path, opening: .createNew)
      try connection.createTable(describedBy: words)
      try connection.execute("INSERT INTO words VALUES (1, 'one')")
      try connection.close()
      var bytes = try Data(contentsOf: URL(filePath: path))
      // The number of rows on the page of the table, which is the second one.
      bytes[4096 + 4] = 9
      try bytes.write(to: URL(filePath: path))
      let damaged = try Connection(path, opening: .readOnly)
      let faults = try damaged.faults(.structure)
      #expect(faults.count == 1)
      #expect(faults.first?.hasPrefix("*** in database main ***\nOn tree page 2 cell 8: ") == true)
    }
  }
}
