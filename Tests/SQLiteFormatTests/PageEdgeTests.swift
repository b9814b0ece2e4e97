import Glibc
import SQLiteSwiftly
import TestSupport
import Testing

@testable import SQLiteFormat

/// Records of each size around those at which a cell is divided differently between its page and others.
struct PageEdgeTests {
  private static let reach = 10

  /// The sizes at which that changes, for a page size.
  ///
  /// The letters are those of the file format (<https://www.sqlite.org/fileformat2.html#b_tree_pages>). Up to X bytes
  /// are in the page. Of larger payloads, as many bytes are in the page as leave the overflow pages full if these are
  /// at most X, and otherwise M.
  private static func edges(_ u: Int) -> [Int] {
    let (xOfTable, xOfIndex) = (u - 35, (u - 12) * 64 / 255 - 23)
    let m = (u - 12) * 32 / 255 - 23
    let most = u > 20_000 ? 0 : LongTests.areOn ? 3 : u > 1000 ? 0 : 1
    let pages = (1...3).prefix(most)
    return [xOfIndex, xOfTable]
      + pages.flatMap { pages in [m, xOfIndex, xOfTable].map { $0 + pages * (u - 4) } }
  }

  private static let cases = (LongTests.areOn ? [512, 1024, 4096, 16384, 65536] : [512, 16384])
    .flatMap { bytes in edges(bytes).map { (pageBytes: bytes, edge: $0) } }

  /// Twelve texts of each length, one after the other, which are more than a page has: one of them at least is above
  /// the leaves.
  ///
  /// A record has 3 to 8 bytes besides its text.
  private static func rows(around edge: Int) -> [[SQLiteValue]] {
    (edge - reach - 8...edge + reach - 3).flatMap { length in
      (0..<12).map { copy -> [SQLiteValue] in
        let number = 100_000 + 12 * (length - edge + 100) + copy
        return [
          .text("\(number)" + String(repeating: "x", count: length - 6)), .integer(Int64(number)),
        ]
      }
    }
  }

  private static func table(isWithoutRowid: Bool) -> TableDescription {
    TableDescription(
      "t", columns: [ColumnDescription("a", .text), ColumnDescription("n", .integer)],
      primaryKey: [isWithoutRowid ? "a" : "n"], indexes: [[isWithoutRowid ? "n" : "a"]],
      isWithoutRowid: isWithoutRowid)
  }

  @Test(arguments: cases, [true, false])
  func `records of each size around an edge are written and read as SQLite does`(
    page: (pageBytes: Int, edge: Int), isWithoutRowid: Bool
  ) throws {
    let table = Self.table(isWithoutRowid: isWithoutRowid)
    let rows = Self.rows(around: page.edge)
    let both = BothWays(table: table, pageBytes: page.pageBytes)
    try both.expectSameIndexes(rows)

    let pair = try TablePair(both, rows)
    let scan = try pair.scan()
    #expect(scan.rows == pair.sum && scan.rows.entries == rows.count)
    #expect(try scan.differences == pair.differencesBySQL())
    let connection = try Connection(pair.new, opening: .readOnly)
    #expect(try connection.query("SELECT a, n FROM t NOT INDEXED ORDER BY n") == rows)

    // The index was one of records of all these sizes, above the leaves, too.
    let root = try connection.value(of: "SELECT rootpage FROM sqlite_schema WHERE type = 'index'")
    let file = try IndexFile(pair.new, root: Int(root?.integerValue ?? 0))
    let sizes = page.edge - Self.reach...page.edge + Self.reach
    #expect(file.records.count == rows.count)
    #expect(Set(file.records.map(\.count)).isSuperset(of: sizes))
    #expect(Set(file.dividers.map { file.records[$0].count }).isSuperset(of: sizes))
  }
}
