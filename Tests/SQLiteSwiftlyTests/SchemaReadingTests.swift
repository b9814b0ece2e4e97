import SQLiteSwiftly
import Testing

/// What is read of tables that were not made from a description.
struct SchemaReadingTests {
  private func table(_ statements: SQL...) throws -> TableSchema {
    let connection = try Connection.inMemory()
    for statement in statements { try connection.execute(statement) }
    return try #require(try connection.schema(ofTable: "t"))
  }

  /// Definitions of columns and constraints, and the checks that are in them.
  static let checks: [(definitions: SQL, checks: [String])] = [
    ("a CHECK (a > 0)", ["a: a > 0"]),
    ("a INT NOT NULL DEFAULT (3) CHECK(A>0)", ["a: a > 0"]),
    ("\"a\" CHECK (\"a\">0 AND\n  [a] < 5 or `a` <> -1)", ["a: a > 0 AND a < 5 OR a <> -1"]),
    ("a CONSTRAINT CK Check ((a + (1)) * 2 > 0)", ["a: (a + (1)) * 2 > 0"]),
    ("a /* CHECK (a < 1) */ CHECK -- CHECK (\n (a /* ) */ > 0)", ["a: a > 0"]),
    ("a CHECK (a <> 'CHECK (')", ["a: a <> 'CHECK ('"]),
    ("a CHECK (a <> 'it''s -- /*')", ["a: a <> 'it''s -- /*'"]),
    ("a CHECK (a > 0) CHECK (a < 9)", ["a: (a > 0) AND (a < 9)"]),
    ("a DEFAULT 'CHECK (a)' CHECK (a IN ('x', 'y'))", ["a: a IN ('x', 'y')"]),
    ("a DEFAULT (abs(-1)) REFERENCES t (a) CHECK (length(a) = 3)", ["a: length(a) = 3"]),
    ("a VARCHAR(10, 2) CHECK (CAST(a AS Int) = 1.5e-3)", ["a: cast(a AS int) = 1.5e-3"]),
    ("a CHECK (a IS NOT NULL), CHECK (a > 1)", ["a: a IS NOT NULL", "table: a > 1"]),
    (
      "a, b, CONSTRAINT \"c, d\" CHECK (a < b), UNIQUE (a) CHECK (b < 9)",
      [
        "table: a < b", "table: b < 9",
      ]
    ),
    (
      "a, \"b)\" CHECK (\"b)\" > 0), 'c,' CHECK (\"c,\" = x'0aFF')",
      [
        "b): \"b)\" > 0", "c,: \"c,\" = X'0AFF'",
      ]
    ),
    (
      "\"check\" CHECK (\"check\" > 0), \"primary\" CHECK (\"primary\")",
      [
        "check: check > 0", "primary: primary",
      ]
    ),
    (
      "[a \"b] CHECK ([a \"b] > 0), `c``d` CHECK (`c``d` LIKE 'x%')",
      [
        "a \"b: \"a \"\"b\" > 0", "c`d: \"c`d\" LIKE 'x%'",
      ]
    ),
    (
      "\"in\" CHECK (\"in\" in (1,2)), \"null\" CHECK (\"null\" is not null)",
      [
        "in: \"in\" IN (1, 2)", "null: \"null\" IS NOT NULL",
      ]
    ),
    (
      "\u{E9} CHECK (\u{E9} > 0), \"e\u{301}\" CHECK (\"e\u{301}\" || 'x' <> '')",
      [
        "\u{E9}: \u{E9} > 0", "e\u{301}: e\u{301} || 'x' <> ''",
      ]
    ),
    (
      "a CHECK (a BETWEEN - 5 AND +6 AND a - 1 > ~2 AND a -> '$' ->> 'b' << 0x1F)",
      [
        "a: a BETWEEN -5 AND +6 AND a - 1 > ~2 AND a -> '$' ->> 'b' << 0x1F"
      ]
    ),
    ("a CHECK (t.a > .5)", ["a: t.a > .5"]),
    ("a CHECK (CASE WHEN a THEN (1) ELSE -1 END)", ["a: CASE WHEN a THEN (1) ELSE -1 END"]),
    ("a", []), ("a DEFAULT 'x', PRIMARY KEY (a)", []),
  ]

  @Test(arguments: checks)
  func `the checks are those of the definition`(definitions: SQL, checks: [String]) throws {
    let table = try table(SQL(generated: "CREATE TABLE t (\(definitions.text))"))
    let found = table.columns.compactMap { column in column.check.map { "\(column.name): \($0)" } }
    #expect(found + table.checks.map { "table: \($0)" } == checks)
  }

  @Test func `the table's own name may look like a definition`() throws {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE \"t (a CHECK (\"\"x\"\" > 1))\" (b CHECK (b > 0))")
    let table = try #require(try connection.schema(ofTable: "t (a CHECK (\"x\" > 1))"))
    #expect(table.columns.map(\.check) == ["b > 0"])
  }

  @Test func `checks are found after the table was altered`() throws {
    let connection = try Connection.inMemory()
    for statement: SQL in [
      "CREATE TABLE t (a CHECK (a > 0), b CHECK (\"b\" < a), CHECK (a <> b)) -- the end )",
      "ALTER TABLE t ADD COLUMN c INT DEFAULT 5 CHECK (c IN (5, 6))",
      "ALTER TABLE t RENAME COLUMN a TO \"new (a)\"",
      "ALTER TABLE t ADD COLUMN d CHECK (d <> ')')",
      "ALTER TABLE t RENAME COLUMN b TO b2",
      "ALTER TABLE t DROP COLUMN d",
      "ALTER TABLE t RENAME TO u",
    ] {
      // Adding a column with a check has a result for SQLite, but no rows.
      try connection.execute(statement)
    }
    let table = try #require(try connection.schema(ofTable: "u"))
    #expect(table.columns.map(\.name) == ["new (a)", "b2", "c"])
    #expect(table.columns.map(\.check) == ["\"new (a)\" > 0", "b2 < \"new (a)\"", "c IN (5, 6)"])
    #expect(table.columns.map(\.defaultValue) == [nil, nil, "5"])
    #expect(table.checks == ["\"new (a)\" <> b2"])
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
    #expect(
      table.columns.map(\.clauses) == [
        ["AUTOINCREMENT"], ["ON CONFLICT IGNORE", "COLLATE NOCASE"], [], ["AS (size * 2) STORED"],
        [], [],
      ])
    #expect(table.clauses == ["INITIALLY DEFERRED", "ON CONFLICT REPLACE"])
    #expect(table.primaryKey == ["id"])
    #expect(
      Set(table.uniqueKeys) == [["size"], ["name COLLATE NOCASE", "x"], ["y", "id"]])
    #expect(
      table.foreignKeys.map(\.description) == [
        "(y, x) REFERENCES p (y, x) ON DELETE CASCADE ON UPDATE SET NULL",
        "(size) REFERENCES t (id)",
      ])
    #expect(table.indexes.map(\.name) == ["i", "j", "l"])
    #expect(
      table.indexes.map(\.description) == [
        "(size DESC, lower(name), x COLLATE RTRIM, y + 1 DESC) WHERE size > 0",
        "UNIQUE (y) WHERE x IS NULL", "(name COLLATE NOCASE)",
      ])
  }

  /// Ways of declaring a key, and what is read of it.
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
      [
        "b DESC", "a COLLATE NOCASE",
      ], false, true
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

  @Test func `equal tables have no difference`() throws {
    let first = try table("CREATE TABLE t (a INT CHECK (a>0), b)", "CREATE INDEX i ON t (b)")
    let second = try table(
      "CREATE TABLE \"T\" (b, [a] INT CHECK (A > /**/ 0))", "CREATE INDEX j ON t (b)")
    let third = try table("CREATE TABLE t (a INT CHECK (a>1), b)", "CREATE INDEX i ON t (b)")
    #expect(first.differences(from: second).isEmpty && first.name == "t" && second.name == "T")
    #expect(first != second && first != third && first == first)
    let again = try table("CREATE TABLE t (b, a INT CHECK (a>0))", "CREATE INDEX i2 ON t (b)")
    #expect(Set([first, again, third]).count == 2)
  }
}
