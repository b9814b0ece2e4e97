import SourceFiles
import Facts
import IngestReport
import SQLiteSwiftly
import Schema

/// The reports of a run that is over, and the exit status that the process ends with.
///
/// A report that cannot be written changes the status. So metrics are written last, and what was written with another
/// status is written again: they all have the one that the process ends with.
struct RunReports {
  private let arguments: Arguments
  private let schema: SchemaDescription
  private let timeout: Double
  /// What became of the run; what failed after it has published is among its failures.
  private(set) var outcome: IngestOutcome
  /// Why reports could not be written if nothing was published.
  private(set) var failures: [IngestError] = []

  /// Begins with the outcome of a run; nothing is written yet.
  ///
  /// - Parameters:
  ///   - outcome: what became of it.
  ///   - arguments: which reports are asked for.
  ///   - schema: what the dumps were taken for.
  ///   - timeout: the seconds to wait for another run that writes the same report.
  init(
    of outcome: IngestOutcome, _ arguments: Arguments, _ schema: SchemaDescription,
    timeout: Double = ReportFile.timeout
  ) {
    self.outcome = outcome
    self.arguments = arguments
    self.schema = schema
    self.timeout = timeout
  }

  /// The exit status, so far.
  var status: ExitStatus {
    failures.isEmpty || outcome.failure != nil
      ? ExitStatus(outcome, isDetailed: arguments.hasDetailedStatus) : .inputOutput
  }

  /// Writes all that are asked for.
  ///
  /// - Parameter willPrint: is called with the status before one goes to standard output, whose reader may never
  ///   take it.
  mutating func write(willPrint: (ExitStatus) -> Void = { _ in }) {
    let isMetrics = { (file: ReportFile) in file.format == .prom }
    let files = arguments.reports.filter { !isMetrics($0) } + arguments.reports.filter(isMetrics)
    var written: [(file: ReportFile, status: ExitStatus)] = []
    for file in files {
      let status = status
      if isKept(file) || write(file) { written.append((file, status)) }
    }
    if let format = arguments.printedReport {
      willPrint(status)
      print(as: format)
    }
    for (file, told) in written where told != status { _ = write(file) }
  }

  /// Whether a report is left as it is: that of the run that made the catalogue says more than the catalogue keeps.
  private func isKept(_ file: ReportFile) -> Bool {
    outcome.unchanged != nil
      && file.isOfCatalog(at: arguments.options.output, exitCode: status.rawValue)
  }

  private var facts: ReportFacts {
    ReportFacts(
      outcome, options: arguments.options, schema: schema, exitCode: status.rawValue,
      toolVersion: toolVersion)
  }

  /// Writes a file, and returns whether it has.
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
    let text = facts.text(as: format)
    // Whoever ended the run does not wait for a reader.
    let isPatient = timeout == ReportFile.timeout
    if !(isPatient ? Console.output.write(text) : Console.output.writeIfReady(text)) {
      add(IngestError(.inputOutput, "standard output did not take the report."), "report")
    }
  }

  /// Adds what went wrong with a report to what the run came to.
  private mutating func add(_ error: IngestError, _ noun: String) {
    if !arguments.options.isDryRun, outcome.isPublished || outcome.unchanged != nil {
      let state = outcome.isPublished ? "published" : "up to date"
      outcome.add(
        IngestError(
          error.kind, undone: "writing its \(noun) failed",
          "\(error.message) The catalogue is \(state) all the same."))
    } else {
      let end = outcome.failure == nil ? " All was checked all the same." : ""
      failures.append(IngestError(error.kind, error.message + end))
    }
  }
}
