import Dispatch
package import SQLiteSwiftly

/// One run: a folder of dumps becomes one SQLite file, or nothing happens to it.
package struct IngestRun: Sendable {
  private let schema: SchemaDescription
  private let options: IngestOptions
  private let report: @Sendable (IngestEvent) -> Void

  /// Prepares a run; `report` is called from both of its threads.
  package init(
    _ schema: SchemaDescription, options: IngestOptions,
    report: @escaping @Sendable (IngestEvent) -> Void
  ) {
    self.schema = schema
    self.options = options
    self.report = report
  }

  /// Reads, writes, verifies and publishes.
  ///
  /// The dumps are read on a thread of their own, the file is written on the caller's.
  ///
  /// - Throws: `IngestError`; what was at the output is then still there, untouched. Only when the
  ///   folder cannot be synced in the very end is the new file in its place; the message says so.
  package func run() throws(IngestError) -> IngestReport {
    let start = ContinuousClock.now
    try Result { () throws(SQLiteError) in try schema.validate() }
      .mapError { IngestError($0, writing: options.output) }.get()
    SQLiteLibrary.disableMemoryStatistics()
    let folder = try DumpFolder(
      options.source, tables: schema.tables, allowedMissing: options.allowedMissing)
    for name in folder.unknown {
      report(.notice(Notice(file: name, code: .fileUnknown, "no table is known for this file")))
    }
    let candidate = try CandidateFile(for: options.output, applicationID: schema.applicationID)
    let ring = Ring(columns: schema.tables.map(\.columns.count).max() ?? 1)
    let reading = startReading(folder, ring)
    let written = Result { () throws(SQLiteError) in try write(to: candidate.path, from: ring) }
    // Either the reader has ended by now, or the writer has failed and the reader must not wait.
    ring.free.close()
    ring.filled.close()
    guard let read = reading.receive() else {
      throw IngestError(.fault, "The reading thread ended without a result.")
    }
    let (tables, writerWaited) = try accounts(read, written, writing: candidate.path)
    let finishing = ContinuousClock.now
    try candidate.sync { () throws(IngestError) in try verify(candidate.path, tables) }
    let verified = ContinuousClock.now
    let bytes = try candidate.publish()
    return IngestReport(
      tables: tables, seconds: (ContinuousClock.now - start).seconds,
      finishingSeconds: (verified - finishing).seconds, readerWaited: read.waited,
      writerWaited: writerWaited, outputBytes: bytes)
  }

  /// What the writer has done when it ends without a failure.
  private struct Written {
    /// For each table, the rows that were inserted; nil when the reader stopped before the last table.
    var rows: [Int]?
    /// For each table that is complete, the time it took.
    var seconds: [Double] = []
    /// The seconds in which the writer waited for the reader.
    var waited = 0.0
  }

  private func startReading(
    _ folder: DumpFolder, _ ring: Ring
  ) -> HandOff<CatalogReader.Reading> {
    let result = HandOff<CatalogReader.Reading>()
    // A queue of its own is a thread that may block; tasks must not.
    DispatchQueue(label: "reader").async { [schema, options, report] in
      var reader = CatalogReader(
        schema, folder: folder, options: options, ring: ring, report: report)
      _ = result.send(reader.run())
    }
    return result
  }

  private func write(to path: String, from ring: Ring) throws(SQLiteError) -> Written {
    var writer = try CatalogWriter(path, schema: schema)
    var written = Written()
    var waiting = Stopwatch()
    var tableStart = ContinuousClock.now
    while let delivery = waiting.time({ ring.filled.receive() }) {
      let table = delivery.table
      try writer.insert(delivery.rows, table: table)
      let isLast = delivery.isLast
      // The reader gets the batch back before the indexes are built, and reads on meanwhile.
      _ = ring.free.send(delivery)
      guard isLast else { continue }
      try writer.finish(table: table)
      let end = ContinuousClock.now
      written.seconds.append((end - tableStart).seconds)
      report(
        .tableWritten(
          name: schema.tables[table].name, rows: writer.rows[table],
          seconds: (end - tableStart).seconds))
      tableStart = end
    }
    guard written.seconds.count == schema.tables.count else { return written }
    written.waited = waiting.seconds
    written.rows = try writer.finish()
    return written
  }

  /// Puts both threads' results together, or throws the reader's failure, or else the writer's.
  private func accounts(
    _ read: CatalogReader.Reading, _ written: Result<Written, SQLiteError>, writing path: String
  ) throws(IngestError) -> (tables: [TableAccount], writerWaited: Double) {
    var tables = read.accounts
    report(.readingEnded(tables))
    if let failure = read.failure { throw failure }
    let written = try written.mapError { IngestError($0, writing: path) }.get()
    let (rejected, all) = (
      tables.reduce(0) { $0 + $1.rejected }, tables.reduce(0) { $0 + $1.read }
    )
    guard !options.rejectLimit.isExceeded(by: rejected, of: all) else {
      throw IngestError(
        .data,
        "\(rejected) of \(all) records are rejected, more than --max-rejects \(options.rejectLimit) "
          + "allows. Nothing was published. Mend the dumps, or raise the limit to publish without "
          + "those records.")
    }
    guard let rows = written.rows else {
      throw IngestError(.fault, "\(path): not all tables were written. Nothing was published.")
    }
    for index in tables.indices {
      tables[index].inserted = rows[index]
      tables[index].seconds = written.seconds[index]
    }
    return (tables, written.waited)
  }

  /// Checks that no record is unaccounted for and that the file is sound.
  private func verify(_ path: String, _ tables: [TableAccount]) throws(IngestError) {
    for table in tables where table.read != table.inserted + table.rejected {
      throw IngestError(
        .fault,
        "\(table.table): \(table.read) records were read, but \(table.inserted) inserted and "
          + "\(table.rejected) rejected. Nothing was published; please report this as a fault of "
          + "ingest.")
    }
    let verifier = CatalogVerifier(path: path, schema: schema)
    try verifier.check(inserted: tables.map(\.inserted))
  }
}

extension RejectLimit: CustomStringConvertible {
  /// The limit as it is given to the command.
  package var description: String {
    switch self {
    case .records(let limit): "\(limit)"
    case .percent(let limit): limit == limit.rounded() ? "\(Int(limit))%" : "\(limit)%"
    }
  }
}
