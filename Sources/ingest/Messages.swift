import IngestReport
import Vocabulary

/// The log of a run: lines on standard error.
struct Log: Sendable {
  enum Format: String, CaseIterable {
    case text, json
  }

  /// The random ID of the run, which each object has; nil for text.
  private let run: String?

  init(_ format: Format) {
    // The lower bound ensures sixteen digits.
    let number = UInt64.random(in: 1 << 60...UInt64.max)
    run = format == .json ? String(number, radix: 16) : nil
  }

  /// Whether the log is for programs, and has only events.
  var isJSON: Bool { run != nil }

  /// Writes an event; waits for a slow reader only if `isPatient`.
  func write(_ event: LogEvent, isPatient: Bool = true) {
    if let run {
      Console.error.write(event.json(of: run) + "\n", ifReady: !isPatient)
    } else {
      Console.error.print([event.text], event.level, ifReady: !isPatient)
    }
  }

  func print(_ lines: [String], _ level: LogEvent.Level) {
    if !isJSON { Console.error.print(lines, level) }
  }
}

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

  /// Shows the end of a run: its summary, or its failures.
  func showEnd(of outcome: IngestOutcome, _ options: IngestOptions, isReportPrinted: Bool) {
    let summary = Summary(outcome: outcome, options: options)
    if outcome.failure != nil {
      showFailure(outcome, summary)
    } else if verbosity >= .normal {
      show(summary, isReportPrinted: isReportPrinted)
    } else {
      if outcome.verdict.state != .clean { showWarnings(outcome, summary) }
      // Even of a clean run: a real run may fail there.
      if options.isDryRun, !options.sqlFiles.isEmpty, options.output.schema == nil {
        let files = options.sqlFiles.joined(separator: ", ")
        log.print(["ingest: not checked in a dry run: custom SQL in \(files)"], .info)
      }
    }
  }

  /// Shows the summary on standard output, and the warnings after its verdict on standard error, so that they are seen
  /// even if results are discarded.
  private func show(_ summary: Summary, isReportPrinted: Bool) {
    // A report on standard output must be the only output there.
    func show(_ lines: [String]) -> Bool {
      guard isReportPrinted else { return Console.output.print(lines) }
      log.print(lines, .info)
      return true
    }
    let isPrinted = show(summary.headline)
    log.print(summary.verdictWarnings, .warning)
    guard !isPrinted || !show(summary.lines(isVerbose: verbosity == .verbose)) else { return }
    let result = summary.options.isDryRun ? "the dry run passed" : "the database was published"
    let message = "\(result), but the summary cannot be written to standard output"
    showFailures([IngestError(.inputOutput, message)])
  }

  private func showWarnings(_ outcome: IngestOutcome, _ summary: Summary) {
    log.print(summary.headline + summary.circumstances + summary.verdictWarnings, .warning)
    showDetails(of: outcome)
    log.print(summary.rejectsKept, .warning)
  }

  private func showFailure(_ outcome: IngestOutcome, _ summary: Summary) {
    func show(block: [String], _ level: LogEvent.Level = .info) {
      if !block.isEmpty { log.print([""] + block, level) }
    }
    log.print(summary.headline, .error)
    showFailures(outcome.failures)
    if verbosity == .quiet { log.print(summary.circumstances, .error) }
    // If the database was published nevertheless.
    log.print(summary.verdictWarnings, .warning)
    if verbosity == .quiet { showDetails(of: outcome) }
    show(block: summary.warningsWithoutVerdict, .warning)
    let isRefused =
      if case .run = outcome.failure?.code { outcome.changes == nil } else { false }
    if outcome.rejected > 0 || (isRefused && verbosity == .quiet) { show(block: summary.counts) }
    show(block: summary.changes)
    show(block: summary.rejectsKept)
  }

  func showFailures(_ errors: [IngestError]) { for error in errors { log.write(LogEvent(error)) } }

  /// Shows why a run is interrupted, without waiting for a slow reader.
  func showInterruption(_ error: IngestError) { log.write(LogEvent(error), isPatient: false) }

  func showStatus(of outcome: IngestOutcome, _ status: ExitStatus, isPatient: Bool = true) {
    guard log.isJSON, verbosity >= .normal || outcome.verdict.state != .clean else { return }
    log.write(LogEvent(endOf: outcome, exitStatus: status.rawValue), isPatient: isPatient)
  }

  /// Shows the details that a normal run shows at once: rejected records and, for programs, warnings.
  private func showDetails(of outcome: IngestOutcome) {
    if !outcome.rejects.isEmpty { log.print([""], .warning) }
    for reject in outcome.rejects { write(.reject(reject)) }
    // An unchanged run has counts, but has not read any records.
    if !outcome.isUnchanged { write(.readingEnded(outcome.tables)) }
    guard log.isJSON else { return }
    for warning in outcome.warnings where warning.code.affectsVerdict { write(.warning(warning)) }
  }

  private func write(_ event: IngestEvent) { for event in LogEvent.all(event) { log.write(event) } }
}
