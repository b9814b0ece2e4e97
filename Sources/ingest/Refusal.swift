import Quarantine
import Validation
import Facts
import DataPackage
import Files
import Glibc
import Run
import IngestReport
import SQLiteSwiftly
import Schema

/// The end of a command whose dumps are described wrongly: no dump is read then.
struct Refusal {
  let error: DataPackageError
  private var faults: [DescriptionFault] { error.faults }
  private var unlisted: Int { error.unlisted }

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
    let run = IngestRun(schema, into: arguments.destination, options: arguments.options) { _ in }
    var reports = RunReports(
      outcome: run.refuse(failures), arguments: arguments, schema: schema)
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
    guard faults.contains(where: { $0.code == .descriptionUnreadable }) else { return .data }
    // One that is too large is no fault of the machine's.
    guard let code = error.cause?.code, code != EFBIG else { return .inputMissing }
    return .of(code, otherwise: .inputMissing)
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
