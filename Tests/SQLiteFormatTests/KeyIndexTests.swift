import Platform
import Glibc
import SQLiteSwiftly
import TestSupport
import Testing
@testable import SQLiteFormat

/// The index of the primary key of a table with rowids, which only SQLite writes.
@Suite struct KeyIndexTests {
  private static let table = TableDescription(
    "words",
    columns: [
      ColumnDescription("word", .text), ColumnDescription("length", .integer),
      ColumnDescription("note", .text, isNullable: true),
    ],
    primaryKey: ["word", "length"], isWithoutRowid: false)

  private static let rows: [[SQLiteValue]] = (0..<500).map { number in
    [.text("w\((number * 7919) % 500)-\(number % 3)"), .integer(Int64(number)), .null]
  }

  /// Inserts the rows; returns the checksums of rows and keys.
  private func insertRows(_ connection: Connection) throws -> RowSum {
    var batch = RowBatch(cells: 3 * Self.rows.count, textCapacity: 0)
    batch.restart(columns: 3)
    for row in Self.rows { batch.append(row) }
    var insert = try BatchInsertStatement(into: Self.table, on: connection)
    try insert.insert(batch)
    var sum = RowSum(Self.table)
    sum.add(batch)
    return sum
  }

  @Test func `its entries are those of the rows, until one byte is another`() throws {
    let workplace = try Workplace()
    let path = workplace.path + "/words.sqlite"
    let connection = try Connection(path, opening: .createNew)
    try connection.createTable(describedBy: Self.table)
    let sum = try insertRows(connection)
    let index = try #require(KeyIndex(of: Self.table))
    #expect(index.name == "sqlite_autoindex_words_1")
    let root = try connection.value(
      of: "SELECT rootpage FROM sqlite_schema WHERE name = \(index.name)")
    let page = Int(try #require(root?.integerValue))
    try connection.close()
    let descriptor = try openFile(path, O_RDWR)
    defer { close(descriptor) }
    let stored = try index.storedChecksum(in: descriptor, root: page, longestRow: 1000)
    #expect(stored == sum.keyChecksum)
    #expect(stored.entries == 500)

    // The last byte of the first page that the tree has: it belongs to a key.
    let file = try descriptor.bytes(page * 4096, at: 0)
    var last = [file[page * 4096 - 1] ^ 1]
    #expect(unsafe pwrite(descriptor, &last, 1, off_t(page * 4096 - 1)) == 1)
    let damaged = try? index.storedChecksum(in: descriptor, root: page, longestRow: 1000)
    #expect(damaged != sum.keyChecksum)
  }

  @Test func `a key that orders the table, or is its rowid, has none`() {
    let columns = [ColumnDescription("id", .integer), ColumnDescription("name", .text)]
    #expect(KeyIndex(of: TableDescription("a", columns: columns, primaryKey: ["id"])) == nil)
    #expect(KeyIndex(of: TableDescription("b", columns: columns, primaryKey: ["name"])) == nil)
    #expect(KeyIndex(of: TableDescription("c", columns: columns, primaryKey: [])) == nil)
  }
}
