import SQLiteSwiftly
import TestSupport
import Testing

@testable import SQLiteFormat

struct LoadedIndexTests {
  static let lots = TableDescription(
    "t",
    columns: [
      ColumnDescription("inventory", .integer), ColumnDescription("part", .text),
      ColumnDescription("color", .integer), ColumnDescription("note", .text, isNullable: true),
    ],
    primaryKey: ["inventory", "part", "color"], indexes: [["part", "color"], ["color"], ["note"]])

  @Test func `SQLite may write to the file while the trees are written`() throws {
    let table = TableDescription(
      "t", columns: [ColumnDescription("a", .text), ColumnDescription("b", .integer)],
      primaryKey: [], indexes: [["a"], ["b", "a"]])
    var both = BothWays(table: table, pageBytes: 512)
    both.grows = true
    // Every seventh text is too long for a page.
    try both.expectSameIndexes(
      (0..<500).map { row in
        let text = String(repeating: "x", count: row.isMultiple(of: 7) ? 700 + row : row % 20)
        return [.text("\(row * 7919 % 500)" + text), .integer(Int64(row * 31 % 17))]
      })
  }

  @Test(arguments: [0, 1 << 20])
  func `three indexes of many rows`(memory: Int) throws {
    let rows: [[SQLiteValue]] = (0..<30_000).map { number in
      let n = Int64(number)
      return [
        .integer(n / 40), .text("\(n * 7919 % 3001)"), .integer(n % 97),
        n % 3 == 0 ? .null : .text("note \(n % 11)"),
      ]
    }
    try BothWays(table: Self.lots, memory: memory).expectSameIndexes(rows)
  }

  @Test(arguments: LongTests.seeds(few: 40, many: 10_000))
  func `any table`(seed: UInt64) throws {
    let random =
      LongTests.areOn
      ? RandomTable(seed: seed) : RandomTable(seed: seed, mostRows: 300, mostBytes: 128 << 10)
    try BothWays(table: random.table, pageBytes: random.pageBytes, memory: 10_000)
      .expectSameIndexes(random.rows)
  }

  @Test(arguments: zip([1, 8, 32] as [UInt8], [65536, 1024, 512]))
  func `bytes of a page may be reserved`(bytes: UInt8, pageBytes: Int) throws {
    let random = RandomTable(seed: UInt64(bytes) + 2, mostRows: 400, mostBytes: 128 << 10)
    try BothWays(table: random.table, pageBytes: pageBytes, reservedBytes: bytes)
      .expectSameIndexes(random.rows)
  }

  /// The file has holes, so that little is written.
  @Test(arguments: LongTests.areOn ? [512, 4096, 65536] : [8192, 65536], [1, 5])
  func `indexes lie around the page of the lock byte`(pageBytes: Int, before: Int) throws {
    let rows: [[SQLiteValue]] = (0..<8).map { row in
      [.integer(row), .text(String(repeating: "\(row)", count: pageBytes * Int(row % 3)))]
    }
    let table = TableDescription(
      "t", columns: [ColumnDescription("a", .integer), ColumnDescription("b", .text)],
      primaryKey: ["a"], indexes: [["b"], ["a"], ["b", "a"]])
    let lockPage = (1 << 30) / pageBytes + 1
    let last = try BothWays(table: table, pageBytes: pageBytes, lastPage: lockPage - before)
      .expectSameIndexes(rows)
    // 2 or 4 pages for each text, twice, and 3 trees.
    #expect(last > lockPage + 3)
  }

  /// The page is among those reserved for the first tree, among those of the second, or among the rest of both.
  @Test(arguments: LongTests.areOn ? Array(1...35) : [3, 12, 18, 24, 34, 35])
  func `long indexes lie around the page of the lock byte`(before: Int) throws {
    let table = TableDescription(
      "t", columns: [ColumnDescription("a", .integer), ColumnDescription("b", .text)],
      primaryKey: ["a"], indexes: [["b"], ["a", "b"]])
    let rows: [[SQLiteValue]] = (0..<2500).map { row in
      [.integer(row), .text(String(repeating: "x", count: 20 + Int(row) % 30) + "\(row * 7919)")]
    }
    let pageBytes = 8192
    let lockPage = (1 << 30) / pageBytes + 1
    let last = try BothWays(table: table, pageBytes: pageBytes, lastPage: lockPage - before)
      .expectSameIndexes(rows)
    #expect(last == lockPage - before + 36)
    let indexes = try BothWays(table: table, pageBytes: pageBytes).fill(Workplace(), rows).indexes
    #expect(indexes.map(\.sizes.leastPages) == [16, 17])
  }

  /// To SQLite they are as different as their bytes.
  @Test func `two columns have names that are one text to Unicode`() throws {
    let names = ["e\u{301}", "\u{e9}"]
    let table = TableDescription(
      "t", columns: names.map { ColumnDescription($0, .integer) }, primaryKey: [names[0]],
      indexes: [[names[1]]], isWithoutRowid: true)
    try BothWays(table: table)
      .expectSameIndexes((0..<300).map { [.integer($0), .integer($0 * 7 % 11)] })
  }
}
