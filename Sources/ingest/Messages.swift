import Facts
import IngestReport

/// What goes to standard error while a run goes on, and after it.
final class Messages: Sendable {
  private let verbosity: Arguments.Verbosity
  private let log: Log

  init(_ verbosity: Arguments.Verbosity, _ log: Log = Log(.text)) {
    self.verbosity = verbosity
    self.log = log
  }

  /// Shows an event; one call writes a whole line, so threads do not mix theirs.
  ///
  /// A quiet run does not know yet whether it has anything to say.
  func show(_ event: IngestEvent) {
    let isTold =
      switch event {
      case .reject, .readingEnded: verbosity != .quiet
      // What asks for attention people are told with the verdict.
      case .warning(let warning):
        verbosity >= (log.isJSON || !warning.code.affectsVerdict ? .normal : .verbose)
      case .waiting: verbosity >= .normal
      case .changed, .tableWritten, .stageEnded: verbosity == .verbose
      }
    if isTold { tell(event) }
  }

  /// Shows what became of a run that is over, so far as the summary does not.
  func showEnd(of outcome: IngestOutcome, _ options: IngestOptions) {
    if outcome.failure != nil {
      showFailure(outcome, options)
    } else if verbosity == .quiet {
      if outcome.verdict != .clean { showWarnings(outcome, options) }
      showUnchecked(options)
    }
  }

  private func showWarnings(_ outcome: IngestOutcome, _ options: IngestOptions) {
    let verdict = VerdictText(outcome: outcome, options: options)
    log.tell(verdict.headline + verdict.verdictWarnings, .warning)
    tellDetails(of: outcome)
    log.tell(verdict.rejectsKept, .warning)
  }

  func showVerdictWarnings(_ outcome: IngestOutcome, _ options: IngestOptions) {
    log.tell(VerdictText(outcome: outcome, options: options).verdictWarnings, .warning)
  }

  private func showFailure(_ outcome: IngestOutcome, _ options: IngestOptions) {
    let verdict = VerdictText(outcome: outcome, options: options)
    log.tell(verdict.headline, .error)
    showFailures(outcome.failures)
    // Of a catalog that is published all the same.
    showVerdictWarnings(outcome, options)
    if verbosity == .quiet { tellDetails(of: outcome) }
    tell(block: verdict.noticed, .warning)
    if outcome.rejected > 0 {
      tell(block: accountTable(outcome.tables, isPublished: outcome.isPublished), .info)
    }
    tell(block: verdict.changes, .info)
    tell(block: verdict.rejectsKept, .info)
  }

  /// Shows what a quiet dry run that found nothing has not looked at: the run may fail there.
  private func showUnchecked(_ options: IngestOptions) {
    guard options.isDryRun, !options.sqlFiles.isEmpty else { return }
    let files = options.sqlFiles.joined(separator: ", ")
    log.tell(["ingest: not checked in a dry run: whether \(files) runs"], .info)
  }

  private func tell(block: [String], _ level: LogEvent.Level) {
    if !block.isEmpty { log.tell([""] + block, level) }
  }

  func showFailures(_ errors: [IngestError]) {
    for error in errors { log.tell(LogEvent(error)) }
  }

  /// Shows why a run is ended by somebody who does not wait for a reader.
  func showInterruption(_ error: IngestError) { log.tell(LogEvent(error), isPatient: false) }

  func showStatus(
    of outcome: IngestOutcome, _ options: IngestOptions, _ status: ExitStatus,
    isPatient: Bool = true
  ) {
    guard log.isJSON, verbosity >= .normal || outcome.verdict != .clean else { return }
    log.tell(
      LogEvent(endOf: outcome, options, exitStatus: status.rawValue), isPatient: isPatient)
  }

  /// What a run that is not quiet tells at once: the rejects, and programs also the warnings.
  private func tellDetails(of outcome: IngestOutcome) {
    if !outcome.rejects.isEmpty { log.tell([""], .warning) }
    for reject in outcome.rejects { tell(.reject(reject)) }
    // An unchanged run knows how many there were, and has read none.
    if outcome.unchanged == nil { tell(.readingEnded(outcome.tables)) }
    guard log.isJSON else { return }
    for warning in outcome.warnings where warning.code.affectsVerdict { tell(.warning(warning)) }
  }

  private func tell(_ event: IngestEvent) {
    for event in LogEvent.all(event) { log.tell(event) }
  }
}
