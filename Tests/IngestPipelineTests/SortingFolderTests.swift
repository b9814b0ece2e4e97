import Foundation
import SQLiteSwiftly
import TestSupport
import Testing

@testable import IngestPipeline

@Suite struct SortingFolderTests {
  @Test func `only a folder with room will do`() throws {
    let workplace = try Workplace()
    #expect(SortingFolder.hasRoom(for: 1 << 10, in: workplace.path))
    #expect(!SortingFolder.hasRoom(for: .max, in: workplace.path))
    #expect(!SortingFolder.hasRoom(for: 0, in: workplace.path + "/nowhere"))
    #expect(!SortingFolder.hasRoom(for: 1, in: "/proc"))
  }

  @Test func `only little is sorted in memory`() {
    #expect(SortingFolder.inMemory(for: Tuning.mostSortedInMemory + 1) == nil)
    #expect(SortingFolder.inMemory(for: .max) == nil)
  }

  private static let table = TableDescription(
    "t",
    columns: [
      ColumnDescription("id", .integer), ColumnDescription("name", .text, isNullable: true),
      ColumnDescription("free", .text),
    ],
    primaryKey: ["id"], indexes: [["name"]])

  /// The ids and the names of two rows, and the bytes that their entries may take: twice those of the
  /// names, of the wider integer, and of 19 for each row.
  @Test(
    arguments: [
      ([0, 0], [0, 0], 2 * (2 * (19 + 1))), ([1, 127], [3, 4], 2 * (7 + 2 * (19 + 1))),
      ([1, 128], [3, 4], 2 * (7 + 2 * (19 + 2))),
      ([-128, 5], [1000, 4], 2 * (1004 + 2 * (19 + 1))),
      ([1, .min], [0, 0], 2 * (2 * (19 + 8))), ([.max, 1], [0, 0], 2 * (2 * (19 + 8))),
    ] as [([Int64], [UInt32], Int)])
  func `what is sorted is counted from the rows`(ids: [Int64], names: [UInt32], bytes: Int) {
    var batch = RowBatch(cells: 6, textCapacity: 10_000)
    batch.restart(columns: 3)
    for (id, name) in zip(ids, names) {
      batch.set(0, integer: id)
      if name == 0 { batch.setNull(1) } else { batch.set(1, textAt: 0, name) }
      batch.set(2, textAt: 0, 9000)
      batch.finishRow()
    }
    var entries = IndexEntries(of: Self.table)
    entries.add(batch)
    #expect(entries.bytes == bytes)
    var none = IndexEntries(of: Family.labels)
    none.add(batch)
    #expect(none.bytes == 0)
  }
}
