import Vocabulary
import IngestReport
import Schema

/// The reports of a finished run, and the exit status of the process.
///
/// A failure to write a report changes the status. Metrics are therefore written last, and reports with an outdated
/// status are written again, so that all have the final status.
struct RunReports {
  /// The outcome of the run, with failures after publishing.
  private(set) var outcome: IngestOutcome
  let arguments: Arguments
  let schema: SchemaDescription
  /// The seconds to wait for another run that writes the same report.
  var timeout = ReportFile.timeout
  private(set) var failures: [IngestError] = []

  var status: ExitStatus {
    failures.isEmpty || outcome.failure != nil
      ? ExitStatus(outcome, isDetailed: arguments.hasDetailedStatus) : .inputOutput
  }

  /// Writes all reports; `willPrint` is called before one is printed to standard output, which may block.
  mutating func write(willPrint: (ExitStatus) -> Void = { _ in }) {
    let metrics = arguments.reports.filter { $0.format == .prom }
    let files = arguments.reports.filter { $0.format != .prom } + metrics
    var written: [(file: ReportFile, status: ExitStatus)] = []
    for file in files {
      let status = status
      if isKept(file) || write(file) { written.append((file, status)) }
    }
    if let format = arguments.printedReport {
      willPrint(status)
      print(as: format)
    }
    for (file, writtenStatus) in written where writtenStatus != status { _ = write(file) }
  }

  /// Whether the existing report is kept: the report of the run that made the database has more details.
  private func isKept(_ file: ReportFile) -> Bool {
    outcome.isUnchanged
      && file.isOfCatalog(at: arguments.options.output.name, exitCode: status.rawValue)
  }

  private var facts: ReportFacts {
    ReportFacts(outcome, options: arguments.options, schema: schema, exitCode: status.rawValue)
  }

  private mutating func write(_ file: ReportFile) -> Bool {
    do throws(IngestError) {
      try file.write(facts, timeout: timeout)
      return true
    } catch {
      add(error, file.format == .prom ? "metrics" : "report")
      return false
    }
  }

  private mutating func print(as format: ReportFile.Format) {
    // After a signal, do not wait for a slow reader.
    let isPatient = timeout == ReportFile.timeout
    if !Console.output.write(facts.text(as: format), ifReady: !isPatient) {
      add(IngestError(.inputOutput, "the report cannot be written to standard output."), "report")
    }
  }

  private mutating func add(_ error: IngestError, _ noun: String) {
    if !arguments.options.isDryRun, outcome.bytes != nil {
      let state = outcome.isPublished ? "was published" : "is up to date"
      outcome.failures.append(
        IngestError(
          error.kind, undone: "writing its \(noun) failed",
          "\(error.message) The database \(state)."))
    } else {
      let end = outcome.failure == nil ? " All checks passed." : ""
      failures.append(IngestError(error.kind, error.message + end))
    }
  }
}
