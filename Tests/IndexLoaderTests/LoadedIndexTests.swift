import SQLiteSwiftly
import TestSupport
import Testing

@testable import IndexLoader

struct LoadedIndexTests {
  static let lots = TableDescription(
    "lots",
    columns: [
      ColumnDescription("inventory", .integer), ColumnDescription("part", .text),
      ColumnDescription("color", .integer), ColumnDescription("note", .text, isNullable: true),
    ],
    primaryKey: ["inventory", "part", "color"], indexes: [["part", "color"], ["color"], ["note"]])

  @Test func `three indexes of a table without rowids`() throws {
    let rows: [[SQLiteValue]] = (0..<60_000).map { number in
      let n = Int64(number)
      return [
        .integer(n / 40), .text("\(n * 7919 % 3001)"), .integer(n % 97),
        n % 3 == 0 ? .null : .text("note \(n % 11)"),
      ]
    }
    let workplace = try Workplace()
    let both = BothWays(table: Self.lots)
    _ = try both.fill(workplace, rows)
    let loaded = try Connection(workplace.path + "/loaded", opening: .readOnly)
    #expect(try loaded.faults(.full) == [])
    let created = try Connection(workplace.path + "/created", opening: .readOnly)
    #expect(try created.faults(.full) == [])
  }
}
