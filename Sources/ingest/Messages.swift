import Vocabulary
import IngestReport

final class Messages: Sendable {
  private let verbosity: Arguments.Verbosity
  private let log: Log

  init(_ verbosity: Arguments.Verbosity, _ log: Log = Log(.text)) {
    self.verbosity = verbosity
    self.log = log
  }

  /// Shows an event; each line is written in one call, so lines of several threads do not mix.
  ///
  /// A quiet run prints warnings only at its end, with the verdict.
  func show(_ event: IngestEvent) {
    let isShown =
      switch event {
      case .reject, .readingEnded: verbosity != .quiet
      // People see the warnings of the verdict at the end.
      case .warning(let warning):
        verbosity >= (log.isJSON || !warning.code.affectsVerdict ? .normal : .verbose)
      case .waiting, .distributed: verbosity >= .normal
      case .changed, .tableWritten, .stageEnded: verbosity == .verbose
      }
    if isShown { write(event) }
  }

  /// Shows the end of a run, except for the parts in the summary.
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
    log.print(verdict.headline + verdict.circumstances + verdict.verdictWarnings, .warning)
    showDetails(of: outcome)
    log.print(verdict.rejectsKept, .warning)
  }

  func showVerdictWarnings(_ outcome: IngestOutcome, _ options: IngestOptions) {
    log.print(VerdictText(outcome: outcome, options: options).verdictWarnings, .warning)
  }

  private func showFailure(_ outcome: IngestOutcome, _ options: IngestOptions) {
    let verdict = VerdictText(outcome: outcome, options: options)
    log.print(verdict.headline, .error)
    showFailures(outcome.failures)
    if verbosity == .quiet { log.print(verdict.circumstances, .error) }
    // If the database was published nevertheless.
    showVerdictWarnings(outcome, options)
    if verbosity == .quiet { showDetails(of: outcome) }
    show(block: verdict.warningsWithoutVerdict, .warning)
    let isRefused =
      if case .run = outcome.failure?.code { outcome.changes == nil } else { false }
    if outcome.rejected > 0 || (isRefused && verbosity == .quiet) {
      show(block: countsTable(outcome.tables, isPublished: outcome.isPublished), .info)
    }
    show(block: verdict.changes, .info)
    show(block: verdict.rejectsKept, .info)
  }

  /// Shows the checks that a clean, quiet dry run skipped: a real run may fail there.
  private func showUnchecked(_ options: IngestOptions) {
    guard options.isDryRun, !options.sqlFiles.isEmpty, options.server == nil else { return }
    let files = options.sqlFiles.joined(separator: ", ")
    log.print(["ingest: not checked in a dry run: custom SQL in \(files)"], .info)
  }

  private func show(block: [String], _ level: LogEvent.Level) {
    if !block.isEmpty { log.print([""] + block, level) }
  }

  func showFailures(_ errors: [IngestError]) {
    for error in errors { log.write(LogEvent(error)) }
  }

  /// Shows why a run is interrupted, without waiting for a slow reader.
  func showInterruption(_ error: IngestError) { log.write(LogEvent(error), isPatient: false) }

  func showStatus(
    of outcome: IngestOutcome, _ options: IngestOptions, _ status: ExitStatus,
    isPatient: Bool = true
  ) {
    guard log.isJSON, verbosity >= .normal || outcome.verdict != .clean else { return }
    log.write(
      LogEvent(endOf: outcome, options, exitStatus: status.rawValue), isPatient: isPatient)
  }

  /// Shows the details that a normal run shows at once: rejected records and, for programs, warnings.
  private func showDetails(of outcome: IngestOutcome) {
    if !outcome.rejects.isEmpty { log.print([""], .warning) }
    for reject in outcome.rejects { write(.reject(reject)) }
    // An unchanged run has counts, but has not read any records.
    if outcome.unchanged == nil { write(.readingEnded(outcome.tables)) }
    guard log.isJSON else { return }
    for warning in outcome.warnings where warning.code.affectsVerdict { write(.warning(warning)) }
  }

  private func write(_ event: IngestEvent) {
    for event in LogEvent.all(event) { log.write(event) }
  }
}
