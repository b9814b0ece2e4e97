import Validation
import PostgreSQLDestination
import Inspection
import SQLiteDestination
import Quarantine
import SourceFiles
package import Facts
import Threads
import Files
import Glibc
import SQLiteSwiftly
package import Schema

/// One run: a folder of dumps becomes one SQLite file, or nothing happens to it.
package struct IngestRun: Sendable {
  let schema: SchemaDescription
  let options: IngestOptions
  let recorder: RunRecorder
  let patience: Patience
  let gate = Gate()
  /// What was at the output before.
  private let found: OldOutput.Look

  /// What was noticed before the run.
  private let notices: [Notice]

  /// Prepares a run; `report` is called from both of its threads.
  package init(
    _ schema: SchemaDescription, options: IngestOptions, notices: [Notice] = [],
    report: @escaping @Sendable (IngestEvent) -> Void
  ) {
    self.schema = schema
    self.options = options
    self.notices = notices
    let recorder = RunRecorder(report)
    self.recorder = recorder
    patience = Patience { recorder.record(.waiting($0)) }
    found = OldOutput.Look(at: options.output)
  }

  /// How far it is.
  package var progress: RunProgress { recorder.progress }

  /// Reads, writes, verifies and publishes.
  ///
  /// The dumps are read on a thread of their own, the file is written on the caller's.
  ///
  /// - Returns: The outcome. With a failure, what was at the output is still there, untouched; only
  ///   if the failure has something `undone` is the new file in its place.
  package func run() -> IngestOutcome {
    var report = IngestOutcome()
    do throws(IngestError) {
      try run(into: &report)
    } catch {
      report.failure = error
    }
    gate.pass { $0.end() }
    finish(&report)
    return report
  }

  /// Ends a run that cannot begin, since its dumps are described wrongly.
  ///
  /// - Parameter failures: what is wrong.
  /// - Returns: The outcome, for the reports that were asked for.
  package func refuse(_ failures: [IngestError]) -> IngestOutcome {
    var report = IngestOutcome()
    report.failure = failures.first
    report.furtherFailures = Array(failures.dropFirst())
    gate.pass { $0.end() }
    finish(&report)
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
    finish(&report)
    return report
  }

  private func finish(_ report: inout IngestOutcome) {
    recorder.finish(&report)
    report.waitedForOthers = patience.seconds
    report.seconds -= report.waitedForOthers
    guard report.failure != nil, !report.isPublished, !options.isDryRun, options.server == nil
    else { return }
    report.oldOutput = OldOutput(before: found, after: OldOutput.Look(at: options.output))
  }

  private func run(into report: inout IngestOutcome) throws(IngestError) {
    try Result { () throws(SQLiteError) in
      try schema.validate()
      try schema.validateReferences()
    }.mapError { IngestError($0, writing: options.output) }.get()
    try Provenance.check(schema)
    SQLiteLibrary.disableMemoryStatistics()
    let sqlFiles = try SQLFile.read(options.sqlFiles)
    if let path = options.acceptFile {
      recorder.accept(try AcceptedNotices(readingFrom: path))
    }
    report.sqlFiles = sqlFiles.map { SQLAccount(file: $0.path) }
    let folder = try DumpFolder(
      pinnedPath(options.source), sources: schema.sources, allowedMissing: options.allowedMissing)
    notices.forEach { recorder.record(.notice($0)) }
    folder.unknownFileNotices(schema).forEach { recorder.record(.notice($0)) }
    var input = DumpsReader.Input(folder: folder)
    input.repairs = try options.repairsFolder.map { (path) throws(IngestError) in
      try RepairsFolder(path, schema, recordLimit: options.recordLimit)
    }
    input.rejectsFolder = rejectsFolder
    try input.rejectsFolder?.check(source: options.source)
    try checkWrittenRepairs()
    if skips(input, sqlFiles, &report) {
      return recorder.tellUnusedAcceptances { _ in true }
    }
    if options.isDryRun {
      try check(input, into: &report)
    } else {
      try load(input, sqlFiles, &report)
    }
    recorder.tellUnusedAcceptances { !options.isDryRun || $0.isOfDumps }
  }

  /// Loads into a file, or into a schema.
  private func load(
    _ input: DumpsReader.Input, _ sqlFiles: [SQLFile], _ report: inout IngestOutcome
  ) throws(IngestError) {
    #if PostgreSQL
      if let server = options.server {
        let schema = try SchemaDestination(
          schema, in: server, options, gate: gate, recorder: recorder)
        return try load(input, sqlFiles, into: schema, &report)
      }
    #endif
    let file = try FileDestination(
      schema, options, gate: gate, patience: patience, recorder: recorder)
    try load(input, sqlFiles, into: file, &report)
  }

  /// Whether there is nothing to do, which is also said in the report.
  private func skips(
    _ input: DumpsReader.Input, _ sqlFiles: [SQLFile], _ report: inout IngestOutcome
  ) -> Bool {
    guard options.skipsUnchanged,
      !options.isStrict || recorder.drift.isEmpty
    else { return false }
    let check = UnchangedCheck(
      schema: schema, options: options, sqlFiles: sqlFiles, accepted: recorder.acceptedNotices,
      folder: input.folder, repairs: input.repairs)
    switch check.result() {
    case .success(let found):
      report.unchanged = found.catalog
      report.tables = found.verdict.tables
      report.rejectsFolder = found.rejectsFolder
      found.editedRejects.forEach { recorder.record(.notice(.editedRejects(keptAs: $0))) }
      recorder.repeatNotices(of: found.verdict)
      return true
    case .failure(let reason):
      recorder.record(.changed(reason.words))
      return false
    }
  }

  var conditions: PublishingConditions {
    PublishingConditions(schema: schema, options: options)
  }

  /// Where rejected records are kept; a dry run keeps them only where that is asked for.
  var rejectsFolder: RejectsFolder? {
    guard !options.isDryRun || options.rejectsFolder != nil else { return nil }
    return RejectsFolder(
      options.rejectsFolder ?? options.defaultRejectsFolder, sources: schema.sources,
      replaying: options.replayedFolder, gate: gate)
  }

  /// Makes sure that rejected records can be kept, and reads what is known of those that are replayed:
  /// only now, since what a killed run has left may first have to be put in order.
  func prepared(
    _ input: DumpsReader.Input
  ) throws(IngestError) -> DumpsReader.Input {
    var input = input
    try input.rejectsFolder?.check()
    if let path = options.replayedFolder {
      let replayed = try ReplayedRejects(path)
      try replayed.check(input.folder.files, of: schema.sources)
      input.replayed = replayed
    }
    return input
  }

  /// Reads, writes, verifies and publishes.
  private func load<Catalog: Destination & ~Copyable>(
    _ input: DumpsReader.Input, _ sqlFiles: [SQLFile], into catalog: consuming Catalog,
    _ report: inout IngestOutcome
  ) throws(IngestError) {
    // A run that was waited for may have loaded the same.
    if patience.seconds > 0, skips(input, sqlFiles, &report) { return }
    let input = try prepared(input)
    let ring = Ring(columns: schema.tables.map(\.columns.count).max() ?? 1)
    let reading = try startReading(input, ring)
    let written: Result<Void, IngestError>
    do throws(IngestError) {
      written = .success(try catalog.write(from: ring, waited: &report.writerWaited))
    } catch {
      written = .failure(error)
    }
    // Either the reader has ended by now, or the writer has failed and the reader must not wait.
    ring.free.close()
    ring.filled.close()
    let repaired = try take(reading, into: &report)
    try written.get()
    try conditions.check(report.tables, recorder.noticed, drift: recorder.drift)
    let finishing = recorder.now
    try catalog.complete(&report, running: sqlFiles)
    recorder.record(.finish, from: finishing)
    progress.begin(.verify)
    try conditions.check(report.tables.compactMap(\.imbalanceOfRows))
    report.changes = try catalog.verify(&report.tables)
    let losses = conditions.losses(report.changes)
    noteWhatIsLess(report, besides: losses.map(\.table))
    progress.begin(.publish)
    let start = recorder.now
    defer { recorder.record(.publish, from: start) }
    guard losses.isEmpty else {
      let kept = catalog.keep()
      report.keptCandidate = try? kept.get()
      let absent = report.tables.filter { $0.file == nil }.map(\.table)
      throw conditions.shrunk(losses, absent: absent, kept)
    }
    let tables = report.tables
    try catalog.publish(&report.outputBytes) {
      recorder.tellUnusedAcceptances { $0 != .rejectsEdited }
      return recorder.verdict(tables)
    }
    try completePublishing(input, repaired, &report)
  }

  /// Notes which tables have lost many rows, and which columns have no values.
  func noteWhatIsLess(_ report: IngestOutcome, besides told: [String]) {
    let absent = report.tables.filter { $0.file == nil && !$0.isOptional }.map(\.table)
    let losses = report.changes?.rowLosses(of: options.output, besides: told + absent) ?? []
    let known = recorder.noticed
    let empty = zip(schema.tables, report.tables).flatMap {
      $0.emptyColumnNotices($1, besides: known)
    }
    for notice in losses + empty { recorder.record(.notice(notice)) }
  }

  func startReading(
    _ input: DumpsReader.Input, _ ring: Ring
  ) throws(IngestError) -> Worker<DumpsReader.Reading> {
    try startWorker("reader") { [schema, options, recorder] in
      var reader = DumpsReader(
        schema, input: input, options: options, ring: ring, recorder: recorder)
      return reader.run()
    }
  }

  /// Takes over what the reader found, and throws what it failed with.
  ///
  /// - Returns: What was repaired in a replay, if it is to be written.
  func take(
    _ reading: Worker<DumpsReader.Reading>, into report: inout IngestOutcome
  ) throws(IngestError) -> [WrittenRepairs] {
    let read = reading.result()
    report.tables = read.accounts
    report.rejectsFolder = read.rejectsFolder
    report.readerWaited = read.waited
    var notices = [Notice.mixedGenerations(in: read.accounts)].compactMap(\.self)
    if read.failures.isEmpty { notices += read.accounts.compactMap(\.absenceNotice) }
    if read.isComplete, let notice = report.leftOutNotice(replaying: options.replayedFolder) {
      notices.append(notice)
    }
    for notice in notices { recorder.record(.notice(notice)) }
    recorder.record(.readingEnded(read.accounts))
    if let failure = read.failures.first {
      report.furtherFailures = Array(read.failures.dropFirst())
      throw failure
    }
    if read.isComplete { try conditions.check(read.accounts.flatMap(\.imbalances)) }
    return read.written
  }
}
