import SQLiteSwiftly
import Testing

/// The schemas of tables that were not created from a description.
struct SchemaReadingTests {
  private func table(_ statements: SQL...) throws -> TableSchema {
    let connection = try Connection.inMemory()
    for statement in statements { try connection.execute(statement) }
    return try #require(try connection.schema(ofTable: "t"))
  }

  @Test func `everything about a table is read`() throws {
    let table = try table(
      "CREATE TABLE p (x TEXT, y INTEGER, PRIMARY KEY (y, x)) STRICT",
      """
      CREATE TABLE t (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL ON CONFLICT IGNORE COLLATE nocase DEFAULT 'it''s',
        size INT DEFAULT -5 UNIQUE,
        twice INT GENERATED ALWAYS AS (size*2) STORED,
        x TEXT, y INT DEFAULT NULL,
        FOREIGN KEY (y, x) REFERENCES p ON DELETE CASCADE ON UPDATE SET NULL
          DEFERRABLE INITIALLY DEFERRED,
        FOREIGN KEY (size) REFERENCES t (id) NOT DEFERRABLE INITIALLY DEFERRED,
        UNIQUE (name, x) ON CONFLICT REPLACE
      )
      """,
      "CREATE INDEX i ON t (size DESC, lower( name ), x COLLATE rtrim, y+1 desc) WHERE SIZE>0",
      "CREATE UNIQUE INDEX j ON t (y) WHERE x IS NULL", "CREATE UNIQUE INDEX k ON t (y, id)",
      "CREATE INDEX l ON t (name)")
    #expect(table.name == "t" && !table.isStrict && !table.isWithoutRowid)
    #expect(table.columns.map(\.name) == ["id", "name", "size", "twice", "x", "y"])
    #expect(table.columns.map(\.type) == ["INTEGER", "TEXT", "INT", "INT", "TEXT", "INT"])
    #expect(table.columns.map(\.isNullable) == [false, false, true, true, true, true])
    #expect(table.columns.map(\.defaultValue) == [nil, "'it''s'", "-5", nil, nil, nil])
    #expect(table.sql.hasPrefix("CREATE TABLE t (\n"))
    #expect(table.sql.contains("twice INT GENERATED ALWAYS AS (size*2) STORED,"))
    #expect(table.primaryKey == ["id"])
    #expect(Set(table.uniqueKeys) == [["size"], ["name COLLATE NOCASE", "x"], ["y", "id"]])
    #expect(
      table.foreignKeys.map(\.description) == [
        "(y, x) REFERENCES p (y, x) ON DELETE CASCADE ON UPDATE SET NULL",
        "(size) REFERENCES t (id)",
      ])
    #expect(table.indexes.map(\.name) == ["i", "j", "l"])
    #expect(table.indexes.map(\.isPartial) == [true, true, false])
    #expect(table.indexes[0].terms == ["size DESC", nil, "x COLLATE RTRIM", nil])
    #expect(
      table.indexes.map(\.description) == [
        "CREATE INDEX i ON t (size DESC, lower( name ), x COLLATE rtrim, y+1 desc) WHERE SIZE>0",
        "CREATE UNIQUE INDEX j ON t (y) WHERE x IS NULL", "(name COLLATE NOCASE)",
      ])
  }

  /// Declarations of a key, and the resulting schema.
  static let keys: [(definition: SQL, key: [String], isNullable: Bool, isWithoutRowid: Bool)] = [
    ("(a INTEGER PRIMARY KEY)", ["a"], false, false),
    ("(a INTEGER PRIMARY KEY DESC)", ["a DESC"], true, false),
    ("(a INT PRIMARY KEY)", ["a"], true, false),
    ("(a TEXT PRIMARY KEY) STRICT", ["a"], false, false),
    ("(a TEXT PRIMARY KEY) WITHOUT ROWID", ["a"], false, true),
    ("(b, a INTEGER, PRIMARY KEY (a))", ["a"], false, false),
    ("(a, b, PRIMARY KEY (b, a))", ["b", "a"], true, false),
    (
      "(a, b, PRIMARY KEY (b DESC, a COLLATE nocase)) WITHOUT ROWID",
      ["b DESC", "a COLLATE NOCASE"], false, true
    ),
    ("(a UNIQUE)", [], true, false),
  ]

  @Test(arguments: keys)
  func `a primary key is read`(
    definition: SQL, key: [String], isNullable: Bool, isWithoutRowid: Bool
  ) throws {
    let table = try table(SQL(generated: "CREATE TABLE t " + definition.text))
    #expect(table.primaryKey == key)
    #expect(table.columns.first { $0.name == "a" }?.isNullable == isNullable)
    #expect(table.isWithoutRowid == isWithoutRowid)
  }

  @Test func `only tables of the main database are found`() throws {
    let connection = try Connection.inMemory()
    for statement: SQL in [
      "CREATE TABLE Parts (a)", "CREATE VIEW v AS SELECT 1", "CREATE TEMP TABLE other (b)",
      "CREATE TEMP TABLE parts (b)", "CREATE TABLE copy AS SELECT 'x' AS \"a b\", 1 AS c",
    ] {
      try connection.execute(statement)
    }
    #expect(try connection.schema(ofTable: "parts")?.name == "Parts")
    #expect(try connection.schema(ofTable: "parts")?.columns.map(\.name) == ["a"])
    #expect(try connection.schema(ofTable: "copy")?.columns.map(\.name) == ["a b", "c"])
    for name in ["v", "other", "nothing", "", "Parts\0"] {
      #expect(try connection.schema(ofTable: name) == nil)
    }
  }

  @Test func `the columns of a virtual table are read`() throws {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE VIRTUAL TABLE t USING fts5 (title, body)")
    let table = try #require(try connection.schema(ofTable: "t"))
    #expect(table.columns.map(\.name) == ["title", "body"])
  }
}
