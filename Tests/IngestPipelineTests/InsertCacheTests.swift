@testable import SQLiteDestination
import Glibc
import Platform
import SQLiteSwiftly
import Schema
import Testing
import TestSupport
import Vocabulary

/// SQLite's page cache grows with a table whose keys come in any order, and only then.
@Suite struct InsertCacheTests {
  private static let tables = ["first", "second"].map { name in
    TableDescription(
      name, columns: [ColumnDescription("key", .text), ColumnDescription("filler", .text)],
      primaryKey: ["key"])
  }

  /// Inserts 60,000 rows of about 120 bytes, more than three times as many as the first cache holds, and returns the sizes of the
  /// cache after their half and after all, in KiB.
  private func insert(
    table: Int, into writer: inout DatabaseWriter, key: (Int) -> Int
  ) throws -> [Int64] {
    var sizes: [Int64] = []
    for part in 0..<60 {
      var batch = RowBatch(cells: 2000, textCapacity: 0)
      batch.restart(columns: 2)
      for row in 0..<1000 {
        let digits = String(key(1000 * part + row))
        let padded = String(repeating: "0", count: 8 - digits.count) + digits
        batch.append([
          SQLiteValue.text(padded), .text(String(repeating: "x", count: 110)),
        ])
      }
      try writer.insert(batch, table: table)
      if part % 30 == 29 { sizes.append(-(try writer.connection.cacheKibibytes)) }
    }
    return sizes
  }

  @Test func `the cache grows while keys come in any order, and is small for the next table`()
    throws
  {
    let workplace = try Workplace()
    close(try openFile(workplace.output, O_CREAT | O_RDWR, 0o600))
    let schema = SchemaDescription(tables: Self.tables, applicationID: 1, version: 1)
    var writer = try DatabaseWriter(
      workplace.output, schema: schema, recorder: RunRecorder { _ in })
    let first = Int64(Tuning.insertCacheKibibytes)
    // A prime beyond all keys: each comes once.
    let sizes = try insert(table: 0, into: &writer) { $0 * 7919 % 60_013 }
    #expect(sizes[0] >= 2 * first && sizes[1] > sizes[0])
    #expect(sizes[1] <= 8 * first)
    try writer.end(table: 0)
    #expect(try insert(table: 1, into: &writer) { $0 } == [first, first])
    try writer.end(table: 1)
    #expect(writer.rows == [60_000, 60_000])
  }
}

extension Connection {
  fileprivate var cacheKibibytes: Int64 {
    get throws { try query("PRAGMA cache_size").first?[0].integerValue ?? 0 }
  }
}
