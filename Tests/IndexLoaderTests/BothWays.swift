import Files
import Glibc
import SQLiteSwiftly
import TestSupport

@testable import IndexLoader

/// One table in two files: its indexes loaded in one of them, and created by SQLite in the other.
struct BothWays {
  let table: TableDescription
  var pageBytes = 4096
  /// The bytes that may be spilled to the first file.
  var memory = 1 << 20
  /// Rows of a batch.
  var batchRows = 1000
  /// The bytes of each page that nothing is in.
  var reservedBytes: UInt8 = 0
  /// Where the first file ends before its indexes; at its last page if it is nil.
  var lastPage: Int?

  /// Makes the two files with the rows.
  ///
  /// - Returns: The indexes that were loaded.
  func fill(_ workplace: Workplace, _ rows: [[SQLiteValue]]) throws -> [CollectedIndex] {
    let created = try insert(rows, at: workplace.path + "/created") { _ in }
    try created.createIndexes(describedBy: table)
    try created.close()
    return try load(workplace, rows)
  }

  /// Makes the first file with the rows.
  ///
  /// - Returns: The indexes that were loaded.
  func load(_ workplace: Workplace, _ rows: [[SQLiteValue]]) throws -> [CollectedIndex] {
    let path = workplace.path + "/loaded"
    var collector: IndexCollector?
    let loaded = try insert(rows, at: path) { batch in
      if collector == nil {
        var new = try IndexCollector(
          for: try open(path),
          spillingTo: SpillFile(memory: (workplace.path, memory), disk: workplace.path))
        new.begin(table: 0, table)
        collector = consume new
      }
      try collector?.add(batch)
    }
    try collector?.finishTable()
    try loaded.close()
    guard let indexes = try collector.take()?.finish() else { return [] }
    let descriptor = try open(path)
    if let lastPage { try addFreePages(to: descriptor, upTo: lastPage) }
    let pages = try IndexPages(for: indexes, in: descriptor)
    // The last one first: whichever is done first, the file is the same.
    var trees: [IndexPages.Tree] = []
    for place in indexes.indexes.indices.reversed() {
      trees.insert(try pages.write(place, of: indexes), at: 0)
    }
    let roots = try pages.finish(trees)
    close(descriptor)
    let connection = try Connection(path, opening: .openExisting)
    try connection.register(
      zip(indexes.indexes, roots).map { (table: table, place: $0.place, root: $1) })
    try connection.close()
    return indexes.indexes
  }

  func open(_ path: String) throws -> Int32 {
    let descriptor = openFile(path, O_RDWR)
    guard descriptor >= 0 else { throw FileError(code: errno) }
    return descriptor
  }

  /// Creates a file of one page.
  private func createFile(_ path: String) throws {
    let connection = try Connection(path, opening: .createNew)
    try connection.set(.pageSize, to: pageBytes)
    try connection.set(.journalMode, to: .off)
    try connection.execute("PRAGMA user_version = 1")
    try connection.close()
    guard reservedBytes > 0 else { return }
    let descriptor = try open(path)
    defer { close(descriptor) }
    // The schema's page is empty, so that its content begins at its end.
    var end = ByteBuffer(count: 2)
    end.put(UInt16(pageBytes - Int(reservedBytes)), at: 0)
    try descriptor.writeAll([reservedBytes].span, at: 20)
    try descriptor.writeAll(end.span(0..<2), at: 105)
  }

  /// Lets a file have free pages as if a table had been dropped
  /// (<https://www.sqlite.org/fileformat2.html#the_freelist>); none of them is written but those that name
  /// others.
  private func addFreePages(to descriptor: Int32, upTo last: Int) throws {
    let first = try DatabaseHeader(of: descriptor).pages + 1
    let most = pageBytes / 4 - 8
    var page = ByteBuffer(count: pageBytes)
    for trunk in stride(from: first, through: last, by: most + 1) {
      let others = min(most, last - trunk)
      page.put(UInt32(trunk + most < last ? trunk + most + 1 : 0), at: 0)
      page.put(UInt32(others), at: 4)
      for other in 0..<others { page.put(UInt32(trunk + 1 + other), at: 8 + 4 * other) }
      try descriptor.writeAll(page.span(0..<pageBytes), at: (trunk - 1) * pageBytes)
    }
    page.put(UInt32(last), at: 0)
    page.put(UInt32(first), at: 4)
    page.put(UInt32(last + 1 - first), at: 8)
    try descriptor.writeAll(page.span(0..<12), at: 28)
    guard ftruncate(descriptor, off_t(last * pageBytes)) == 0 else {
      throw FileError(code: errno)
    }
  }

  private func insert(
    _ rows: [[SQLiteValue]], at path: String, _ take: (borrowing RowBatch) throws -> Void
  ) throws -> Connection {
    try createFile(path)
    let connection = try Connection(path, opening: .openExisting)
    try connection.set(.journalMode, to: .off)
    try connection.createTable(describedBy: table, withIndexes: false)
    var statement = try BatchInsertStatement(into: table, on: connection)
    var batch = RowBatch(cells: batchRows * table.columns.count, textCapacity: 0)
    for start in stride(from: 0, to: max(rows.count, 1), by: batchRows) {
      batch.restart(columns: table.columns.count)
      batch.text = []
      for row in rows[start..<min(start + batchRows, rows.count)] { batch.append(row) }
      try statement.insert(batch)
      try take(batch)
    }
    return connection
  }
}

extension RowBatch {
  /// Appends a row.
  mutating func append(_ row: [SQLiteValue]) {
    for (column, value) in row.enumerated() {
      switch value {
      case .integer(let value): set(column, integer: value)
      case .text(let value):
        let start = UInt32(text.count)
        text += value.utf8
        set(column, textAt: start, UInt32(text.count))
      default: setNull(column)
      }
    }
    finishRow()
  }
}
