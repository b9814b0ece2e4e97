package import SQLiteSwiftly

/// One run: a folder of dumps becomes one SQLite file, or nothing happens to it.
package struct IngestRun: Sendable {
  private let schema: SchemaDescription
  private let options: IngestOptions
  private let recorder: RunRecorder
  private let gate = Gate()

  /// Prepares a run; `report` is called from both of its threads.
  package init(
    _ schema: SchemaDescription, options: IngestOptions,
    report: @escaping @Sendable (IngestEvent) -> Void
  ) {
    self.schema = schema
    self.options = options
    recorder = RunRecorder(report)
  }

  /// Reads, writes, verifies and publishes.
  ///
  /// The dumps are read on a thread of their own, the file is written on the caller's.
  ///
  /// - Returns: What became of it. With a failure, what was at the output is still there, untouched;
  ///   only when the folder cannot be synced in the very end is the new file in its place, and the
  ///   failure's message says so.
  package func run() -> IngestOutcome {
    var report = IngestOutcome()
    do throws(IngestError) {
      try run(into: &report)
    } catch {
      report.failure = error
    }
    gate.pass { $0.end() }
    recorder.finish(&report)
    return report
  }

  /// Gives up a run that has not begun; if it is being interrupted, waits for the end of the process.
  package func cancel() { gate.pass { $0.end() } }

  /// Ends the run from another thread, wherever it is: what is unfinished is removed, and nothing more
  /// is made, renamed or removed.
  ///
  /// The threads of the run are left as they are, so the process must end now.
  ///
  /// - Parameter failure: why it ends.
  /// - Returns: What is known of the run; nil if the catalogue is in its place, or if nothing will be
  ///   published anyhow: then the run ends by itself in a moment.
  package func interrupt(_ failure: IngestError) -> IngestOutcome? {
    guard gate.shut() else { return nil }
    var report = IngestOutcome()
    report.failure = failure
    recorder.finish(&report)
    return report
  }

  private func run(into report: inout IngestOutcome) throws(IngestError) {
    try Result { () throws(SQLiteError) in try schema.validate() }
      .mapError { IngestError($0, writing: options.output) }.get()
    try Provenance.check(schema)
    SQLiteLibrary.disableMemoryStatistics()
    let folder = try DumpFolder(
      options.source, tables: schema.tables, allowedMissing: options.allowedMissing)
    folder.unknownFileNotices(schema).forEach { recorder.record(.notice($0)) }
    let input = CatalogReader.Input(folder: folder, quarantine: quarantineFolder)
    try input.quarantine?.check(source: options.source)
    if options.isDryRun {
      try check(input, into: &report)
    } else {
      try load(input, into: &report)
    }
  }

  /// Where rejected records are kept; a dry run keeps them only where that is asked for.
  private var quarantineFolder: QuarantineFolder? {
    guard !options.isDryRun || options.rejectsFolder != nil else { return nil }
    return QuarantineFolder(
      options.rejectsFolder ?? options.defaultRejectsFolder, tables: schema.tables,
      replaying: options.replayedFolder, gate: gate)
  }

  /// Makes sure that rejected records can be kept, and reads what is known of those that are replayed:
  /// only now, since what a killed run has left may first have to be put in order.
  private func prepared(
    _ input: CatalogReader.Input
  ) throws(IngestError) -> CatalogReader.Input {
    var input = input
    try input.quarantine?.check()
    if let path = options.replayedFolder {
      let replayed = try ReplayedQuarantine(path)
      try replayed.check(input.folder.files, of: schema.tables)
      input.replayed = replayed
    }
    return input
  }

  /// Reads and checks everything, and writes nothing.
  private func check(
    _ input: CatalogReader.Input, into report: inout IngestOutcome
  ) throws(IngestError) {
    let input = try prepared(input)
    let ring = Ring(columns: schema.tables.map(\.columns.count).max() ?? 1)
    let reading = try startReading(input, ring)
    while let delivery = ring.filled.receive() { _ = ring.free.send(delivery) }
    ring.free.close()
    try take(reading, into: &report)
    try checkVerdict(of: report.tables)
  }

  /// Reads, writes, verifies and publishes.
  private func load(
    _ input: CatalogReader.Input, into report: inout IngestOutcome
  ) throws(IngestError) {
    let candidate = try CandidateFile(
      for: options, applicationID: schema.applicationID, gate: gate
    ) { recorder.record(.waiting($0)) }
    let input = try prepared(input)
    let ring = Ring(columns: schema.tables.map(\.columns.count).max() ?? 1)
    let reading = try startReading(input, ring)
    let written = Result { () throws(SQLiteError) in
      let writer = try CatalogWriter(
        candidate.path, schema: schema, recorder: recorder
      ) { () throws(SQLiteError) in try candidate.checkIsOpened() }
      return try write(with: writer, from: ring, waited: &report.writerWaited)
    }
    // Either the reader has ended by now, or the writer has failed and the reader must not wait.
    ring.free.close()
    ring.filled.close()
    try take(reading, into: &report)
    let writing = try written.mapError { IngestError($0, writing: candidate.path) }.get()
    try checkVerdict(of: report.tables)
    try finish(writing, &report.tables, path: candidate.path)
    let comparing = try startComparing(candidate.path, with: candidate.output)
    let verified = Result { () throws(IngestError) in
      try recorder.time(.verify) { () throws(IngestError) in
        try candidate.sync { () throws(IngestError) in try verify(candidate.path, &report.tables) }
      }
    }
    let compared = comparing.result()
    try verified.get()
    report.changes = try compared.get()
    let losses = report.changes.map(options.shrinkLimits.excesses) ?? []
    let start = recorder.now
    defer { recorder.record(.publish, from: start) }
    guard losses.isEmpty else {
      let kept = candidate.keep()
      report.keptCandidate = try? kept.get()
      throw shrunk(losses, kept)
    }
    let output = candidate.output
    report.outputBytes = try candidate.publish { lost in
      let notice = Notice(
        file: output, code: .accessChanged,
        "the new file could not be given \(lost) of the one that it replaces")
      recorder.record(.notice(notice))
    }
    // Only now: a replay that is not published must be possible again.
    guard report.rejected == 0 else { return }
    do throws(IngestError) {
      try input.quarantine?.retire()
    } catch {
      throw IngestError(error.kind, "\(error.message) The catalogue is published all the same.")
    }
  }

  /// The failure of a run whose catalogue has lost too much.
  private func shrunk(
    _ losses: [ShrinkLimits.Excess], _ kept: Result<String, IngestError>
  ) -> IngestError {
    let known = schema.tables.map(\.name)
    // A table that somebody has added to the catalogue cannot be named on the command line.
    let options =
      losses.allSatisfy { known.contains($0.table) }
      ? losses.map { "--max-shrink \($0.table)=100%" }.joined(separator: " ") : "--max-shrink 100%"
    let place =
      switch kept {
      case .success(let path): "the new catalogue is kept as \(path)"
      case .failure(let error): "the new catalogue could not be kept: \(error.message)"
      }
    return IngestError(
      .data, runCode: .catalogShrunk,
      losses.map(\.sentence).joined(separator: "; ") + ". Nothing was published; \(place). If the "
        + "loss is right, run again with \(options).")
  }

  /// Compares the candidate with the catalogue that is there, on a thread of its own.
  private func startComparing(
    _ candidate: String, with catalog: String
  ) throws(IngestError) -> Worker<Result<CatalogChanges?, IngestError>> {
    let comparison = CatalogComparison(
      candidate: candidate, catalog: catalog, schema: schema,
      patience: options.patienceWithCatalog, longestValue: options.recordLimit)
    return try Worker("comparison") { [recorder] in
      let start = recorder.now
      defer { recorder.record(.compare, from: start) }
      return Result { () throws(IngestError) in try comparison.changes(recorder) }
    }
  }

  private func startReading(
    _ input: CatalogReader.Input, _ ring: Ring
  ) throws(IngestError) -> Worker<CatalogReader.Reading> {
    try Worker("reader") { [schema, options, recorder] in
      var reader = CatalogReader(
        schema, input: input, options: options, ring: ring, recorder: recorder)
      return reader.run()
    }
  }

  /// Takes over what the reader found, and throws what it failed with.
  private func take(
    _ reading: Worker<CatalogReader.Reading>, into report: inout IngestOutcome
  ) throws(IngestError) {
    let read = reading.result()
    report.tables = read.accounts
    report.rejectsFolder = read.rejectsFolder
    report.readerWaited = read.waited
    if let notice = Notice.mixedGenerations(in: read.accounts) { recorder.record(.notice(notice)) }
    recorder.record(.readingEnded(read.accounts))
    if let failure = read.failures.first {
      report.furtherFailures = Array(read.failures.dropFirst())
      throw failure
    }
    if read.isComplete { try checkBalance(read.accounts.flatMap(\.imbalances)) }
  }

  /// Throws if there is anything that cannot be accounted for.
  private func checkBalance(_ imbalances: [String]) throws(IngestError) {
    guard !imbalances.isEmpty else { return }
    throw IngestError(
      .fault, runCode: .accountsUnbalanced,
      imbalances.joined(separator: "; ")
        + ". Nothing was published; run it again, and if that does "
        + "not help, report it as a fault of ingest.")
  }

  /// The writing side of a run, when the reader has no more rows for it.
  private struct Writing: ~Copyable {
    let writer: CatalogWriter
    /// For each table that is complete, the time it took.
    let seconds: [Double]
  }

  /// Writes what comes out of the ring, and counts the seconds in which nothing did.
  private func write(
    with writer: consuming CatalogWriter, from ring: Ring, waited: inout Double
  ) throws(SQLiteError) -> Writing {
    var waiting = Stopwatch()
    defer { waited = waiting.seconds }
    var tableSeconds: [Double] = []
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
      let seconds = (end - tableStart).seconds
      tableSeconds.append(seconds)
      recorder.record(
        .tableWritten(
          name: schema.tables[table].name, rows: writer.rows[table], seconds: seconds))
      tableStart = end
    }
    return Writing(writer: writer, seconds: tableSeconds)
  }

  /// Completes the file, and the accounts with what was inserted.
  private func finish(
    _ writing: consuming Writing, _ tables: inout [TableAccount], path: String
  ) throws(IngestError) {
    let seconds = writing.seconds
    guard seconds.count == tables.count else {
      throw IngestError(.fault, "\(path): not all tables were written. Nothing was published.")
    }
    let start = recorder.now
    do throws(SQLiteError) {
      let rows = try writing.writer.finish(tables)
      for index in tables.indices {
        tables[index].inserted = rows[index]
        tables[index].seconds = seconds[index]
      }
    } catch {
      throw IngestError(error, writing: path)
    }
    recorder.record(.finish, from: start)
  }

  /// Whether what was read may be published.
  private func checkVerdict(of tables: [TableAccount]) throws(IngestError) {
    let excesses = options.rejectLimits.excesses(in: tables)
    guard excesses.isEmpty else {
      throw IngestError(
        .data, runCode: .rejectsOverLimit,
        excesses.joined(separator: "; ") + ". Nothing was published. Mend the dumps, or raise the "
          + "limit to publish without those records.")
    }
    let drift = recorder.notices.filter(\.code.isDrift)
    guard !options.isStrict || drift.isEmpty else {
      throw IngestError(
        .data, runCode: .schemaDrift,
        "the dumps are not what the schema describes: " + drift.summary
          + "; --strict-schema allows no drift. Nothing was published. Change the description as "
          + "the notices say, or leave the option out.")
    }
  }

  /// Checks that no record is unaccounted for and that the file is sound, and completes the accounts
  /// with what was counted in it.
  private func verify(
    _ path: String, _ tables: inout [TableAccount]
  ) throws(IngestError) {
    try checkBalance(tables.compactMap(\.imbalanceOfRows))
    let verifier = CatalogVerifier(path: path, schema: schema)
    let counts = try verifier.check(inserted: tables.map(\.inserted))
    for (index, count) in counts.enumerated() {
      tables[index].inserted = count.rows
      tables[index].nulls = count.nulls
    }
  }
}
