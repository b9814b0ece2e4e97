import DataPackage
import IngestPipeline
import IngestReport
import SQLiteSwiftly

/// The end of a command whose dumps are described wrongly: no dump is read then.
struct Refusal {
  private let faults: [DescriptionFault]
  /// How many more faults there are.
  private let unlisted: Int

  init(_ faults: [DescriptionFault], unlisted: Int = 0) {
    self.faults = faults
    self.unlisted = unlisted
  }

  /// Ends a command whose options may name tables that nobody knows.
  func end(_ words: [String]) -> ExitStatus {
    let arguments = try? Arguments(words, tables: [])
    guard let arguments, arguments.task == .load || arguments.task == .replay else {
      tell(Log(.text))
      return status
    }
    return end(arguments)
  }

  /// Ends a run, and writes the reports that are asked for: whoever watches the job reads nothing else.
  private func end(_ arguments: Arguments) -> ExitStatus {
    let log = Log(arguments.logFormat)
    tell(log)
    let messages = Messages(arguments.verbosity, log)
    for file in arguments.reports {
      do throws(IngestError) {
        try file.prepare()
      } catch {
        messages.showFailures([error])
        return status
      }
    }
    // Nothing is known of the tables.
    let schema = SchemaDescription(tables: [], applicationID: 0, version: 0)
    let run = IngestRun(schema, options: arguments.options) { _ in }
    var reports = RunReports(of: run.refuse(failures), arguments, schema)
    reports.write()
    messages.showFailures(reports.failures)
    messages.showStatus(of: reports.outcome, arguments.options, reports.status)
    return reports.status
  }

  private func tell(_ log: Log) { log.tell(lines, .error) }

  private var lines: [String] {
    let more = unlisted > 0 ? ["and \(unlisted.grouped) more"] : []
    let isUnsupported = faults.contains { $0.code == .featureUnsupported }
    let advice =
      isUnsupported ? "; --ignore-unsupported passes over what is not supported" : ""
    return faults.map(\.message) + more + ["The description is not used\(advice)."]
  }

  private var status: ExitStatus { ExitStatus(kind) }

  private var kind: IngestError.Kind {
    faults.contains { $0.code == .descriptionUnreadable } ? .inputMissing : .data
  }

  private var failures: [IngestError] {
    var failures = faults.map { fault in
      IngestError(kind, descriptionCode: fault.code.rawValue, fault.messageWithoutCode)
    }
    if unlisted > 0 {
      failures.append(IngestError(kind, "The description has \(unlisted.grouped) more faults."))
    }
    return failures
  }
}
