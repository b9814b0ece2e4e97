import SQLiteSwiftly
import Schema
import Testing

/// A description with faults is reported and never used.
struct DescriptionFaultTests {
  private static let a = ColumnDescription("a", .integer)
  private static let b = ColumnDescription("b", .text)

  /// Descriptions and their faults.
  static let cases: [(TableDescription, [String])] = [
    (TableDescription("t", columns: [a, b], primaryKey: ["a"]), []),
    (TableDescription("t", columns: [a, b], primaryKey: []), []),
    (TableDescription("t", columns: [a, a, b, a], primaryKey: ["a"]), []),
    (
      TableDescription("t", columns: [a, ColumnDescription("a", .text)], primaryKey: ["a"]),
      ["column a is described twice, differently"]
    ),
    (
      TableDescription(
        "t", columns: [a, ColumnDescription("a", .integer, isNullable: true)], primaryKey: ["a"]),
      ["column a is described twice, differently"]
    ),
    (
      TableDescription("t", columns: [a, ColumnDescription("A", .integer)], primaryKey: ["a"]),
      ["column A is described twice, differently"]
    ),
    (
      // Equal strings to Swift, and two names to SQLite.
      TableDescription(
        "t", columns: ["e\u{301}", "\u{E9}"].map { ColumnDescription($0, .integer) },
        primaryKey: ["\u{E9}"]),
      []
    ),
    (TableDescription("t", columns: [], primaryKey: []), ["there are no columns"]),
    (
      TableDescription(
        "t",
        columns: [
          a, ColumnDescription("b", .text, knownValues: ["x"]),
          ColumnDescription("c", .integer, knownValues: ["1"]),
          ColumnDescription("d", .boolean, knownValues: ["t"]),
        ], primaryKey: ["a"]),
      ["c", "d"].map { "column \($0) has known values, but its type is not text" }
    ),
    (
      TableDescription("t", columns: [a], primaryKey: ["nr"]),
      ["the primary key uses column nr, which does not exist"]
    ),
    (
      TableDescription("t", columns: [a], primaryKey: ["A"]),
      ["the primary key uses column A, which does not exist"]
    ),
    (
      TableDescription("t", columns: [a, b], primaryKey: ["b", "a", "b"]),
      ["the primary key has a duplicate column: (b, a, b)"]
    ),
    (
      TableDescription("t", columns: [a], primaryKey: [], isWithoutRowid: true),
      ["a table without rowid needs a primary key"]
    ),
    (
      TableDescription("t", columns: [a], primaryKey: ["a"], uniqueKeys: [["x y"], []]),
      ["a unique key uses column \"x y\", which does not exist", "a unique key has no columns"]
    ),
    (
      TableDescription("t", columns: [a], primaryKey: ["a"], indexes: [["b"], [], ["a", "a"]]),
      [
        "an index uses column b, which does not exist", "an index has no columns",
        "an index has a duplicate column: (a, a)",
      ]
    ),
    (
      TableDescription(
        "t", columns: [a, b], primaryKey: ["a"], indexes: [["a", "b"], ["a", "b"]]),
      ["the indexes on (a, b) and (a, b) have the same name, t_a_b"]
    ),
    (
      TableDescription(
        "t", columns: [a, b, ColumnDescription("A_b", .text)], primaryKey: ["a"],
        uniqueKeys: [["a", "b"]], indexes: [["A_b"]]),
      ["the indexes on (a, b) and (A_b) have the same name, t_A_b"]
    ),
    (
      TableDescription(
        "t", columns: [a], primaryKey: ["a"],
        foreignKeys: [
          ForeignKeyDescription("c", references: "p", "id"),
          ForeignKeyDescription(["a"], references: "p", ["id", "nr"]),
          ForeignKeyDescription([], references: "q r", []),
        ]),
      [
        "a foreign key to p uses column c, which does not exist",
        "a foreign key to p has 1 column, but its key has 2",
        "a foreign key to \"q r\" has no columns",
      ]
    ),
    (
      TableDescription(
        "t",
        columns: [
          ColumnDescription("a", .boolean, domain: .atLeast(0)),
          ColumnDescription("b", .integer, domain: .singleLine),
          ColumnDescription("c", .text, domain: .within(0...1)),
        ], primaryKey: ["a"]),
      ["a", "b", "c"].map { "the domain of column \($0) does not match its type" }
    ),
    (
      TableDescription(
        "t",
        columns: [
          ColumnDescription("a", .integer, defaultValue: .text("it's")),
          ColumnDescription("b", .text, defaultValue: .null),
          ColumnDescription("c", .real, isNullable: true, defaultValue: .real(.nan)),
          ColumnDescription("d", .blob, isNullable: true, defaultValue: .null),
          ColumnDescription("e", .real, defaultValue: .integer(1)),
          ColumnDescription("f", .boolean, defaultValue: .blob([0xAB])),
        ], primaryKey: ["a"]),
      [
        "'it''s' is not a valid default for column a", "NULL is not a valid default for column b",
        "NULL is not a valid default for column c", "X'AB' is not a valid default for column f",
      ]
    ),
    (
      TableDescription(
        "t",
        columns: [
          ColumnDescription("a", .boolean, defaultValue: 0),
          ColumnDescription("b", .boolean, defaultValue: 1),
          ColumnDescription("c", .boolean, defaultValue: 2),
        ], primaryKey: []),
      ["2 is not a valid default for column c"]
    ),
    (
      TableDescription("t", columns: [a, ColumnDescription("", .text)], primaryKey: [""]),
      ["a column has no name"]
    ),
    (
      TableDescription("t", columns: [ColumnDescription("a\0b", .text)], primaryKey: []),
      [#"the name "a\0b" contains a NUL character"#]
    ),
    (
      TableDescription("t", columns: [a], primaryKey: [""], uniqueKeys: [["a", "b\0"]]),
      [
        #"the primary key uses column "", which does not exist"#,
        #"a unique key uses column "b\0", which does not exist"#,
      ]
    ),
    (
      TableDescription(
        "t", columns: [a, b], primaryKey: ["a"],
        foreignKeys: [
          ForeignKeyDescription("a", references: "", "id"),
          ForeignKeyDescription("a", references: "p\0", "id"),
          ForeignKeyDescription("a", references: "p", ""),
          ForeignKeyDescription("a", references: "p", "id\0"),
          ForeignKeyDescription(["a", "b"], references: "p", ["id", "ID"]),
        ]),
      [
        "a foreign key has an empty table name", #"the name "p\0" contains a NUL character"#,
        "a foreign key to p has an empty column name", #"the name "id\0" contains a NUL character"#,
        "the key of a foreign key to p has a duplicate column: (id, ID)",
      ]
    ),
    (
      TableDescription(
        "t",
        columns: [0, 1, -1, .min].enumerated().map { index, digits in
          ColumnDescription("c\(index)", .text, domain: .hexadecimalDigits(digits))
        }, primaryKey: []),
      [
        "column c0 needs at least 1 hexadecimal digit, not 0",
        "column c2 needs at least 1 hexadecimal digit, not -1",
        "column c3 needs at least 1 hexadecimal digit, not \(Int.min)",
      ]
    ),
    (
      TableDescription(
        "t",
        columns: [
          ColumnDescription("a", .text, domain: .oneOf([])),
          ColumnDescription("b", .text, domain: .oneOf(["", "x", "X", "\u{E9}", "e\u{301}"])),
          ColumnDescription("c", .text, domain: .oneOf(["x", "it's", "y", "it's", "it's", "x"])),
          ColumnDescription("d", .text, knownValues: ["y", "x", "y"]),
        ], primaryKey: []),
      [
        "the domain of column a has no value",
        "duplicate value in the domain of column c: 'it''s'",
        "duplicate value in the domain of column c: 'x'",
        "duplicate known value of column d: 'y'",
      ]
    ),
  ]

  @Test(arguments: cases)
  func `SW-50 an invalid description is reported`(
    table: TableDescription, faults: [String]
  ) throws {
    #expect(table.faults == faults)
    let connection = try Connection.inMemory()
    guard !faults.isEmpty else {
      try connection.createTable(describedBy: table)
      #expect(try connection.differences(fromTable: table) == [])
      return
    }
    let schema = SchemaDescription(tables: [table], applicationID: 0, version: 0)
    for use in [
      { try connection.createTable(describedBy: table) },
      { _ = try connection.differences(fromTable: table) },
      { _ = try connection.differences(from: schema) },
      { _ = try table.creation },
      { try connection.createIndexes(describedBy: table) },
      { _ = try connection.prepareInsertIntoTable(describedBy: table, onConflict: .update) },
      { try connection.bulkInsert(intoTable: table, onConflict: .keep) { _ in } },
      { _ = try connection.query("SELECT 1", describedBy: table) },
    ] {
      let error = try failure(use)
      #expect(error.code == .misuse)
      #expect(error.message == "invalid description of table t: " + faults.joined(separator: "; "))
    }
    #expect(try connection.texts("SELECT name FROM sqlite_schema") == [])
    #expect(try !connection.isInTransaction)
  }

  @Test func `SW-50 a description contains a column once`() throws {
    let columns = [Self.a, Self.b, Self.a, ColumnDescription("B", .real)]
    let table = TableDescription("t", columns: columns, primaryKey: ["a"])
    #expect(table.columns == [Self.a, Self.b])
    let twice = TableDescription("t", columns: [Self.a, Self.b, Self.b], primaryKey: ["a"])
    #expect(twice == TableDescription("t", columns: [Self.a, Self.b], primaryKey: ["a"]))
    #expect(twice.faults == [])
  }

  @Test func `columns are compared by bytes`() {
    func column(_ name: String, _ text: String) -> ColumnDescription {
      ColumnDescription(name, .text, domain: .oneOf([text]), defaultValue: .text(text))
    }
    let columns = [
      column("\u{E9}", "a"), column("e\u{301}", "a"), column("a", "\u{E9}"),
      column("a", "e\u{301}"), ColumnDescription("a", .integer), ColumnDescription("a", .boolean),
    ]
    #expect(Set(columns).count == columns.count)
  }

  @Test(arguments: [
    ("", "the table has no name"), ("a\0b", #"the name "a\0b" contains a NUL character"#),
  ])
  func `a table needs a name`(name: String, fault: String) throws {
    let table = TableDescription(name, columns: [Self.a], primaryKey: [])
    #expect(table.faults == [fault])
    let connection = try Connection.inMemory()
    let error = try failure { try connection.createTable(describedBy: table) }
    let written = name.isEmpty ? "\"\"" : #""a\0b""#
    #expect(error.message == "invalid description of table \(written): \(fault)")
  }
}
