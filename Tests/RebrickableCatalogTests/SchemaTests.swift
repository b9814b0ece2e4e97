import Schema
import RebrickableCatalog
import SQLiteSwiftly
import TestSupport
import Testing

struct SchemaTests {
  /// The tables as Rebrickable publishes them; `?` marks a column that may be NULL.
  static let published: [(table: String, columns: String, keys: [String])] = [
    ("themes", "id name parent_id?", ["id"]),
    ("colors", "id name rgb is_trans num_parts? num_sets? y1? y2?", ["id", "name"]),
    ("part_categories", "id name", ["id"]),
    ("parts", "part_num name part_cat_id part_material?", ["part_num"]),
    (
      "part_relationships", "rel_type child_part_num parent_part_num",
      ["rel_type child_part_num parent_part_num"]
    ),
    ("elements", "element_id part_num color_id design_id?", ["element_id"]),
    ("sets", "set_num name year theme_id num_parts img_url?", ["set_num"]),
    ("minifigs", "fig_num name num_parts img_url?", ["fig_num"]),
    ("inventories", "id version set_num", ["id", "set_num version"]),
    (
      "inventory_parts", "inventory_id part_num color_id quantity is_spare img_url?",
      ["inventory_id part_num color_id is_spare"]
    ),
    ("inventory_sets", "inventory_id set_num quantity", ["inventory_id set_num"]),
    ("inventory_minifigs", "inventory_id fig_num quantity", ["inventory_id fig_num"]),
  ]

  /// The columns that refer to another table, and the key that each refers to.
  static let references = [
    "themes.parent_id -> themes.id", "parts.part_cat_id -> part_categories.id",
    "part_relationships.child_part_num -> parts.part_num",
    "part_relationships.parent_part_num -> parts.part_num",
    "elements.part_num -> parts.part_num", "elements.color_id -> colors.id",
    "sets.theme_id -> themes.id", "inventories.set_num -> set_nums.set_num",
    "inventory_parts.inventory_id -> inventories.id",
    "inventory_parts.part_num -> parts.part_num", "inventory_parts.color_id -> colors.id",
    "inventory_sets.inventory_id -> inventories.id", "inventory_sets.set_num -> sets.set_num",
    "inventory_minifigs.inventory_id -> inventories.id",
    "inventory_minifigs.fig_num -> minifigs.fig_num",
  ]

  /// The columns that are numbers, wherever they stand; `is_` marks booleans, and the rest is text.
  static let numbers: Set = [
    "id", "parent_id", "num_parts", "num_sets", "y1", "y2", "part_cat_id", "color_id", "year",
    "theme_id", "version", "inventory_id", "quantity",
  ]

  private let schema = RebrickableCatalog.schema

  /// Creates the whole schema in memory.
  private func makeDatabase() throws -> Connection {
    let connection = try Connection.inMemory()
    for table in schema.tables + schema.allDerivedTables {
      try connection.createTable(describedBy: table)
    }
    for view in schema.views { try connection.execute(view.creation) }
    return connection
  }

  private func lines(_ connection: Connection, _ query: SQL) throws -> [String] {
    try connection.query(query).map { row in
      row.map { $0.textValue ?? "\($0.integerValue ?? -1)" }.joined(separator: " ")
    }
  }

  @Test func `the tables match the source files, parents first`() {
    #expect(schema.tables.map(\.name) == Self.published.map(\.table))
    var known: Set<String> = []
    for table in schema.tables {
      for union in schema.keyUnions where known.isSuperset(of: union.members.map(\.table)) {
        known.insert(union.name)
      }
      let parents = Set(table.foreignKeys.map(\.table)).subtracting([table.name])
      #expect(parents.isSubset(of: known), "\(table.name)")
      known.insert(table.name)
    }
  }

  @Test func `SW-2 SW-39 a fresh file of the catalog is as it was described`() throws {
    let connection = try makeDatabase()
    for (pragma, number) in [
      ("application_id", schema.applicationID), ("user_version", schema.version),
    ] {
      try connection.execute(SQL(generated: "PRAGMA \(pragma) = \(number)"))
    }
    #expect(try connection.differences(from: schema) == [])
    // What `ingest` adds to its files is no difference.
    try connection.execute("ANALYZE")
    #expect(try connection.differences(from: schema) == [])
    try connection.execute("DROP INDEX elements_color_id")
    #expect(
      try connection.differences(from: schema).map(\.description)
        == ["table elements: index (color_id) is missing"])
  }

  @Test(arguments: published)
  func `a table has the columns of its source file, in order`(
    name: String, columns: String, keys: [String]
  ) throws {
    let connection = try makeDatabase()
    let found = try lines(
      connection,
      """
      SELECT group_concat(name || iif("notnull", '', '?'), ' ')
      FROM (SELECT * FROM pragma_table_info(\(name)) ORDER BY cid)
      """)
    #expect(found == [columns])
    let types = try lines(connection, "SELECT name, type FROM pragma_table_info(\(name))")
    let expected = columns.split(separator: " ").map { column in
      let column = column.filter { $0 != "?" }
      let isNumber = Self.numbers.contains(column) || column.hasPrefix("is_")
      return column + (isNumber ? " INTEGER" : " TEXT")
    }
    #expect(types == expected)
    let table = try #require(schema.tables.first { $0.name == name })
    let booleans = table.columns.filter { $0.type == .boolean }.map(\.name)
    #expect(booleans == table.columns.map(\.name).filter { $0.hasPrefix("is_") })
  }

  @Test(arguments: published)
  func `a table has the keys of its source file`(name: String, columns: String, keys: [String])
    throws
  {
    let connection = try makeDatabase()
    let primary = try lines(
      connection,
      """
      SELECT group_concat(name, ' ')
      FROM (SELECT name FROM pragma_table_info(\(name)) WHERE pk > 0 ORDER BY pk)
      """)
    let others = try lines(
      connection,
      """
      SELECT group_concat(info.name, ' ')
      FROM pragma_index_list(\(name)) AS list, pragma_index_info(list.name) AS info
      WHERE list."unique" AND list.origin <> 'pk' GROUP BY list.name
      """)
    #expect(primary + others == keys)
  }

  @Test
  func
    `every table is strict, and has a rowid when its key is one number or people look for its names`()
    throws
  {
    let tables = try lines(
      try makeDatabase(),
      """
      SELECT name || iif(strict, ' strict', '') || iif(wr, ' without rowid', '')
      FROM pragma_table_list
      WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY 1
      """)
    let withRowid: Set = [
      "themes", "colors", "part_categories", "inventories", "parts", "elements", "sets", "minifigs",
    ]
    let names = Self.published.map(\.table) + schema.allDerivedTables.map(\.name)
    let derivedWithRowid: Set = ["color_stats", "theme_stats"]
    let expected = names.map { name in
      let hasRowids = withRowid.contains(name) || derivedWithRowid.contains(name)
      return name + " strict" + (hasRowids ? "" : " without rowid")
    }
    #expect(tables == expected.sorted())
  }

  @Test func `references match the source files, and refer to keys`() throws {
    let connection = try makeDatabase()
    var found: [String] = []
    for (name, _, _) in Self.published {
      let keys = try lines(
        connection,
        """
        SELECT "from" || ' -> ' || "table" || '.' || "to" FROM pragma_foreign_key_list(\(name))
        """)
      found += keys.map { "\(name).\($0)" }
    }
    #expect(found.sorted() == Self.references.sorted())
    for table in schema.tables {
      for key in table.foreignKeys {
        let parent = (schema.tables + schema.keyUnions.map(\.table)).first { $0.name == key.table }
        #expect(parent?.primaryKey == key.keyColumns, "\(table.name).\(key.columns)")
      }
    }
  }

  @Test func `an index leads to the children of every parent`() throws {
    let connection = try makeDatabase()
    for table in schema.tables {
      for key in table.foreignKeys {
        // What SQLite would do to look for the children of a parent.
        let plan = try connection.query(
          """
          EXPLAIN QUERY PLAN SELECT 1 FROM \(identifier: table.name)
          WHERE \(identifier: key.columns[0]) = \(1)
          """)
        let step = plan[0][3].textValue ?? ""
        #expect(step.hasPrefix("SEARCH") && step.contains("(\(key.columns[0])=?)"), "\(step)")
        let leading = [table.primaryKey] + table.uniqueKeys + table.indexes
        #expect(leading.contains { $0.starts(with: key.columns) }, "\(table.name).\(key.columns)")
      }
    }
  }

  @Test(arguments: ["inventory_parts", "elements"])
  func `parts in a color are found by one index`(table: String) throws {
    let plan = try makeDatabase().query(
      """
      EXPLAIN QUERY PLAN SELECT 1 FROM \(identifier: table)
      WHERE part_num = \("3001") AND color_id = \(4)
      """)
    let step = plan[0][3].textValue ?? ""
    #expect(step.contains("INDEX \(table)_part_num_color_id"), "\(step)")
    #expect(step.contains(" (part_num=? AND color_id=?)"), "\(step)")
  }

  @Test func `set numbers are those of sets and minifigs`() throws {
    let connection = try makeDatabase()
    for statement: SQL in [
      "INSERT INTO themes VALUES (1, 'Town', NULL)",
      "INSERT INTO sets VALUES ('10-1', 'b', 1999, 1, -1, NULL), ('003383', 'c', 1999, 1, 0, NULL)",
      "INSERT INTO minifigs VALUES ('fig-000001', 'd', 4, NULL), ('10-1', 'e', 0, NULL)",
      "INSERT INTO inventories VALUES (1, 1, '10-1'), (2, 1, 'fig-000001')",
    ] {
      try connection.execute(statement)
    }
    try connection.execute(RebrickableCatalog.setNumbers.derivedTable.insertion)
    #expect(
      try lines(connection, "SELECT * FROM set_nums")
        == ["003383 003383 -1", "10-1 10-1 10-1", "fig-000001 -1 fig-000001"])
    #expect(try connection.foreignKeyViolations() == [])
    try connection.execute("INSERT INTO inventories VALUES (3, 1, '3383')")
    #expect(try connection.foreignKeyViolations().map(\.parent) == ["set_nums"])
  }

  /// Rows that the catalog takes, as they appear in the dumps, and some that it does not.
  static let rows: [(SQL, isTaken: Bool)] = [
    ("INSERT INTO colors VALUES (-1, '[Unknown]', '0033B2', 0, NULL, NULL, NULL, NULL)", true),
    ("INSERT INTO colors VALUES (373, 'Sand', '845E84', 1, 0, 0, 1949, 2025)", true),
    ("INSERT INTO colors VALUES (9999, '[No Color/Any Color]', '05131D', 0, 1, 1, 1, 1)", false),
    ("INSERT INTO colors VALUES (1, 'Blue', '0055B', 0, NULL, NULL, NULL, NULL)", false),
    ("INSERT INTO colors VALUES (1, 'Blue', '0055BG', 0, NULL, NULL, NULL, NULL)", false),
    ("INSERT INTO colors VALUES (1, 'Blue', '0055BF', 2, NULL, NULL, NULL, NULL)", false),
    ("INSERT INTO colors VALUES (1, 'Blue', '0055BF', 0, -1, NULL, NULL, NULL)", false),
    ("INSERT INTO colors VALUES (1, 'Sand', '0055BF', 0, NULL, NULL, NULL, NULL)", false),
    ("INSERT INTO parts VALUES ('003383', ' \u{FEFF}a ', 1, NULL)", true),
    ("INSERT INTO parts VALUES ('3383', 'a', 1, 'Chocolate')", true),
    ("INSERT INTO parts VALUES ('973e104', 'a', 1, '')", true),
    ("INSERT INTO parts VALUES ('3383', 'a', 1, NULL)", false),
    ("INSERT INTO parts VALUES ('', 'a', 1, NULL)", false),
    ("INSERT INTO parts VALUES ('1', 'a' || char(10) || 'b', 1, NULL)", false),
    ("INSERT INTO parts VALUES ('1', NULL, 1, NULL)", false),
    ("INSERT INTO elements VALUES ('6000000000000', '3383', 1, NULL)", true),
    ("INSERT INTO elements VALUES ('testing', '3383', 1, '3383')", true),
    ("INSERT INTO part_relationships VALUES ('Z', '3383', '003383')", true),
    ("INSERT INTO part_relationships VALUES ('', '3383', '003383')", false),
    ("INSERT INTO sets VALUES ('1224.1-1', 'a', 1932, 1, -1, NULL)", true),
    ("INSERT INTO sets VALUES ('1-1', 'a', 1899, 1, 0, NULL)", false),
    ("INSERT INTO sets VALUES ('1-1', 'a', 2000, 1, -2, NULL)", false),
    ("INSERT INTO inventories VALUES (1, 3, '1224.1-1')", true),
    ("INSERT INTO inventories VALUES (2, 3, '1224.1-1')", false),
    ("INSERT INTO inventory_parts VALUES (1, '3383', 4, 2, 0, NULL)", true),
    ("INSERT INTO inventory_parts VALUES (1, '3383', 4, 1, 1, NULL)", true),
    ("INSERT INTO inventory_parts VALUES (1, '003383', 4, 1, 1, 'https://a')", true),
    ("INSERT INTO inventory_parts VALUES (1, '3383', 4, 5, 1, NULL)", false),
    ("INSERT INTO inventory_parts VALUES (1, '3383', 5, -1, 1, NULL)", false),
    ("INSERT INTO inventory_parts VALUES (1, '3383', 5, 1, 't', NULL)", false),
  ]

  @Test func `valid rows are accepted, damaged ones are not`() throws {
    let connection = try makeDatabase()
    for (row, isTaken) in Self.rows {
      do {
        try connection.execute(row)
        #expect(isTaken, "\(row.text)")
      } catch {
        #expect(!isTaken && error.code == .constraint, "\(error)")
      }
    }
  }

  @Test func `a catalog has its application ID`() {
    #expect(schema.applicationID == 0x5242_4B43)
    #expect(letters(schema.applicationID) == "RBKC")
    #expect(schema.version == 3)
  }

  private func letters(_ number: Int32) -> String {
    String(decoding: [24, 16, 8, 0].map { UInt8(number >> $0 & 0xff) }, as: UTF8.self)
  }
}
