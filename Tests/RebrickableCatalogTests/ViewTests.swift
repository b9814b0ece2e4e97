import Schema
import RebrickableCatalog
import SQLiteSwiftly
import TestSupport
import Testing

/// The views on a few sets made by hand, with everything in them that makes a wrong answer likely.
struct ViewTests {
  private let schema = RebrickableCatalog.schema

  /// A catalog with some rows.
  private func makeCatalog(_ rows: [SQL]) throws -> Connection {
    let connection = try Connection.inMemory()
    for table in schema.tables + schema.allDerivedTables {
      try connection.createTable(describedBy: table)
    }
    for row in rows { try connection.execute(row) }
    for derived in schema.keyUnions.map(\.derivedTable) + schema.derivedTables {
      try connection.execute(derived.insertion)
    }
    for view in schema.views { try connection.execute(view.creation) }
    #expect(try connection.foreignKeyViolations() == [])
    return connection
  }

  private func lines(_ connection: Connection, _ query: SQL) throws -> [String] {
    try connection.query(query).map { row in
      row.map { $0.textValue ?? $0.integerValue.map(String.init) ?? "-" }.joined(separator: " ")
    }
  }

  /// Two parts, a minifig, and a set of two versions in a box in a crate, which has itself inside as well.
  private static let sets: [SQL] = [
    "INSERT INTO themes VALUES (1, 'Town', NULL)",
    "INSERT INTO part_categories VALUES (1, 'Bricks')",
    "INSERT INTO colors VALUES (0, 'Black', '05131D', 0, NULL, NULL, NULL, NULL)",
    "INSERT INTO parts VALUES ('3383', 'a', 1, NULL), ('003383', 'b', 1, NULL), ('a''b%', 'c', 1, NULL)",
    """
    INSERT INTO sets VALUES ('set-1', 'a', 1999, 1, 0, NULL), ('box-1', 'b', 1999, 1, 0, NULL),
      ('crate-1', 'c', 1999, 1, 0, NULL), ('bare-1', 'd', 1999, 1, 0, NULL)
    """,
    "INSERT INTO minifigs VALUES ('fig-000001', 'd', 4, NULL)",
    """
    INSERT INTO inventories VALUES (9, 1, 'set-1'), (2, 3, 'set-1'), (3, 1, 'box-1'),
      (4, 1, 'crate-1'), (5, 1, 'fig-000001')
    """,
    "INSERT INTO inventory_sets VALUES (3, 'set-1', 2), (4, 'box-1', 3), (4, 'set-1', 1), (2, 'crate-1', 5)",
    "INSERT INTO inventory_minifigs VALUES (2, 'fig-000001', 2), (9, 'fig-000001', 7)",
    """
    INSERT INTO inventory_parts VALUES (9, '3383', 0, 100, 0, NULL), (2, '3383', 0, 4, 0, 'p'),
      (2, '3383', 0, 1, 1, NULL), (3, '003383', 0, 1, 0, NULL), (5, '3383', 0, 3, 0, NULL),
      (5, 'a''b%', 0, 1, 1, NULL)
    """,
  ]

  @Test func `set_parts has the latest version's own parts, of sets and of minifigs`() throws {
    let catalog = try makeCatalog(Self.sets)
    #expect(
      try lines(catalog, "SELECT * FROM set_parts ORDER BY set_num, part_num, is_spare") == [
        "box-1 3 003383 0 1 0 -", "fig-000001 5 3383 0 3 0 -", "fig-000001 5 a'b% 0 1 1 -",
        "set-1 2 3383 0 4 0 p", "set-1 2 3383 0 1 1 -",
      ])
  }

  @Test(arguments: [
    ("set-1", ["003383 0 15", "3383 0 10", "3383 1 1", "a'b% 1 2"]),
    ("box-1", ["003383 0 1", "3383 0 20", "3383 1 2", "a'b% 1 4"]),
    ("crate-1", ["003383 0 3", "3383 0 70", "3383 1 7", "a'b% 1 14"]),
    ("bare-1", []), ("fig-000001", []), ("nothing", []), ("'; --", []),
  ])
  func `set_parts_flat opens minifigs and sets within sets, and ends in a circle`(
    set: String, expected: [String]
  ) throws {
    let catalog = try makeCatalog(Self.sets)
    #expect(
      try lines(
        catalog,
        """
        SELECT part_num, is_spare, quantity FROM set_parts_flat WHERE set_num = \(set)
        ORDER BY part_num, is_spare
        """) == expected)
  }

  @Test func `where_used shows through which inventory a set has a part`() throws {
    let catalog = try makeCatalog(Self.sets)
    let query: SQL = """
      SELECT set_num, is_spare, quantity, is_minifig, is_sub_set, inventory_id FROM where_used
      WHERE part_num = \("a'b%") ORDER BY set_num
      """
    #expect(
      try lines(catalog, query) == ["box-1 1 4 1 1 5", "crate-1 1 14 1 1 5", "set-1 1 2 1 0 5"])
    #expect(try lines(catalog, "SELECT * FROM where_used WHERE part_num = '33830'") == [])
  }

  @Test(arguments: [
    (
      "3383",
      [
        "set-1 1 0 0 100 0 9", "set-1 1 0 0 21 1 5", "set-1 3 1 0 4 0 2", "set-1 3 1 0 6 1 5",
        "set-1 3 1 1 1 0 2",
      ]
    ),
    ("a'b%", ["set-1 1 0 1 7 1 5", "set-1 3 1 1 2 1 5"]),
    ("003383", ["box-1 1 1 0 1 0 3"]), ("33830", []),
  ])
  func `where_ever_used has each version of a set, without sets inside it`(
    part: String, expected: [String]
  ) throws {
    let catalog = try makeCatalog(Self.sets)
    let query: SQL = """
      SELECT set_num, version, is_latest, is_spare, quantity, is_minifig, inventory_id
      FROM where_ever_used WHERE part_num = \(part) AND color_id = 0 ORDER BY 1, 2, 4, 6
      """
    #expect(try lines(catalog, query) == expected)
  }

  @Test func `older_set_inventories has the versions before the latest`() throws {
    let catalog = try makeCatalog(
      Self.sets + [
        "INSERT INTO inventories VALUES (20, 0, 'crate-1'), (21, 2, 'set-1'), (22, 0, 'fig-000001')",
        "INSERT INTO inventory_minifigs VALUES (21, 'fig-000001', 4)",
      ])
    #expect(
      try lines(catalog, "SELECT * FROM older_set_inventories") == [
        "crate-1 0 20 0 1", "set-1 1 5 1 7", "set-1 1 9 0 1", "set-1 2 5 1 4", "set-1 2 21 0 1",
      ])
  }

  @Test func `theme_paths lead from the root, and end in a circle`() throws {
    let catalog = try makeCatalog([
      """
      INSERT INTO themes VALUES (7, 'Model', 4), (4, 'Technic', NULL), (5, 'Car', 7), (1, 'a', 2),
        (2, 'b', 1), (3, 'c', 3)
      """
    ])
    #expect(
      try lines(catalog, "SELECT * FROM theme_paths ORDER BY id") == [
        "1 a 2 2 2 b / a 2/1", "2 b 1 2 1 a / b 1/2", "3 c 3 1 3 c 3",
        "4 Technic - 1 4 Technic 4", "5 Car 7 3 4 Technic / Model / Car 4/7/5",
        "7 Model 4 2 4 Technic / Model 4/7",
      ])
    #expect(try lines(catalog, "SELECT * FROM theme_paths WHERE id = 99") == [])
  }

  /// Parts from `a` to `n`, and relations among them.
  private func makeRelations(_ relations: SQL) throws -> Connection {
    try makeCatalog([
      "INSERT INTO part_categories VALUES (1, 'Bricks')",
      """
      WITH RECURSIVE letter (n) AS (SELECT 97 UNION SELECT n + 1 FROM letter WHERE n < 110)
      INSERT INTO parts SELECT char(n), 'x', 1, NULL FROM letter
      """,
      "INSERT INTO part_relationships VALUES \(sql: relations)",
    ])
  }

  @Test func `relations are resolved over others of their kind, by the shortest way`() throws {
    let catalog = try makeRelations(
      """
      ('P', 'a', 'b'), ('P', 'b', 'c'), ('M', 'c', 'd'), ('P', 'b', 'e'), ('P', 'e', 'f'),
      ('P', 'c', 'f'), ('P', 'f', 'g'), ('P', 'a', 'g'), ('P', 'h', 'h')
      """)
    #expect(
      try lines(
        catalog,
        "SELECT * FROM part_relations_resolved WHERE child_part_num = 'a' ORDER BY depth, chain")
        == [
          "P a b 1 a > b", "P a g 1 a > g", "P a c 2 a > b > c", "P a e 2 a > b > e",
          "P a f 3 a > b > c > f",
        ])
    #expect(
      try lines(
        catalog,
        "SELECT * FROM part_relations_resolved WHERE parent_part_num = 'd' OR child_part_num = 'h'")
        == ["M c d 1 c > d"])
  }

  @Test func `relations that go in circles end`() throws {
    let catalog = try makeRelations(
      "('A', 'a', 'b'), ('A', 'b', 'c'), ('A', 'c', 'a'), ('A', 'd', 'a')")
    #expect(
      try lines(
        catalog,
        """
        SELECT chain FROM part_relations_resolved WHERE child_part_num IN ('a', 'd')
        ORDER BY child_part_num, depth
        """) == ["a > b", "a > b > c", "d > a", "d > a > b", "d > a > b > c"])
  }

  @Test(arguments: [
    ("('P', 'b', 'a')", "b", "a"), ("('P', 'b', 'a')", "a", "a"), ("('P', 'b', 'a')", "n", "n"),
    ("('B', 'b', 'a'), ('R', 'b', 'c')", "b", "b"),
    (
      "('A', 'b', 'a'), ('M', 'b', 'c'), ('T', 'b', 'd'), ('P', 'b', 'f'), ('P', 'b', 'e')", "b",
      "e"
    ),
    ("('A', 'b', 'a'), ('M', 'b', 'c')", "b", "c"), ("('P', 'd', 'c'), ('M', 'c', 'b')", "d", "b"),
    ("('P', 'd', 'd')", "d", "d"),
    ("('A', 'd', 'c'), ('A', 'c', 'b'), ('A', 'b', 'c')", "d", "b"),
    ("('A', 'a', 'c'), ('A', 'c', 'b'), ('A', 'b', 'c')", "a", "b"),
    ("('A', 'd', 'c'), ('A', 'c', 'b'), ('A', 'b', 'd')", "c", "b"),
  ])
  func `a canonical part is the last parent`(
    relations: String, part: String, expected: String
  ) throws {
    let catalog = try makeRelations(SQL(generated: relations))
    #expect(
      try lines(catalog, "SELECT canonical_part_num FROM canonical_parts WHERE part_num = \(part)")
        == [expected])
    #expect(try lines(catalog, "SELECT * FROM canonical_parts WHERE part_num = 'nothing'") == [])
  }

  @Test func `color_info has every color`() throws {
    let catalog = try makeCatalog(Self.sets)
    #expect(try lines(catalog, "SELECT * FROM color_info") == ["0 0 0 - - Black 05131D 0"])
    try catalog.execute(
      "INSERT INTO color_stats VALUES (0, 7, 1, 1999, 2001, 10, 1, 2, 2, 1998, 2002, 20, 3)")
    #expect(try lines(catalog, "SELECT * FROM color_info") == ["0 1 10 2001 1999 Black 05131D 0"])
  }

  @Test func `part_info has every part, part_color_info those that sets have`() throws {
    let catalog = try makeCatalog(Self.sets)
    try catalog.execute(
      "INSERT INTO part_stats VALUES ('3383', 1, 1, 1999, 2001, 10, 1, 2, 2, 1998, 2002, 20, 3)")
    try catalog.execute(
      "INSERT INTO part_color_stats VALUES ('3383', 0, 1, 1999, 2001, 10, 1, 2, 1998, 2002, 20, 3)")
    #expect(
      try lines(catalog, "SELECT * FROM part_info ORDER BY part_num") == [
        "003383 0 0 - - https://rebrickable.com/parts/003383 - b Bricks",
        "3383 1 10 2001 1999 https://rebrickable.com/parts/3383 p a Bricks",
        "a'b% 0 0 - - https://rebrickable.com/parts/a'b% - c Bricks",
      ])
    #expect(
      try lines(catalog, "SELECT * FROM part_color_info") == [
        "3383 0 1 10 2001 1999 https://rebrickable.com/parts/3383 p a Black"
      ])
  }

  @Test func `the first rows of set_parts_flat need no sorting of all rows`() throws {
    let plan = try lines(makeCatalog([]), "EXPLAIN QUERY PLAN SELECT * FROM set_parts_flat LIMIT 1")
    let sorts = plan.filter { $0.contains("TEMP B-TREE") }
    #expect(sorts.count == 1 && sorts[0].contains("RIGHT PART OF ORDER BY"), "\(plan)")
  }

  /// What is asked of the views about one thing; none of it may read a whole table.
  static let lookups: [SQL] = [
    "SELECT * FROM set_parts WHERE set_num = 'x'", "SELECT * FROM set_parts WHERE part_num = 'x'",
    "SELECT * FROM set_parts_flat WHERE set_num = 'x'",
    "SELECT * FROM set_parts_flat WHERE part_num = 'x'",
    "SELECT * FROM where_used WHERE part_num = 'x'", "SELECT * FROM where_used WHERE set_num = 'x'",
    "SELECT * FROM where_ever_used WHERE part_num = 'x' AND color_id = 4",
    "SELECT * FROM where_ever_used WHERE part_num = 'x'",
    "SELECT * FROM where_ever_used WHERE set_num = 'x'",
    "SELECT * FROM part_relations_resolved WHERE child_part_num = 'x'",
    "SELECT * FROM part_relations_resolved WHERE parent_part_num = 'x'",
    "SELECT * FROM part_info WHERE part_num = 'x'",
    "SELECT * FROM part_color_info WHERE part_num = 'x'",
    "SELECT * FROM color_info WHERE color_id = 4",
  ]

  @Test(arguments: lookups) func `a view filtered by one key scans no table`(
    query: SQL
  ) throws {
    let catalog = try makeCatalog([])
    let plan = try lines(catalog, "EXPLAIN QUERY PLAN \(sql: query)")
    // The rows of a view that are few by then are read from end to end.
    let results = (schema.views.map(\.name) + ["lines"]).map { "SCAN \($0)" }
    let scans = plan.filter { line in
      line.contains("SCAN") && !line.contains("SCAN (subquery-")
        && !results.contains { line.hasSuffix($0) }
    }
    #expect(scans == [])
  }
}
