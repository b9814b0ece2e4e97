import Glibc
import Platform
import SQLiteSwiftly
import TestSupport
import Testing

@testable import SQLiteFormat

/// Tables with rowids and another key, whose rows may be in any order.
struct UnsortedComparisonTests {
  private static let seeds = LongTests.seeds(few: 12, many: 400)

  enum Order: CaseIterable {
    case same, reversed, rotated, shuffled

    func rows(_ rows: [[SQLiteValue]], seed: UInt64) -> [[SQLiteValue]] {
      var random = SeededGenerator(seed: seed)
      return switch self {
      case .same: rows
      case .reversed: rows.reversed()
      case .rotated: Array(rows.dropFirst(rows.count / 3) + rows.prefix(rows.count / 3))
      case .shuffled: rows.shuffled(using: &random)
      }
    }
  }

  @Test(arguments: seeds, Order.allCases)
  func `differences match those found by SQL`(seed: UInt64, order: Order) throws {
    let random = RandomTable(seed: seed, mostRows: 400, mostBytes: 128 << 10)
    // A key of one integer would be the rowid.
    let columns = [ColumnDescription("c0", .text)] + random.table.columns.dropFirst()
    let key = random.table.primaryKey.isEmpty ? ["c0"] : random.table.primaryKey
    let table = TableDescription(
      "t", columns: columns, primaryKey: key, isStrict: seed % 3 != 0, isWithoutRowid: false)
    let rows = random.rows.map { row in
      [.text(row[0].integerValue.map(String.init) ?? "")] + row.dropFirst()
    }
    let both = BothWays(table: table, pageBytes: random.pageBytes, memory: 10_000)
    let pair = try TablePair(both, rows, oldRows: order.rows(rows, seed: seed))
    try pair.changeOld { connection in
      var changes = RandomChanges(table, connection, seed: seed)
      try changes.make()
    }
    let expected = try pair.differencesBySQL()
    let scan = try pair.scan()
    #expect(scan.rows == pair.sum)
    #expect(scan.differences == expected)
    #expect(try pair.differencesByRows() == expected)
    // Changes are reported in key order, which the rows do not have.
    #expect(try pair.scan(report: { _ in }).differences == nil)
  }

  private static let table = TableDescription(
    "t",
    columns: [
      ColumnDescription("a", .text), ColumnDescription("b", .integer, isNullable: true),
    ], primaryKey: ["a"], isWithoutRowid: false)

  @Test func `too many rows elsewhere are left to SQLite`() throws {
    // Half of them need more memory than may be used.
    let rows: [[SQLiteValue]] = (0..<200).map {
      [.text("\($0)" + String(repeating: "x", count: 100_000)), .integer($0)]
    }
    let both = BothWays(table: Self.table)
    #expect(try TablePair(both, rows).scan().differences?.commonKeys == 200)
    let pair = try TablePair(both, rows, oldRows: rows.reversed())
    let scan = try pair.scan()
    #expect(scan.rows == pair.sum)
    #expect(scan.differences == nil)
    #expect(try pair.differencesByRows().commonKeys == 200)
  }

  @Test func `a night that changes each row, and removes some, needs little memory`() throws {
    let rows: [[SQLiteValue]] = (0..<300).map {
      [.text("\($0)" + String(repeating: "x", count: 100_000)), .integer($0)]
    }
    let pair = try TablePair(BothWays(table: Self.table), rows)
    try pair.changeOld {
      try $0.execute("UPDATE t SET b = -b - 1")
      try $0.execute("DELETE FROM t WHERE b % 50 = 0")
    }
    let found = try #require(try pair.scan().differences)
    #expect(found == (try pair.differencesBySQL()))
    #expect(found.changedValues == [294])
  }

  @Test func `an older table with any bytes does not change the results for the new one`() throws {
    let rows: [[SQLiteValue]] = (0..<400).map { [.text("key \($0 * 7 % 400)"), .integer($0)] }
    let pair = try TablePair(BothWays(table: Self.table, pageBytes: 512), rows)
    try pair.changeOld { try $0.execute("UPDATE t SET b = b + 1 WHERE b % 3 = 0") }
    let size = Int(lseek(pair.oldDescriptor, 0, SEEK_END))
    let sound = try pair.oldDescriptor.bytes(size, at: 0)
    var random = SeededGenerator(seed: 1)
    for _ in 0..<(LongTests.areOn ? 20_000 : 400) {
      var bytes = sound
      for _ in 0..<Int.random(in: 1...20, using: &random) {
        bytes[Int.random(in: 512..<size, using: &random)] =
          Bool.random(using: &random) ? 0xff : .random(in: 0...255, using: &random)
      }
      try pair.oldDescriptor.writeAll(bytes.span, at: 0)
      #expect(try pair.scan().rows == pair.sum)
    }
  }
}
