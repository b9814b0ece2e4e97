import Vocabulary
import Platform
import SQLiteFormat
import SQLiteSwiftly
import Schema

struct WrittenTables: ~Copyable {
  fileprivate let writer: DatabaseWriter
  fileprivate let seconds: [Double]
  /// The checksums of their rows, and their indexes, which are not in the file yet.
  fileprivate let collected: EntryCollection.Collected
}

/// The checksums of all inserted rows, which the finished file must match.
struct InsertedSums: Sendable {
  /// The checksum of the rows of each table and each derived table.
  var rows: [EntryChecksum] = []
  /// The columns of each table that are NULL in all rows, as far as known; no more tables than those of source files.
  var emptyColumns: [[Int]] = []
  /// The checksum of each table's key index; nil if there is none.
  var keys: [EntryChecksum?] = []
  /// The indexes that were not created by SQLite.
  var indexes: [CollectedIndex] = []
  /// Their checksums as stored, if nothing can have changed them since they were read.
  var reading: IndexReading?

  /// The foreign keys of a table that may have a value: one with a NULL refers to nothing.
  func foreignKeys(of table: TableDescription, at place: Int) -> [ForeignKeyDescription] {
    let empty = emptyColumns(at: place).map { table.columns[$0].name }
    return table.foreignKeys.filter { !$0.columns.contains(where: empty.hasName) }
  }

  func emptyColumns(at place: Int) -> [Int] {
    emptyColumns.indices.contains(place) ? emptyColumns[place] : []
  }
}

extension CandidateFile {
  /// Writes the rows of the ring into their tables.
  func writeTables(
    of schema: SchemaDescription, from ring: Ring, _ recorder: RunRecorder
  ) throws(IngestError) -> WrittenTables {
    let path = path
    var writer = try mapError(
      DatabaseWriter(path, schema: schema, recorder: recorder) {
        () throws(SQLiteError) in try Self.checkIsOpened(descriptor)
      }, as: { IngestError($0, writing: path) })
    let cannotSort = { error in IngestError.cannotSort(error, writing: path) }
    let collection = try mapError(EntryCollection(schema, for: descriptor), as: cannotSort)
    let seconds = try mapError(as: { IngestError($0, writing: path) }) { () throws(SQLiteError) in
      try insertRows(from: ring, by: &writer, collection, schema, recorder)
    }
    return WrittenTables(
      writer: writer, seconds: seconds,
      collected: try mapError(collection.result(), as: cannotSort))
  }

  /// Inserts the rows; returns the time that each complete table took.
  private func insertRows(
    from ring: Ring, by writer: inout DatabaseWriter, _ collection: EntryCollection,
    _ schema: SchemaDescription, _ recorder: RunRecorder
  ) throws(SQLiteError) -> [Double] {
    var tableSeconds: [Double] = []
    var tableStart = ContinuousClock.now
    while let delivery = ring.next() {
      let table = delivery.table
      try writer.insert(delivery.rows, table: table)
      let isLast = delivery.isLast
      ring.giveBack(delivery, after: collection.add)
      guard isLast else { continue }
      try writer.end(table: table)
      let end = ContinuousClock.now
      tableSeconds.append((end - tableStart).seconds)
      recorder.record(
        .tableWritten(
          name: schema.tables[table].name, rows: writer.rows[table],
          seconds: (end - tableStart).seconds))
      tableStart = end
    }
    return tableSeconds
  }

  /// Completes the tables with everything derived from them, and the row counts with the inserted rows.
  func complete(
    _ written: consuming WrittenTables, _ counts: inout [TableCounts],
    search: SearchDescription?, _ helper: Helper
  ) throws(IngestError) -> (sums: InsertedSums, search: SearchResult?) {
    let (seconds, collected) = (written.seconds, written.collected)
    guard seconds.count == counts.count, collected.rows.count == counts.count else {
      throw .tablesIncomplete(path)
    }
    let finished: DatabaseWriter.Finished
    do throws(SQLiteError) {
      finished = try written.writer.complete(
        counts, indexes: collected.indexes, descriptor: descriptor, search: search, helper)
    } catch {
      // Only the work for derived tables is limited.
      throw error.code == .interrupted
        ? IngestError(.data, code: .run(.derivationEndless), error.message)
        : IngestError(error, writing: path)
    }
    for index in counts.indices {
      counts[index].inserted = finished.rows[index]
      counts[index].seconds = seconds[index]
    }
    let sums = InsertedSums(
      rows: collected.rows + finished.derived, emptyColumns: finished.emptyColumns,
      keys: collected.keys, indexes: collected.indexes.indexes, reading: finished.reading)
    return (sums, finished.search)
  }
}
