import Validation
import Quarantine
import SourceFiles
package import Vocabulary
import Platform
import Glibc
import SQLiteSwiftly
package import Schema
import Provenance

/// A run: it turns a folder of source files into a new database, or keeps the previous one.
package struct IngestRun: Sendable {
  private(set) var schema: SchemaDescription
  let destination: any Destination
  private(set) var options: IngestOptions
  let recorder: RunRecorder
  let patience: Patience
  let gate = Gate()
  /// The output before the run.
  private let previous: OutputState

  /// The warnings from before the run.
  private var warnings: [Warning]

  /// The description of a schema with fewer guesses than that of the options.
  private let describe: @Sendable (SchemaDescription) -> NamedDescription?

  /// Prepares a run; `report` is called from any of its threads.
  package init(
    _ schema: SchemaDescription, into destination: any Destination, options: IngestOptions,
    warnings: [Warning] = [],
    describe: @escaping @Sendable (SchemaDescription) -> NamedDescription? = { _ in nil },
    report: @escaping @Sendable (IngestEvent) -> Void
  ) {
    self.describe = describe
    self.schema = schema
    self.destination = destination
    self.options = options
    self.warnings = warnings
    let recorder = RunRecorder(report)
    self.recorder = recorder
    patience = Patience { recorder.record(.waiting($0)) }
    previous = destination.state
  }

  package var progress: RunProgress { recorder.progress }

  /// Reads, writes, verifies and publishes.
  ///
  /// The source files are read on a separate thread, and the database is written on the caller's.
  ///
  /// - Returns: The outcome. After a failure the previous database was kept, unless the failure has something `undone`:
  ///   then the new one was published.
  package func run() -> IngestOutcome {
    var outcome = IngestOutcome()
    do throws(IngestError) {
      try run(into: &outcome)
    } catch {
      outcome.failures.insert(error, at: 0)
    }
    do throws(IngestError) {
      for folder in try usedRejectsFolder?.previousWithUnsavedEdits() ?? [] {
        recorder.record(.warning(.editedRejects(keptAs: folder)))
      }
    } catch {
      if outcome.failures.isEmpty {
        outcome.failures = [
          outcome.ending == .unpublished(refused: nil)
            ? error
            : error.afterPublishing(
              undone: "the folders of earlier rejected records could not be checked", "Run again.")
        ]
      }
    }
    if outcome.failures.isEmpty {
      recorder.reportUnusedSuppressions { !options.isDryRun || $0.isOfSources }
    }
    cancel()
    complete(&outcome)
    return outcome
  }

  /// Ends a run that cannot begin, since the description of its source files is invalid, for its reports.
  package func refuse(_ failures: [IngestError]) -> IngestOutcome {
    var outcome = IngestOutcome()
    outcome.failures = failures
    cancel()
    complete(&outcome)
    return outcome
  }

  /// Cancels a run that has not begun; if it is being interrupted, waits for the end of the process.
  package func cancel() { gate.pass { $0.end() } }

  /// Ends the run from another thread: unfinished files are removed, and then nothing more is created, renamed or
  /// removed.
  ///
  /// The threads of the run are not stopped, so the process must end now.
  ///
  /// - Parameter failure: the reason.
  /// - Returns: The outcome so far; nil if the database was published, or if nothing will be published: then the run is
  ///   about to end by itself.
  package func interrupt(_ failure: IngestError) -> IngestOutcome? {
    guard gate.shut() else { return nil }
    var outcome = IngestOutcome()
    outcome.failures = [failure]
    complete(&outcome)
    return outcome
  }

  private func complete(_ outcome: inout IngestOutcome) {
    recorder.complete(&outcome)
    outcome.waitedForOthers = patience.seconds
    outcome.seconds -= outcome.waitedForOthers
    if options.isDryRun {
      if !outcome.isUnchanged { outcome.ending = .checked }
    } else if outcome.failure != nil, !outcome.isPublished {
      outcome.previousDatabase = PreviousState(before: previous, after: destination.state)
    }
  }

  private func run(into outcome: inout IngestOutcome) throws(IngestError) {
    try mapError(as: { IngestError($0, writing: options.output.name) }) { () throws(SQLiteError) in
      try schema.validate()
      try schema.validateReferences()
    }
    try schema.checkReservedNames()
    SQLiteLibrary.disableMemoryStatistics()
    let sqlFiles = try SQLFile.read(options.sqlFiles)
    if let path = options.suppressFile { recorder.apply(try Suppressions(readingFrom: path)) }
    outcome.sqlFiles = sqlFiles.map { SQLFileResult(file: $0.path) }
    let folder = try SourceFolder(
      pinnedPath(options.source), sources: schema.sources, allowedMissing: options.allowedMissing)
    for warning in warnings + folder.unknownFileWarnings(schema) {
      recorder.record(.warning(warning))
    }
    var input = RowProducer.Input(folder: folder)
    input.repairs = try options.repairsFolder.map { (path) throws(IngestError) in
      try RepairsFolder(path, schema, recordLimit: options.recordLimit)
    }
    input.rejectsFolder = rejectsFolder
    try input.rejectsFolder?.check(source: options.source)
    if skips(input, sqlFiles, &outcome) { return }
    let context = RunContext(
      schema, options, running: sqlFiles, gate: gate, patience: patience, recorder: recorder)
    let broken =
      options.isDryRun
      ? try check(input, context, into: &outcome)
      : try load(input, context, into: destination, &outcome)
    if !broken.isEmpty { try runAgain(without: broken, into: &outcome) }
  }

  /// Reads and loads everything again, without the guesses that the records contradict.
  private func runAgain(
    without broken: [BrokenGuess], into outcome: inout IngestOutcome
  ) throws(IngestError) {
    var run = self
    let new = run.schema.correct(broken)
    // A type may be widened twice.
    run.warnings.removeAll { old in
      new.contains { $0.code == old.code && $0.table == old.table && $0.column == old.column }
    }
    run.warnings += new
    run.options.description = describe(run.schema)
    recorder.restart()
    outcome = IngestOutcome()
    try run.run(into: &outcome)
  }

  /// Whether nothing has changed, which is recorded in the outcome.
  private func skips(
    _ input: RowProducer.Input, _ sqlFiles: [SQLFile], _ outcome: inout IngestOutcome
  ) -> Bool {
    guard options.skipsUnchanged, !options.isStrict || recorder.drift.isEmpty else { return false }
    do throws(IngestError) {
      let check = UnchangedCheck(
        schema: schema, options: options, sqlFiles: sqlFiles, suppressions: recorder.suppressions,
        folder: input.folder, repairs: input.repairs,
        published: try destination.published(schema))
      let sqlFiles = outcome.sqlFiles
      outcome = try check.result()
      outcome.sqlFiles = sqlFiles
      recorder.repeatWarnings(of: outcome)
      warnOfAge(outcome.tables)
      return true
    } catch {
      recorder.record(.changed(error.message))
      return false
    }
  }

  var conditions: PublishingConditions { PublishingConditions(schema: schema, options: options) }

  /// The folder for rejected records; a dry run keeps them only if a folder is specified.
  var rejectsFolder: RejectsFolder? {
    !options.isDryRun || options.rejectsFolder != nil ? usedRejectsFolder : nil
  }

  private var usedRejectsFolder: RejectsFolder? {
    options.usedRejectsFolder.map { path in
      RejectsFolder(
        path, sources: schema.sources, gate: gate, timeout: options.lockTimeout, patience: patience)
    }
  }

  /// Reads, writes, verifies and publishes; if records contradict a guess of the description, only reads and returns that.
  private func load<Output: Destination>(
    _ input: RowProducer.Input, _ context: RunContext, into destination: Output,
    _ outcome: inout IngestOutcome
  ) throws(IngestError) -> [BrokenGuess] {
    let empty = try destination.open(for: context)
    // Another run, for which this one waited, may have loaded the same files.
    if patience.seconds > 0, skips(input, context.sqlFiles, &outcome) { return [] }
    let previous = empty.previous
    let previousRun = try previous.previousRun()
    let (ring, reading) = try startReading(input)
    let written = empty.write(from: ring)
    // The reader has ended, or the writer has failed and the reader must not wait for it.
    ring.end()
    let read = try result(of: reading, ring, into: &outcome, after: previousRun)
    guard read.broken.isEmpty else { return read.broken }
    if let failure = written.failure { throw failure }
    try conditions.check(
      outcome.tables, recorder.allWarnings, drift: recorder.drift, since: previousRun,
      knownBefore: previous.previousTables, rejects: recorder.allRejects)
    let finishing = recorder.now
    let complete = try written.complete(&outcome)
    recorder.record(.finish, from: finishing)
    progress.begin(.verify)
    try conditions.check(outcome.tables.compactMap(\.imbalanceOfRows))
    let verified = try complete.verify(&outcome.tables)
    outcome.changes = verified.changes
    let excess = review(&outcome, read.samples, after: previousRun, in: previous)
    progress.begin(.publish)
    let start = recorder.now
    defer { recorder.record(.publish, from: start) }
    if let excess {
      let kept = verified.keep()
      outcome.ending = .unpublished(refused: try? kept.get())
      throw excess(kept)
    }
    var bytes: Int?
    defer { if let bytes { outcome.ending = .published(bytes: bytes) } }
    try verified.publish(&bytes) {
      recorder.reportUnusedSuppressions { $0.isStored }
      return recorder.stored(outcome)
    }
    try completePublishing(input, context, outcome)
    return []
  }

  /// Moves away the rejected records of an earlier run if this one, which has published, rejected none, and removes a
  /// refused database.
  private func completePublishing(
    _ input: RowProducer.Input, _ context: RunContext, _ outcome: IngestOutcome
  ) throws(IngestError) {
    if outcome.rejected == 0, let folder = input.rejectsFolder {
      try mapError(
        folder.retire(),
        as: { (error: IngestError) in
          error.afterPublishing(
            undone: "the rejected records of an earlier run could not be moved away",
            "Move \(folder.path) away, or run again.")
        })
    }
    try mapError(
      destination.removeKept(context),
      as: { (error: IngestError) in
        error.afterPublishing(
          undone: "the refused database of an earlier run could not be removed",
          "Remove that file.")
      })
  }

  /// Compares the tables with those of the last accepted night, and reports what is unusual.
  ///
  /// - Returns: The error if more is lost or changed than allowed, which the fate of the refused database completes.
  func review(
    _ outcome: inout IngestOutcome, _ samples: [RowSample], after previous: PreviousRun?,
    in database: any PreviousDatabase
  ) -> ((Result<String, IngestError>?) -> IngestError)? {
    var history = previous?.history ?? History()
    // An earlier version did not record any.
    if outcome.changes != nil, history.baselines.values.allSatisfy(\.isEmpty) {
      history.baselines[.accepted] = database.sampled(
        schema.tables, asOf: history.runs.last?.number ?? 0)
    }
    recorder.accept(history.accepted)
    var review = HistoryReview(
      outcome.tables, samples, of: schema, outcome.changes, after: history,
      catalog: options.output.name)
    outcome.changes = review.changes
    let (losses, changed) = conditions.excesses(outcome.changes)
    review.review(lossesReportedOf: losses.map(\.table))
    outcome.history = review.history
    // Otherwise the comparison has reported that the database cannot be read.
    if let unreadable = previous?.unreadable, outcome.changes != nil {
      recorder.record(.warning(unreadable))
    }
    for warning in review.warnings { recorder.record(.warning(warning)) }
    let known = recorder.allWarnings
    for (table, counts) in zip(schema.tables, outcome.tables) {
      for warning in table.emptyColumnWarnings(counts, except: known) {
        recorder.record(.warning(warning))
      }
    }
    let tables = outcome.tables
    if !losses.isEmpty { return { conditions.shrunk(losses, in: tables, $0) } }
    return changed.isEmpty ? nil : { .catalogChanged(changed, $0) }
  }

  private func warnOfAge(_ tables: [TableCounts]) {
    let now = currentTime().tv_sec
    for warning in [
      conditions.ageWarning(of: tables, at: now), conditions.futureWarning(of: tables, at: now),
    ].compactMap(\.self) {
      recorder.record(.warning(warning))
    }
  }

  /// Checks that rejected records can be kept, and starts the reading thread.
  ///
  /// This comes after locking the output, since the files of a killed run may have to be cleaned up first.
  func startReading(
    _ input: RowProducer.Input
  ) throws(IngestError) -> (Ring, Worker<RowProducer.Reading>) {
    try input.rejectsFolder?.check()
    let ring = Ring(columns: schema.tables.map(\.columns.count).max() ?? 1)
    let worker = try startWorker("reader") { [schema, options, recorder, input] in
      var producer = RowProducer(
        schema, input: input, options: options, ring: ring, recorder: recorder)
      return producer.run()
    }
    return (ring, worker)
  }

  /// Adds the results of the reader to the outcome, and throws its failure.
  func result(
    of reading: Worker<RowProducer.Reading>, _ ring: Ring, into outcome: inout IngestOutcome,
    after previous: PreviousRun?
  ) throws(IngestError) -> RowProducer.Reading {
    let read = reading.result()
    guard read.broken.isEmpty else { return read }
    outcome.tables = read.counts
    for index in read.counts.indices {
      outcome.tables[index].before = previous?.rows(of: read.counts[index].table)
    }
    outcome.rejectsFolder = read.rejectsFolder
    (outcome.readerWaited, outcome.writerWaited) = ring.secondsWaited
    var warnings = [Warning.mixedGenerations(in: read.counts)].compactMap(\.self)
    if read.failures.isEmpty { warnings += read.counts.compactMap(\.absenceWarning) }
    for warning in warnings { recorder.record(.warning(warning)) }
    warnOfAge(read.counts)
    recorder.record(.readingEnded(read.counts))
    if let failure = read.failures.first {
      outcome.failures = Array(read.failures.dropFirst())
      throw failure
    }
    if read.isComplete { try conditions.check(read.counts.flatMap(\.imbalances)) }
    try conditions.checkAge(of: read.counts, since: previous, at: currentTime().tv_sec)
    return read
  }
}
