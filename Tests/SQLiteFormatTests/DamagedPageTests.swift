import Platform
import Glibc
import SQLiteSwiftly
import TestSupport
import Testing
@testable import SQLiteFormat

/// Pages that differ from those written when they are read again.
struct DamagedPageTests {
  /// The bytes written over the beginning of a page, which contains the number of its cells and the child after them.
  static let damages: [(place: Int, bytes: [UInt8])] = [
    (3, [0xff, 0xff]), (8, [0, 0, 0, 0]), (8, [0, 0, 0, 1]), (8, [0xff, 0xff, 0xff, 0xff]),
    (12, [0xff, 0xff]),
  ]

  @Test(arguments: damages.indices)
  func `pages are not moved whose children are others`(damage: Int) throws {
    let workplace = try Workplace()
    let path = workplace.path + "/file"
    let table = TableDescription(
      "t", columns: ["a", "b"].map { ColumnDescription($0, .integer) }, primaryKey: [],
      indexes: [["a"], ["b"]])
    try changeDatabase(path) { connection in
      try connection.set(.pageSize, to: 512)
      try connection.createTable(describedBy: table, withIndexes: false)
    }
    let descriptor = try openFile(path, O_RDWR)
    defer { close(descriptor) }
    let indexes = try collect(2000, of: table, for: descriptor, in: workplace.path)
    let pages = try IndexPages(for: indexes, in: descriptor, restsIn: workplace.path)
    let trees = [try pages.write(0, of: indexes), try pages.write(1, of: indexes)]
    let numbers = PageNumbers(pageBytes: 512)
    var page = ByteBuffer(count: 512)
    for ordinal in trees[1].rest {
      _ = try page.read(0..<512, from: pages.rests, at: numbers.offset(ordinal))
      guard page[0] == TreePage.interiorType else { continue }
      let (place, bytes) = Self.damages[damage]
      try pages.rests.writeAll(bytes.span, at: numbers.offset(ordinal) + place)
    }
    #expect(throws: FileError(code: damagedFile)) { try pages.append(trees) }
  }

  private func collect(
    _ rows: Int, of table: TableDescription, for descriptor: Int32, in folder: String
  ) throws -> CollectedIndexes {
    var collector = try IndexCollector(
      of: [table], for: descriptor, spillingTo: SpillFile(memory: nil, disk: folder))
    collector.begin(table: 0)
    var batch = RowBatch(cells: 2 * rows, textCapacity: 0)
    batch.restart(columns: 2)
    for row in 0..<rows {
      batch.set(0, integer: Int64(row))
      batch.set(1, integer: Int64(row * 7919 % rows))
      batch.finishRow()
    }
    try collector.add(batch)
    try collector.finishTable()
    return try collector.result()
  }
}
