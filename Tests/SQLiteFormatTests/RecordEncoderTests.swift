import SQLiteSwiftly
import TestSupport
import Testing
@testable import SQLiteFormat

struct RecordEncoderTests {
  /// The records of an index on rows, each with the columns that its key has where it must be unique.
  private func encode(
    _ rows: [[SQLiteValue]], of table: TableDescription, on columns: [String],
    isUnique: Bool = false
  ) throws -> [(bytes: [UInt8], isUnique: Bool)] {
    let layout = try #require(EntryLayout(ofIndexOn: columns, isUnique: isUnique, in: table))
    let workplace = try Workplace()
    var file = SpillFile(memory: nil, disk: workplace.path)
    var runs = SortedRuns(layout, usableBytes: 4096)
    var batch = RowBatch(cells: rows.count * table.columns.count, textCapacity: 0)
    batch.restart(columns: table.columns.count)
    for row in rows { batch.append(row) }
    try runs.add(batch, spilling: &file)
    try runs.spillRest(to: &file)
    try file.flush()
    var merge = RunMerge(runs.runs, longestKey: runs.longestKey)
    var encoder = RecordEncoder(layout, longestKey: runs.longestKey)
    var records: [(bytes: [UInt8], isUnique: Bool)] = []
    while try merge.next(file) {
      let found = encoder.encode(merge.key, of: merge.buffer)
      let record = try #require(found)
      records.append((encoder.bytes.bytes(record), encoder.uniqueEnd != nil))
    }
    return records
  }

  /// Expects the records that SQLite has in an index on all columns.
  private func expectEqualRecords(
    _ rows: [[SQLiteValue]], of table: TableDescription
  ) throws {
    let workplace = try Workplace()
    try BothWays(table: table, pageBytes: 1024).fill(workplace, rows)
    let created = try Connection(workplace.path + "/created", opening: .readOnly)
    let root = try created.value(of: "SELECT max(rootpage) FROM sqlite_schema")
    let file = try IndexFile(workplace.path + "/created", root: Int(root?.integerValue ?? 0))
    let records = try encode(rows, of: table, on: table.indexes[0])
    #expect(records.count == rows.count)
    #expect(records.map(\.bytes) == file.records)
  }

  private static let columns = [
    ColumnDescription("a", .text, isNullable: true), ColumnDescription("b", .text),
    ColumnDescription("c", .integer, isNullable: true), ColumnDescription("d", .integer),
  ]

  @Test func `a key with a byte too many or too few is invalid`() throws {
    let table = TableDescription("t", columns: Self.columns, primaryKey: [])
    let layout = try #require(EntryLayout(ofIndexOn: ["a", "b", "c"], isUnique: false, in: table))
    // NULL, a text, NULL and the rowid.
    let key: [UInt8] = [0, 0x61, 0, 0, 0x81, 7]
    let buffer = ByteBuffer(key + [0, 0x81, 7])
    for count in 0...buffer.count {
      var encoder = RecordEncoder(layout, longestKey: buffer.count)
      let isRecord = encoder.encode(0..<count, of: buffer) != nil
      #expect(isRecord == (count == key.count), "\(count)")
    }
  }

  @Test func `records of numbers at all borders are those of SQLite`() throws {
    let rows: [[SQLiteValue]] = EntryKeyTests.borders.map { number in
      [
        number % 3 == 0 ? .null : .text("\0"), .text("\(number)"), .integer(number),
        .integer(~number),
      ]
    }
    try expectEqualRecords(
      rows,
      of: TableDescription("t", columns: Self.columns, primaryKey: [], indexes: [["c", "a", "d"]]))
  }

  @Test func `records of texts at the borders of their serial types are those of SQLite`() throws {
    // Serial types of 127, 129, 16383, 16385, and of 2^21 - 1 and 2^21 + 1.
    let sizes = [0, 1, 7, 8, 9, 57, 58, 8185, 8186, 1_048_569, 1_048_570]
    let rows: [[SQLiteValue]] = sizes.enumerated().map { number, size in
      let text = String(repeating: number % 2 == 0 ? "a" : "\0", count: size)
      return [
        .text(text), .text(text + "é\0\u{10FFFF}"), .integer(Int64(size)),
        number == 1 ? .integer(0) : .integer(1),
      ]
    }
    let table = TableDescription(
      "t", columns: Self.columns, primaryKey: [], indexes: [["a", "b", "d"]])
    try expectEqualRecords(rows + rows.prefix(9), of: table)
  }

  /// A header of 126 serial types has a byte for its size, and one of 127 has two.
  @Test(arguments: [1, 124, 125, 126, 127, 128, 300])
  func `records of many columns are those of SQLite`(count: Int) throws {
    let columns = (0..<count).map { ColumnDescription("c\($0)", .integer, isNullable: true) }
    var random = SeededGenerator(seed: UInt64(count))
    let rows: [[SQLiteValue]] = (0..<20).map { row in
      columns.indices.map { _ in
        Bool.random(using: &random)
          ? .null : .integer(EntryKeyTests.borders.randomElement(using: &random) ?? 0)
      }
    }
    try expectEqualRecords(
      rows,
      of: TableDescription(
        "t", columns: columns, primaryKey: [], indexes: [columns.map(\.name)]))
  }

  @Test func `a key is unique unless one of its columns is NULL`() throws {
    let table = TableDescription(
      "t", columns: Self.columns, primaryKey: [], uniqueKeys: [["a", "c"]])
    let values: [SQLiteValue] = [.null, .text("x")]
    let rows = values.flatMap { first in
      [.null, .integer(5)].map { [first, .text("y"), $0, .integer(1)] }
    }
    #expect(
      try encode(rows, of: table, on: ["a", "c"], isUnique: true).map(\.isUnique)
        == [false, false, false, true])
    #expect(
      try encode(rows, of: table, on: ["a", "c"]).map(\.isUnique)
        == [false, false, false, false])
  }
}
