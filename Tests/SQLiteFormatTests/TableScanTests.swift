import SQLiteSwiftly
import TestSupport
import Testing

@testable import SQLiteFormat

struct TableScanTests {
  private static let seeds = LongTests.seeds(few: 30, many: 1000)

  private static func randomTable(_ seed: UInt64) -> RandomTable {
    LongTests.areOn
      ? RandomTable(seed: seed) : RandomTable(seed: seed, mostRows: 300, mostBytes: 128 << 10)
  }

  @Test(arguments: seeds)
  func `any table has the sum of its rows and as many NULLs as SQLite counts`(seed: UInt64) throws {
    let random = Self.randomTable(seed)
    let pair = try TablePair(
      BothWays(table: random.table, pageBytes: random.pageBytes, memory: 10_000), random.rows)
    let scan = try TableScan(at: random.table, pair.newTable, beside: nil, longestRow: 1 << 20)
    #expect(scan.rows == pair.sum)
    #expect(scan.rows.entries == random.rows.count)
    #expect(try scan.nulls == pair.nullsBySQL())
    #expect(scan.differences == nil)
  }

  /// A table whose values are of any type if it is not strict.
  @Test(arguments: seeds, [true, false])
  func `differences from any older table match those found by SQL`(
    seed: UInt64, isStrict: Bool
  ) throws {
    let random = Self.randomTable(seed)
    let table = random.table
    let both = BothWays(
      table: TableDescription(
        table.name, columns: table.columns, primaryKey: table.primaryKey,
        uniqueKeys: table.uniqueKeys, indexes: table.indexes, isStrict: isStrict,
        isWithoutRowid: table.isWithoutRowid),
      pageBytes: random.pageBytes, memory: 10_000)
    var old = both
    old.pageBytes = 512 << Int(seed % 8)
    old.reservedBytes = seed % 5 == 0 ? 16 : 0
    let pair = try TablePair(both, random.rows, old: old, oldRows: random.rows.reversed())
    try pair.changeOld { connection in
      var changes = RandomChanges(both.table, connection, seed: seed)
      try changes.make()
    }
    var changes: [RowChange] = []
    let scan = try pair.scan { changes.append($0) }
    #expect(scan.rows == pair.sum)
    #expect(try scan.nulls == pair.nullsBySQL())
    if table.primaryKey.isEmpty {
      #expect(scan.differences == nil)
    } else {
      var changesBySQL: [RowChange] = []
      #expect(try scan.differences == pair.differencesBySQL { changesBySQL.append($0) })
      if scan.differences != nil { #expect(changes == changesBySQL) }
      var changesByRows: [RowChange] = []
      #expect(try pair.differencesByRows { changesByRows.append($0) } == scan.differences)
      #expect(changesByRows == changesBySQL)
    }
  }

  static let small = TableDescription(
    "t",
    columns: [
      ColumnDescription("a", .integer), ColumnDescription("b", .text, isNullable: true),
    ], primaryKey: ["a"])

  static let smallRows: [[SQLiteValue]] = (0..<100).map {
    [.integer($0), $0 % 7 == 0 ? .null : .text("\($0)")]
  }

  @Test func `an older table with the same rows has no differences`() throws {
    let pair = try TablePair(BothWays(table: Self.small), Self.smallRows)
    var expected = RowDifferences(columns: 1)
    (expected.rowsBefore, expected.rowsAfter, expected.commonKeys) = (100, 100, 100)
    (expected.nullsBefore, expected.nullsAfter) = ([15], [15])
    #expect(try pair.scan().differences == expected)
    #expect(try pair.differencesBySQL() == expected)
    #expect(try pair.differencesByRows() == expected)
  }

  @Test(
    arguments: [
      ["PRAGMA auto_vacuum = FULL", "VACUUM"], ["PRAGMA auto_vacuum = INCREMENTAL", "VACUUM"],
      ["PRAGMA journal_mode = WAL"],
    ] as [[SQL]])
  func `an older file with pages of other kinds, or some beside it, is not compared`(
    statements: [SQL]
  ) throws {
    let pair = try TablePair(BothWays(table: Self.small), Self.smallRows)
    try pair.changeOld { connection in
      for statement in statements { _ = try connection.query(statement) }
    }
    let scan = try pair.scan()
    #expect(scan.rows == pair.sum)
    #expect(scan.differences == nil)
  }

  @Test(arguments: ["UTF-16le", "UTF-16be", "UTF-8"])
  func `texts of another encoding are not compared`(encoding: String) throws {
    let pair = try TablePair(BothWays(table: Self.small), Self.smallRows)
    let other = try Workplace()
    let path = other.path + "/other"
    let connection = try Connection(path, opening: .createNew)
    try connection.execute(SQL(generated: "PRAGMA encoding = '\(encoding)'"))
    try connection.createTable(describedBy: Self.small)
    try connection.execute("INSERT INTO t VALUES (1, '1'), (2, 'x'), (200, NULL)")
    let root = try connection.value(of: "SELECT rootpage FROM sqlite_schema WHERE name = 't'")
    try connection.close()
    let descriptor = try BothWays(table: Self.small).open(path)
    let old = (descriptor: descriptor, root: Int(root?.integerValue ?? 0))
    let scan = try TableScan(at: Self.small, pair.newTable, beside: old, longestRow: 1000)
    #expect(scan.rows == pair.sum)
    #expect((scan.differences == nil) == (encoding != "UTF-8"))
    #expect(scan.differences?.commonKeys ?? 2 == 2)
    #expect(scan.differences?.changedKeys ?? 1 == 1)
  }

  @Test func `a row that is longer than any of the older file may be is not compared`() throws {
    let pair = try TablePair(BothWays(table: Self.small), Self.smallRows)
    try pair.changeOld { try $0.execute("UPDATE t SET b = hex(zeroblob(5000)) WHERE a = 99") }
    #expect(try pair.scan(longestRow: 10_000).differences?.changedKeys == 1)
    let scan = try pair.scan(longestRow: 9000)
    #expect(scan.rows == pair.sum)
    #expect(scan.differences == nil)
  }

  @Test func `a row that is longer than any was is damage`() throws {
    let text = String(repeating: "x", count: 10_000)
    let pair = try TablePair(BothWays(table: Self.small), [[.integer(1), .text(text)]])
    #expect(try pair.scan(longestRow: 10_000).rows == pair.sum)
    #expect(throws: DatabaseError.damaged) { try pair.scan(longestRow: 9000) }
  }
}
