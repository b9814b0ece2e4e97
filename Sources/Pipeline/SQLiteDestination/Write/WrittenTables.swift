import Facts
import Threads
import DatabaseFile
import Files
import SQLiteSwiftly
import Schema

/// The writing side of a run, when the reader has no more rows for it.
struct WrittenTables: ~Copyable {
  private let writer: CatalogWriter
  /// For each table that is complete, the time it took.
  private let seconds: [Double]
  /// The sums of their rows, and their indexes, which are in no file yet.
  private let collected: EntryCollection.Collected

  /// Writes what comes out of the ring.
  ///
  /// - Parameters:
  ///   - candidate: a new file.
  ///   - schema: what it will hold.
  ///   - ring: where the rows come from.
  ///   - recorder: is told of each table.
  ///   - waited: the seconds in which no rows came.
  /// - Throws: `IngestError` if the file cannot be written, or what its indexes are made of.
  init(
    _ candidate: borrowing CandidateFile, schema: SchemaDescription, from ring: Ring,
    recorder: RunRecorder, waited: inout Double
  ) throws(IngestError) {
    var writer = try Self.writing(candidate.path) { () throws(SQLiteError) in
      try CatalogWriter(candidate.path, schema: schema, recorder: recorder) {
        () throws(SQLiteError) in try candidate.checkIsOpened()
      }
    }
    let collection = try EntryCollection(schema, ring, for: candidate.descriptor)
    let written = Result { () throws(SQLiteError) in
      try Self.write(&writer, schema: schema, from: ring, recorder: recorder, waited: &waited)
    }
    ring.inserted.close()
    let collected = Result { () throws(FileError) in try collection.result() }
    let path = candidate.path
    (seconds, self.collected) = try Result { () throws(IngestError) in
      (
        try written.mapError { IngestError($0, writing: path) }.get(),
        try collected.mapError { IngestError(sorting: $0, writing: path) }.get()
      )
    }.get()
    self.writer = writer
  }

  /// Writes the rows.
  ///
  /// - Returns: For each table that is complete, the time it took.
  private static func write(
    _ writer: inout CatalogWriter, schema: SchemaDescription, from ring: Ring,
    recorder: RunRecorder, waited: inout Double
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

  private static func writing<Result: ~Copyable>(
    _ path: String, _ body: () throws(SQLiteError) -> Result
  ) throws(IngestError) -> Result {
    do throws(SQLiteError) {
      return try body()
    } catch {
      throw IngestError(error, writing: path)
    }
  }

  /// Completes the file, and the accounts with what was inserted.
  ///
  /// - Parameters:
  ///   - tables: the accounts.
  ///   - candidate: the file.
  ///   - search: the search that it gets.
  /// - Returns: For each table, and each that is derived from them, the sum of the rows that were inserted; of
  ///   the tables also that of the index of the key; the indexes that were written from the entries that were taken up; and what the search came to.
  /// - Throws: `IngestError`, after which the file is of no use.
  consuming func finish(
    _ tables: inout [TableAccount], in candidate: borrowing CandidateFile,
    search: SearchDescription?
  ) throws(IngestError) -> (
    rows: [EntryChecksum], keys: [EntryChecksum?], indexes: [CollectedIndex],
    search: SearchAccount?
  ) {
    let path = candidate.path
    let (seconds, collected) = (seconds, collected)
    guard seconds.count == tables.count, collected.rows.count == tables.count else {
      throw IngestError(.fault, "\(path): not all tables were written. Nothing was published.")
    }
    let finished: (rows: [Int], derived: [EntryChecksum], search: SearchAccount?)
    do throws(SQLiteError) {
      finished = try writer.finish(
        tables, indexes: collected.indexes, descriptor: candidate.descriptor, search: search)
    } catch {
      // Only derived tables have a limit to the work that they may take.
      throw error.code == .interrupted
        ? IngestError(.data, runCode: .derivationEndless, error.message)
        : IngestError(error, writing: path)
    }
    for index in tables.indices {
      tables[index].inserted = finished.rows[index]
      tables[index].seconds = seconds[index]
    }
    return (
      collected.rows + finished.derived, collected.keys, collected.indexes.indexes, finished.search
    )
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
