import SQLiteSwiftly
import Schema
import Testing

/// Every way in which a database can differ from its description.
struct SchemaComparisonTests {
  static let parts = TableDescription(
    "parts",
    columns: [
      ColumnDescription("part_num", .text, domain: .singleLine),
      ColumnDescription("num_parts", .integer, domain: .atLeast(0), defaultValue: .integer(5)),
      ColumnDescription("cat_id", .integer, isNullable: true),
    ],
    primaryKey: ["part_num"], uniqueKeys: [["cat_id", "num_parts"]],
    foreignKeys: [ForeignKeyDescription("cat_id", references: "categories", "id")],
    indexes: [["num_parts"]])

  static let categories = TableDescription(
    "categories", columns: [ColumnDescription("id", .integer)], primaryKey: ["id"])

  static let schema = SchemaDescription(
    tables: [categories, parts],
    keyUnions: [
      KeyUnionDescription("keys", column: "key", type: .text, members: [.init("parts", "part_num")])
    ],
    views: [ViewDescription("names", "SELECT part_num AS \"the name\" FROM parts")],
    applicationID: 77, version: 3)

  private func database() throws -> Connection {
    let connection = try Connection.inMemory(
      after: "PRAGMA application_id = 77", "PRAGMA user_version = 3")
    for table in Self.schema.tables { try connection.createTable(describedBy: table) }
    for union in Self.schema.keyUnions { try connection.createTable(describedBy: union.table) }
    for view in Self.schema.views { try connection.execute(view.creation) }
    return connection
  }

  /// Statements that alter the database, and the difference that they make.
  static let alterations: [([SQL], [String])] = [
    ([], []),
    (["ALTER TABLE parts ADD COLUMN note TEXT"], ["table parts: unexpected column note"]),
    (
      ["ALTER TABLE categories ADD COLUMN \"a b\" INT"],
      ["table categories: unexpected column \"a b\""]
    ),
    (["DROP INDEX parts_num_parts"], ["table parts: index (num_parts) is missing"]),
    (
      ["CREATE INDEX other ON parts (num_parts DESC)"],
      ["table parts: unexpected index (num_parts DESC)"]
    ),
    (["CREATE INDEX other ON parts (num_parts)"], ["table parts: unexpected index (num_parts)"]),
    (
      ["CREATE UNIQUE INDEX other ON parts (cat_id) WHERE num_parts>1"],
      [
        "table parts: unexpected index CREATE UNIQUE INDEX other ON parts (cat_id) WHERE num_parts>1"
      ]
    ),
    (["DROP INDEX parts_num_parts", "CREATE INDEX other ON parts (num_parts)"], []),
    (
      ["DROP INDEX parts_cat_id_num_parts"],
      ["table parts: unique key (cat_id, num_parts) is missing"]
    ),
    (
      ["CREATE UNIQUE INDEX other ON parts (cat_id COLLATE nocase)"],
      ["table parts: unexpected unique key (cat_id COLLATE NOCASE)"]
    ),
    (
      [
        "DROP INDEX parts_cat_id_num_parts",
        "CREATE UNIQUE INDEX other ON parts (num_parts, cat_id)",
      ],
      [
        "table parts: unique key (cat_id, num_parts) is missing",
        "table parts: unexpected unique key (num_parts, cat_id)",
      ]
    ),
    (["DROP TABLE keys"], ["table keys is missing"]),
    (["CREATE TABLE \"new one\" (a)"], ["unexpected table \"new one\""]),
    (["CREATE VIEW v AS SELECT 1"], ["unexpected view v"]),
    (["DROP VIEW names"], ["view names is missing"]),
    (
      [
        "DROP VIEW names",
        "CREATE VIEW Names as SELECT part_num /* its */ AS [the name] FROM parts",
      ],
      []
    ),
    (
      ["DROP VIEW names", "CREATE VIEW names AS SELECT cat_id AS \"the name\" FROM parts"],
      [
        "view names: query is CREATE VIEW names AS SELECT cat_id AS \"the name\" FROM parts, "
          + "expected CREATE VIEW \"names\" AS\nSELECT part_num AS \"the name\" FROM parts"
      ]
    ),
    (
      ["DROP VIEW names", "CREATE VIEW names AS SELECT part_num AS \"The Name\" FROM parts"],
      [
        "view names: query is CREATE VIEW names AS SELECT part_num AS \"The Name\" FROM parts, "
          + "expected CREATE VIEW \"names\" AS\nSELECT part_num AS \"the name\" FROM parts"
      ]
    ),
    (["CREATE TRIGGER tr AFTER INSERT ON parts BEGIN SELECT 1; END"], ["unexpected trigger tr"]),
    (["PRAGMA application_id = 5"], ["application_id is 5, expected 77"]),
    (["PRAGMA user_version = 4"], ["user_version is 4, expected 3"]),
    (["CREATE TABLE x (a INTEGER PRIMARY KEY AUTOINCREMENT)", "DROP TABLE x", "ANALYZE"], []),
    (
      ["DROP VIEW names", "ALTER TABLE parts RENAME COLUMN num_parts TO n"],
      [
        "table parts: column num_parts is missing", "table parts: unexpected column n",
        "table parts: unique key (cat_id, num_parts) is missing",
        "table parts: unexpected unique key (cat_id, n)",
        "table parts: index (num_parts) is missing", "table parts: unexpected index (n)",
        "view names is missing",
      ]
    ),
  ]

  @Test(arguments: alterations)
  func `SW-2 an alteration is the difference that is found`(
    statements: [SQL], differences: [String]
  ) throws {
    let connection = try database()
    for statement in statements { try connection.execute(statement) }
    #expect(try connection.differences(from: Self.schema).map(\.description) == differences)
  }

  /// A different spelling in the definition of the table, and the resulting difference.
  static let rewritings: [(String, String, [String])] = [
    (
      "\"num_parts\" INTEGER", "\"num_parts\" TEXT",
      ["table parts, column num_parts: type is TEXT, expected INTEGER"]
    ),
    (
      "\"num_parts\" INTEGER", "\"num_parts\" INT",
      ["table parts, column num_parts: type is INT, expected INTEGER"]
    ),
    (
      "INTEGER NOT NULL", "INTEGER",
      ["table parts, column num_parts: nullability is NULL, expected NOT NULL"]
    ),
    (
      "\"cat_id\" INTEGER", "\"cat_id\" INTEGER NOT NULL",
      ["table parts, column cat_id: nullability is NOT NULL, expected NULL"]
    ),
    ("DEFAULT (5)", "default 5", []),
    ("DEFAULT (5)", "DEFAULT 6", ["table parts, column num_parts: default is 6, expected 5"]),
    ("DEFAULT (5)", "DEFAULT '5'", ["table parts, column num_parts: default is '5', expected 5"]),
    ("DEFAULT (5)", "", ["table parts, column num_parts: default 5 is missing"]),
    (
      "\"cat_id\" INTEGER", "\"cat_id\" INTEGER DEFAULT (1+1)",
      ["table parts, column cat_id: unexpected default 1+1"]
    ),
    ("\"cat_id\" INTEGER", "\"cat_id\" INTEGER DEFAULT null", []),
    ("CHECK (\"num_parts\" >= 0)", "constraint c check(NUM_PARTS>=0)", []),
    ("CHECK (\"num_parts\" >= 0)", "CHECK (\"num_parts\" >= -1)", ["definition"]),
    ("CHECK (\"num_parts\" >= 0)", "", ["definition"]),
    ("\"cat_id\" INTEGER", "\"cat_id\" INTEGER CHECK (cat_id <> '')", ["definition"]),
    ("FOREIGN KEY", "CHECK (num_parts <> cat_id), FOREIGN KEY", ["definition"]),
    (
      "\"part_num\" TEXT", "\"part_num\" TEXT COLLATE nocase",
      ["table parts: primary key is (part_num COLLATE NOCASE), expected (part_num)"]
    ),
    (
      "\"num_parts\" INTEGER NOT NULL", "\"num_parts\" INTEGER NOT NULL ON CONFLICT REPLACE",
      ["definition"]
    ),
    ("PRIMARY KEY (\"part_num\")", "PRIMARY KEY (part_num) ON CONFLICT IGNORE", ["definition"]),
    (
      "PRIMARY KEY (\"part_num\")", "PRIMARY KEY (\"part_num\", num_parts)",
      ["table parts: primary key is (part_num, num_parts), expected (part_num)"]
    ),
    (
      "PRIMARY KEY (\"part_num\")", "UNIQUE (cat_id), PRIMARY KEY (\"part_num\")",
      ["table parts: unexpected unique key (cat_id)"]
    ),
    (
      "FOREIGN KEY (\"cat_id\") REFERENCES \"categories\" (\"id\")", "CHECK (1)",
      ["table parts: foreign key (cat_id) REFERENCES categories (id) is missing"]
    ),
    ("REFERENCES \"categories\" (\"id\")", "REFERENCES categories", []),
    (
      "(\"id\")", "(\"id\") ON DELETE CASCADE",
      [
        "table parts: foreign key (cat_id) REFERENCES categories (id) is missing",
        "table parts: unexpected foreign key (cat_id) REFERENCES categories (id) ON DELETE CASCADE",
      ]
    ),
    ("(\"id\")", "(\"id\") DEFERRABLE INITIALLY DEFERRED", ["definition"]),
    ("STRICT, ", "", ["table parts: option STRICT is missing"]),
    (", WITHOUT ROWID", "", ["table parts: option WITHOUT ROWID is missing"]),
  ]

  @Test(arguments: rewritings)
  func `SW-2 a definition written otherwise is the difference that is found`(
    part: String, replacement: String, differences: [String]
  ) throws {
    let text = try Self.parts.creation.text
    #expect(text.split(separator: part, omittingEmptySubsequences: false).count == 2)
    let connection = try Connection.inMemory(with: Self.categories)
    try connection.execute(SQL(generated: text.replacing(part, with: replacement)))
    for index in Self.parts.indexCreations { try connection.execute(index) }
    let found = try connection.differences(fromTable: Self.parts)
    #expect(found.map { $0.property == .definition ? "definition" : $0.description } == differences)
  }

  @Test func `a different definition is reported as written`() throws {
    let table = TableDescription(
      "t", columns: [ColumnDescription("a", .integer, domain: .atLeast(0))], primaryKey: [])
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE t (a INTEGER NOT NULL CHECK (a > 0)) STRICT")
    #expect(
      try connection.differences(fromTable: table).map(\.description) == [
        "table t: definition is CREATE TABLE t (a INTEGER NOT NULL CHECK (a > 0)) STRICT, "
          + "expected CREATE TABLE \"t\" (\n  \"a\" INTEGER NOT NULL CHECK (\"a\" >= 0)\n) STRICT"
      ])
  }

  /// Handwritten tables that match their descriptions.
  @Test(arguments: [
    "CREATE TABLE T (word TEXT PRIMARY KEY, n INTEGER CONSTRAINT u UNIQUE) STRICT, WITHOUT ROWID",
    "create table [t] (word TEXT not null primary key, n INTEGER, unique(\"n\")) without rowid, strict",
  ])
  func `another spelling is not a difference`(creation: String) throws {
    let table = TableDescription(
      "t",
      columns: [
        ColumnDescription("word", .text), ColumnDescription("n", .integer, isNullable: true),
      ],
      primaryKey: ["word"], uniqueKeys: [["n"]])
    let connection = try Connection.inMemory()
    try connection.execute(SQL(generated: creation))
    #expect(try connection.differences(fromTable: table) == [])
  }

  @Test func `undescribed options are differences`() throws {
    let table = TableDescription(
      "t", columns: [ColumnDescription("a", .text)], primaryKey: [], isStrict: false)
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE t (a TEXT NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID")
    #expect(
      try connection.differences(fromTable: table).map(\.description) == [
        "table t: unexpected option STRICT", "table t: unexpected option WITHOUT ROWID",
        "table t: unexpected primary key (a)",
      ])
    #expect(
      try connection.differences(fromTable: words).map(\.description) == ["table words is missing"])
  }

  @Test func `a difference names its place and both sides`() throws {
    let connection = try database()
    try connection.execute("DROP TABLE categories")
    try connection.execute("CREATE TABLE categories (id TEXT NOT NULL PRIMARY KEY) STRICT")
    let differences = try connection.differences(fromTable: Self.categories)
    let first = try #require(differences.first)
    #expect(differences.count == 1)
    #expect(first.table == "categories" && first.column == "id" && first.property == .type)
    #expect(first.expected == "INTEGER" && first.found == "TEXT")
  }

  @Test func `names and texts are compared by bytes`() throws {
    let table = TableDescription(
      "t", columns: [ColumnDescription("\u{E9}", .text, defaultValue: .text("\u{E9}"))],
      primaryKey: [])
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE t (\"\u{E9}\" TEXT NOT NULL DEFAULT 'e\u{301}') STRICT")
    #expect(try connection.differences(fromTable: table).map(\.property) == [.defaultValue])
    try connection.execute("DROP TABLE t")
    try connection.execute("CREATE TABLE t (\"e\u{301}\" TEXT NOT NULL DEFAULT '\u{E9}') STRICT")
    #expect(try connection.differences(fromTable: table).map(\.property) == [.column, .column])
  }

  @Test func `a file that is open for reading can be compared`() throws {
    try withFile { path in
      let connection = try Connection(path, opening: .createNew)
      try connection.createTable(describedBy: words)
      let reader = try Connection(path, opening: .readOnly)
      #expect(try reader.differences(fromTable: words) == [])
    }
  }
}
