import SQLiteSwiftly
import Schema
import Testing

/// The exact SQL of descriptions.
struct DescriptionTests {
  static let orders = TableDescription(
    "orders",
    columns: [
      ColumnDescription("id", .integer, domain: .atLeast(-5)),
      ColumnDescription("year", .integer, isNullable: true, domain: .within(.min...2199)),
      ColumnDescription("price", .real),
      ColumnDescription("kind", .text, domain: .oneOf(["it's", "A"])),
      ColumnDescription("name", .text, isNullable: true, domain: .singleLine),
      ColumnDescription("rgb", .text, isNullable: true, domain: .hexadecimalDigits(6)),
      ColumnDescription("is \"new", .boolean, isNullable: true),
      ColumnDescription("image", .blob, isNullable: true),
    ],
    primaryKey: ["id"],
    uniqueKeys: [["name", "year"]],
    foreignKeys: [
      ForeignKeyDescription(["year", "kind"], references: "years", ["year", "kind"]),
      ForeignKeyDescription("id", references: "orders", "id"),
    ],
    indexes: [["kind"], ["year", "kind"]])

  static let years = TableDescription(
    "years", columns: [ColumnDescription("year", .integer), ColumnDescription("kind", .text)],
    primaryKey: ["year", "kind"])

  @Test func `SW-2 SW-39 a table with a rowid is created as it is described`() throws {
    #expect(
      try Self.orders.creation.text == """
        CREATE TABLE "orders" (
          "id" INTEGER NOT NULL CHECK ("id" >= -5) PRIMARY KEY,
          "year" INTEGER CHECK ("year" BETWEEN -9223372036854775808 AND 2199),
          "price" REAL NOT NULL,
          "kind" TEXT NOT NULL CHECK ("kind" IN ('it''s', 'A')),
          "name" TEXT CHECK ("name" <> '' AND instr(CAST("name" AS BLOB), x'0A') = 0),
          "rgb" TEXT CHECK (length("rgb") = 6 AND length(CAST("rgb" AS BLOB)) = 6 AND \
        "rgb" NOT GLOB '*[^0-9A-Fa-f]*'),
          "is ""new" INTEGER CHECK ("is ""new" IN (0, 1)),
          "image" BLOB,
          FOREIGN KEY ("year", "kind") REFERENCES "years" ("year", "kind"),
          FOREIGN KEY ("id") REFERENCES "orders" ("id")
        ) STRICT
        """)
    #expect(
      Self.orders.indexCreations.map(\.text) == [
        #"CREATE UNIQUE INDEX "orders_name_year" ON "orders" ("name", "year")"#,
        #"CREATE INDEX "orders_kind" ON "orders" ("kind")"#,
        #"CREATE INDEX "orders_year_kind" ON "orders" ("year", "kind")"#,
      ])
  }

  @Test func `SW-2 SW-39 a table with another key is ordered by it`() throws {
    #expect(
      try Self.years.creation.text == """
        CREATE TABLE "years" (
          "year" INTEGER NOT NULL,
          "kind" TEXT NOT NULL,
          PRIMARY KEY ("year", "kind")
        ) STRICT, WITHOUT ROWID
        """)
    #expect(Self.years.indexCreations == [])
  }

  @Test(arguments: [
    (ColumnDescription.DataType.integer, true), (.boolean, false), (.text, false), (.real, false),
    (.blob, false),
  ])
  func `only one integer is a rowid`(type: ColumnDescription.DataType, isRowid: Bool) {
    let columns = [ColumnDescription("a", type), ColumnDescription("b", type)]
    let table = TableDescription("t", columns: columns, primaryKey: ["a"])
    #expect(table.keyIsRowid == isRowid && table.isWithoutRowid != isRowid)
    #expect(!TableDescription("t", columns: columns, primaryKey: ["a", "b"]).keyIsRowid)
  }

  @Test func `SW-2 SW-39 a created table reads back as it was described`() throws {
    let connection = try Connection.inMemory(with: Self.years, Self.orders)
    let columns = try connection.query(
      """
      SELECT name, type, "notnull", pk FROM pragma_table_info('orders') ORDER BY cid
      """)
    #expect(
      columns == [
        [.text("id"), .text("INTEGER"), .integer(1), .integer(1)],
        [.text("year"), .text("INTEGER"), .integer(0), .integer(0)],
        [.text("price"), .text("REAL"), .integer(1), .integer(0)],
        [.text("kind"), .text("TEXT"), .integer(1), .integer(0)],
        [.text("name"), .text("TEXT"), .integer(0), .integer(0)],
        [.text("rgb"), .text("TEXT"), .integer(0), .integer(0)],
        [.text("is \"new"), .text("INTEGER"), .integer(0), .integer(0)],
        [.text("image"), .text("BLOB"), .integer(0), .integer(0)],
      ])
    let keys = try connection.query(
      """
      SELECT "table", "from", "to" FROM pragma_foreign_key_list('orders') ORDER BY "table", seq
      """)
    #expect(
      keys == [
        [.text("orders"), .text("id"), .text("id")],
        [.text("years"), .text("year"), .text("year")],
        [.text("years"), .text("kind"), .text("kind")],
      ])
    let indexes = try connection.query(
      """
      SELECT list.name, list."unique", group_concat(info.name)
      FROM pragma_index_list('orders') AS list, pragma_index_info(list.name) AS info
      GROUP BY list.name ORDER BY list.name
      """)
    #expect(
      indexes == [
        [.text("orders_kind"), .integer(0), .text("kind")],
        [.text("orders_name_year"), .integer(1), .text("name,year")],
        [.text("orders_year_kind"), .integer(0), .text("year,kind")],
      ])
    let kinds = try connection.query(
      "SELECT name, wr, strict FROM pragma_table_list WHERE name IN ('orders', 'years') ORDER BY 1"
    )
    #expect(
      kinds == [
        [.text("orders"), .integer(0), .integer(1)], [.text("years"), .integer(1), .integer(1)],
      ])
  }

  @Test func `SW-39 a table whose index cannot be created is not created`() throws {
    let connection = try Connection.inMemory(after: "CREATE TABLE orders_kind (a)")
    let error = try failure { try connection.createTable(describedBy: Self.orders) }
    #expect(error.message == "there is already a table named orders_kind")
    #expect(try connection.texts("SELECT name FROM sqlite_schema") == ["orders_kind"])
  }

  @Test func `a table can be created within a transaction`() throws {
    let connection = try Connection.inMemory()
    try connection.transaction { () throws(SQLiteError) in
      try connection.createTable(describedBy: words)
    }
    let error = try failure { try connection.createTable(describedBy: words) }
    #expect(error.message == "table \"words\" already exists")
    #expect(try connection.rows(of: "words") == [])
  }

  /// A column, the values it accepts, and those it does not.
  static let domains: [(ColumnDescription, [SQLiteValue], [SQLiteValue])] = [
    (
      ColumnDescription("c", .integer), [.integer(.min), .text("12")],
      [.null, .text("x"), .real(1.5)]
    ),
    (ColumnDescription("c", .integer, isNullable: true), [.null], [.blob([1])]),
    (ColumnDescription("c", .real), [.real(1.5), .integer(2)], [.text("x"), .real(.nan)]),
    (ColumnDescription("c", .text), [.text(""), .integer(5)], [.null, .blob([])]),
    (ColumnDescription("c", .blob), [.blob([]), .blob([0])], [.null, .text("x"), .integer(1)]),
    (
      ColumnDescription("c", .boolean), [.integer(0), .integer(1)],
      [.integer(2), .integer(-1), .null]
    ),
    (
      ColumnDescription("c", .integer, isNullable: true, domain: .atLeast(-1)),
      [.integer(-1), .integer(.max), .null], [.integer(-2), .integer(.min)]
    ),
    (
      ColumnDescription("c", .integer, domain: .within(.min...(-9_223_372_036_854_775_807))),
      [.integer(.min), .integer(.min + 1)], [.integer(.min + 2), .integer(0)]
    ),
    (
      ColumnDescription("c", .integer, domain: .within(1900...2199)),
      [.integer(1900), .integer(2199)], [.integer(1899), .integer(2200)]
    ),
    (
      ColumnDescription("c", .text, isNullable: true, domain: .oneOf(["it's", "\u{E9}"])),
      [.text("it's"), .text("\u{E9}"), .null],
      [.text("e\u{301}"), .text("It's"), .text(""), .text("it's ")]
    ),
    (
      ColumnDescription("c", .text, isNullable: true, domain: .singleLine),
      [.text(" "), .text("a\rb\0"), .null], [.text(""), .text("\n"), .text("a\0\n"), .text("a\n")]
    ),
    (
      ColumnDescription("c", .text, isNullable: true, domain: .hexadecimalDigits(6)),
      [.text("845E84"), .text("abcdef"), .text("012345"), .null],
      [
        .text("845E8"), .text("845E845"), .text("845E8G"), .text(""), .text("845E84\0zz"),
        .text("845\0zz"), .text("845E8\u{E9}"), .text("845E8\u{FF11}"), .text("845E8\n"),
      ]
    ),
  ]

  @Test(arguments: domains)
  func `the table enforces a domain`(
    column: ColumnDescription, allowed: [SQLiteValue], refused: [SQLiteValue]
  ) throws {
    let table = TableDescription(
      "t", columns: [ColumnDescription("id", .integer), column], primaryKey: ["id"])
    let connection = try Connection.inMemory(with: table)
    var insert = try connection.prepareInsertIntoTable(describedBy: table)
    for (id, value) in allowed.enumerated() { try insert.insert([.integer(Int64(id)), value]) }
    for value in refused {
      let error = try failure { try insert.insert([.integer(100), value]) }
      #expect(error.code == .constraint, "\(value)")
    }
    #expect(try connection.rows(of: "t").count == allowed.count)
  }

  @Test func `a view is a name for its query`() throws {
    let view = ViewDescription("the \"view\"", "SELECT 1 AS \(identifier: "a b")")
    #expect(try view.creation.text == "CREATE VIEW \"the \"\"view\"\"\" AS\nSELECT 1 AS \"a b\"")
    let connection = try Connection.inMemory()
    try connection.execute(view.creation)
    #expect(try connection.query("SELECT \"a b\" FROM \"the \"\"view\"\"\"") == [[.integer(1)]])
  }

  @Test func `columns are found by the bytes of their names`() throws {
    let table = TableDescription(
      "t",
      columns: ["e\u{301}", "\u{E9}", "b"].map { ColumnDescription($0, .integer) },
      primaryKey: ["\u{E9}"])
    #expect(table.columnIndex("e\u{301}") == 0 && table.columnIndex("\u{E9}") == 1)
    #expect(table.columnIndex("b") == 2 && table.columnIndex("c") == nil)
    let lines = try table.creation.text.split(separator: "\n")
    #expect(lines.map { $0.contains("PRIMARY KEY") } == [false, false, true, false, false])
  }

  @Test func `SW-51 the order of columns does not affect the equality of tables`() {
    let reversed = TableDescription(
      "words", columns: words.columns.reversed(), primaryKey: words.primaryKey)
    #expect(reversed == words && Set([reversed, words]).count == 1)
    #expect(reversed.columns != words.columns)
    let others = [
      TableDescription("other", columns: words.columns, primaryKey: ["id"]),
      TableDescription("words", columns: words.columns, primaryKey: ["word"]),
      TableDescription("words", columns: [words.columns[0]], primaryKey: ["id"]),
      TableDescription("words", columns: words.columns, primaryKey: ["id"], uniqueKeys: [["word"]]),
      TableDescription("words", columns: words.columns, primaryKey: ["id"], indexes: [["word"]]),
      TableDescription(
        "words", columns: words.columns, primaryKey: ["id"],
        foreignKeys: [ForeignKeyDescription("id", references: "a", "b")]),
      TableDescription("words", columns: words.columns, primaryKey: ["id"], isStrict: false),
      TableDescription("words", columns: words.columns, primaryKey: ["id"], isWithoutRowid: true),
      TableDescription(
        "words", columns: words.columns + [ColumnDescription("ID", .text)], primaryKey: ["id"]),
    ]
    for other in others { #expect(other != words) }
  }

  @Test func `known values do not affect a table`() throws {
    let plain = ColumnDescription("kind", .text, domain: .singleLine)
    let known = ColumnDescription("kind", .text, domain: .singleLine, knownValues: ["a", "b"])
    #expect(plain.knownValues == [] && known.knownValues == ["a", "b"])
    #expect(plain == known && plain.hashValue == known.hashValue)
    let tables = [plain, known].map {
      TableDescription("things", columns: [$0], primaryKey: ["kind"])
    }
    #expect(try tables[0].creation == tables[1].creation)
    let connection = try Connection.inMemory(with: tables[1])
    #expect(try connection.differences(fromTable: tables[0]) == [])
    var insert = try connection.prepareInsertIntoTable(describedBy: tables[1])
    try insert.insert(["c"])
    #expect(try connection.value(of: "SELECT kind FROM things") == "c")
  }
}
