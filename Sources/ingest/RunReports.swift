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
  /// What became of the run; what failed after it has published is among its failures.
  private(set) var outcome: IngestOutcome
  let arguments: Arguments
  let schema: SchemaDescription
  /// The seconds to wait for another run that writes the same report.
  var timeout = ReportFile.timeout
  /// Why reports could not be written if nothing was published.
  private(set) var failures: [IngestError] = []

  var status: ExitStatus {
    failures.isEmpty || outcome.failure != nil
      ? ExitStatus(outcome, isDetailed: arguments.hasDetailedStatus) : .inputOutput
  }

  /// Writes all that are asked for; `willPrint` is called before one goes to standard output, whose reader
  /// may never take it.
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

  /// Whether a report is left as it is: that of the run that made the catalog says more than the catalog keeps.
  private func isKept(_ file: ReportFile) -> Bool {
    outcome.unchanged != nil
      && file.isOfCatalog(at: arguments.options.output, exitCode: status.rawValue)
  }

  private var facts: ReportFacts {
    ReportFacts(
      outcome, options: arguments.options, schema: schema, exitCode: status.rawValue,
      toolVersion: toolVersion)
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
    let text = facts.text(as: format)
    // Whoever ended the run does not wait for a reader.
    let isPatient = timeout == ReportFile.timeout
    if !Console.output.write(text, ifReady: !isPatient) {
      add(IngestError(.inputOutput, "standard output did not take the report."), "report")
    }
  }

  private mutating func add(_ error: IngestError, _ noun: String) {
    if !arguments.options.isDryRun, outcome.isPublished || outcome.unchanged != nil {
      let state = outcome.isPublished ? "published" : "up to date"
      outcome.add(
        IngestError(
          error.kind, undone: "writing its \(noun) failed",
          "\(error.message) The catalog is \(state) all the same."))
    } else {
      let end = outcome.failure == nil ? " All was checked all the same." : ""
      failures.append(IngestError(error.kind, error.message + end))
    }
  }
}
