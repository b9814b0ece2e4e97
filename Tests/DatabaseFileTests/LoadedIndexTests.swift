import Glibc
import SQLiteSwiftly
import TestSupport
import Testing

@testable import DatabaseFile

struct LoadedIndexTests {
  /// Makes a table with its indexes in both ways, and compares them entry by entry.
  ///
  /// - Returns: The last page of the first file.
  @discardableResult
  private func compare(_ both: BothWays, _ rows: [[SQLiteValue]]) throws -> Int {
    let workplace = try Workplace()
    let indexes = try both.fill(workplace, rows)
    let loaded = try Connection(workplace.path + "/loaded", opening: .openExisting)
    let created = try Connection(workplace.path + "/created", opening: .openExisting)
    #expect(try loaded.faults(.full) == [])
    #expect(
      try loaded.query("SELECT type, name, sql FROM sqlite_schema ORDER BY name")
        == created.query("SELECT type, name, sql FROM sqlite_schema ORDER BY name"))
    let descriptor = try both.open(workplace.path + "/loaded")
    for (place, index) in zip(indexes.map(\.place), indexes) {
      let name = both.table.indexName(place)
      let columns = index.layout.columns.map { column in
        column.place < 0 ? "rowid" : quoted(identifier: both.table.columns[column.place].name)
      }
      let query = SQL(
        generated: "SELECT \(columns.joined(separator: ", ")) FROM t INDEXED BY \(name)")
      let entries = try loaded.query(query)
      #expect(entries.count == rows.count)
      #expect(try entries == created.query(query))
      let root = try loaded.value(of: "SELECT rootpage FROM sqlite_schema WHERE name = \(name)")
      let checksum = try index.storedChecksum(in: descriptor, root: Int(root?.integerValue ?? 0))
      #expect(checksum == index.checksum)
      #expect(checksum.entries == rows.count)
      try expectFullPages(of: name, in: loaded, both.pageBytes)
    }
    close(descriptor)
    return Int(try loaded.value(of: "PRAGMA page_count")?.integerValue ?? 0)
  }

  /// Expects that a page has no room for two more entries, but for the last ones of each level.
  ///
  /// An entry that had no room goes up, and in the end one more with it.
  private func expectFullPages(
    of index: String, in connection: Connection, _ pageBytes: Int
  ) throws {
    let pages = try connection.query(
      """
      SELECT length(path), unused, max(mx_payload) OVER () FROM dbstat
      WHERE name = \(index) AND pagetype <> 'overflow' ORDER BY length(path), path
      """
    ).map { $0.map { Int($0.integerValue ?? 0) } }
    for (page, next) in zip(pages, pages.dropFirst()) where page[0] == next[0] {
      let largestCell = min(page[2], pageBytes / 4) + 16
      #expect(page[1] < 2 * largestCell)
    }
  }

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
    try compare(
      both,
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
    try compare(BothWays(table: Self.lots, memory: memory), rows)
  }

  @Test(arguments: 0..<(LongTests.areOn ? 10_000 : 40) as Range<UInt64>)
  func `any table`(seed: UInt64) throws {
    let random =
      LongTests.areOn
      ? RandomTable(seed: seed) : RandomTable(seed: seed, mostRows: 300, mostBytes: 128 << 10)
    try compare(
      BothWays(table: random.table, pageBytes: random.pageBytes, memory: 10_000), random.rows)
  }

  @Test(arguments: zip([1, 8, 32] as [UInt8], [65536, 1024, 512]))
  func `bytes of a page may be reserved`(bytes: UInt8, pageBytes: Int) throws {
    let random = RandomTable(seed: UInt64(bytes) + 2, mostRows: 400, mostBytes: 128 << 10)
    try compare(
      BothWays(table: random.table, pageBytes: pageBytes, reservedBytes: bytes), random.rows)
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
    let last = try compare(
      BothWays(table: table, pageBytes: pageBytes, lastPage: lockPage - before), rows)
    // 2 or 4 pages for each text, twice, and 3 trees.
    #expect(last > lockPage + 3)
  }

  /// To SQLite they are as different as their bytes.
  @Test func `two columns have names that are one text to Unicode`() throws {
    let names = ["e\u{301}", "\u{e9}"]
    let table = TableDescription(
      "t", columns: names.map { ColumnDescription($0, .integer) }, primaryKey: [names[0]],
      indexes: [[names[1]]], isWithoutRowid: true)
    try compare(
      BothWays(table: table), (0..<300).map { [.integer($0), .integer($0 * 7 % 11)] })
  }
}
