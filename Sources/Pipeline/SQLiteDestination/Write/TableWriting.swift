import Facts
import Threads
import SQLiteFormat
import Files
import SQLiteSwiftly
import Schema

/// The tables of a new file, when the reader has no more rows for them.
struct WrittenTables: ~Copyable {
  fileprivate let writer: CatalogWriter
  /// For each table that is complete, the time it took.
  fileprivate let seconds: [Double]
  /// The sums of their rows, and their indexes, which are in no file yet.
  fileprivate let collected: EntryCollection.Collected
}

/// What was added up of everything that was inserted, which the finished file must have.
struct InsertedSums: Sendable {
  /// For each table, and each that is derived from them, the sum of its rows.
  var rows: [EntryChecksum] = []
  /// For each table, the sum of the index of its key; nil if there is none.
  var keys: [EntryChecksum?] = []
  /// The indexes that SQLite has not created itself.
  var indexes: [CollectedIndex] = []
}

extension CandidateFile {
  /// Writes the tables with the rows that come out of the ring; `waited` gets the seconds in which none came.
  func writeTables(
    of schema: SchemaDescription, from ring: Ring, _ recorder: RunRecorder, waited: inout Double
  ) throws(IngestError) -> WrittenTables {
    var writer: CatalogWriter
    do throws(SQLiteError) {
      writer = try CatalogWriter(path, schema: schema, recorder: recorder) {
        () throws(SQLiteError) in try Self.checkIsOpened(descriptor)
      }
    } catch {
      throw IngestError(error, writing: path)
    }
    let collection = try EntryCollection(schema, ring, for: descriptor)
    let written = Result { () throws(SQLiteError) in
      try insertRows(from: ring, by: &writer, schema, recorder, waited: &waited)
    }
    ring.inserted.close()
    let collected = Result { () throws(FileError) in try collection.result() }
    let seconds = try written.mapError { IngestError($0, writing: path) }.get()
    return WrittenTables(
      writer: writer, seconds: seconds,
      collected: try collected.mapError { IngestError(sorting: $0, writing: path) }.get())
  }

  /// Inserts the rows; returns, for each table that is complete, the time it took.
  private func insertRows(
    from ring: Ring, by writer: inout CatalogWriter, _ schema: SchemaDescription,
    _ recorder: RunRecorder, waited: inout Double
  ) throws(SQLiteError) -> [Double] {
    var waiting = Stopwatch()
    defer { waited = waiting.seconds }
    var tableSeconds: [Double] = []
    var tableStart = ContinuousClock.now
    while let delivery = waiting.time({ ring.filled.receive() }) {
      let table = delivery.table
      try writer.insert(delivery.rows, table: table)
      let isLast = delivery.isLast
      // The thread of the indexes gives it back to the reader.
      guard ring.inserted.send(delivery) else { break }
      guard isLast else { continue }
      try writer.finish(table: table)
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

  /// Completes the tables with what follows from them, and the accounts with what was inserted.
  func finish(
    _ written: consuming WrittenTables, _ accounts: inout [TableCounts],
    search: SearchDescription?
  ) throws(IngestError) -> (sums: InsertedSums, search: SearchResult?) {
    let (seconds, collected) = (written.seconds, written.collected)
    guard seconds.count == accounts.count, collected.rows.count == accounts.count else {
      throw IngestError(.fault, "\(path): not all tables were written. Nothing was published.")
    }
    let finished: (rows: [Int], derived: [EntryChecksum], search: SearchResult?)
    do throws(SQLiteError) {
      finished = try written.writer.finish(
        accounts, indexes: collected.indexes, descriptor: descriptor, search: search)
    } catch {
      // Only derived tables have a limit to the work that they may take.
      throw error.code == .interrupted
        ? IngestError(.data, runCode: .derivationEndless, error.message)
        : IngestError(error, writing: path)
    }
    for index in accounts.indices {
      accounts[index].inserted = finished.rows[index]
      accounts[index].seconds = seconds[index]
    }
    let sums = InsertedSums(
      rows: collected.rows + finished.derived, keys: collected.keys,
      indexes: collected.indexes.indexes)
    return (sums, finished.search)
  }
}

extension IngestError {
  /// The failure to keep what the indexes are made of.
  fileprivate init(sorting error: FileError, writing path: String) {
    let error = SQLiteError(error, "the indexes cannot be sorted in \(TemporaryFolders.names)")
    let advice = " Check that folder, or name another one by SQLITE_TMPDIR."
    let whole = IngestError(error, writing: path)
    // What is said of a full disk names the folder already.
    self.init(whole.kind, whole.message + (error.code == .inputOutput ? advice : ""))
  }
}
