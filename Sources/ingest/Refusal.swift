import Vocabulary
import DataPackage
import Platform
import Glibc
import Run
import IngestReport
import Schema
import Text

/// Ends a command with an invalid description; no source file is read.
struct Refusal {
  let error: DataPackageError
  private var faults: [DescriptionFault] { error.faults }

  /// Ends a command; table names in its options cannot be checked.
  func end(_ words: CommandWords) -> ExitStatus {
    let arguments = try? Arguments(words, tables: [])
    guard let arguments, arguments.task == .load else {
      printFaults(to: Log(.text))
      return status
    }
    return end(arguments)
  }

  /// Ends a run and writes its reports, which monitoring may depend on.
  private func end(_ arguments: Arguments) -> ExitStatus {
    let log = Log(arguments.logFormat)
    printFaults(to: log)
    let messages = Messages(arguments.verbosity, log)
    for file in arguments.reports {
      do throws(IngestError) {
        try file.prepare()
      } catch {
        messages.showFailures([error])
        return status
      }
    }
    // The tables are unknown.
    let schema = SchemaDescription(tables: [], applicationID: 0, version: 0)
    let run = IngestRun(schema, into: arguments.destination, options: arguments.options) { _ in }
    var reports = RunReports(outcome: run.refuse(failures), arguments: arguments, schema: schema)
    reports.write()
    messages.showFailures(reports.failures)
    messages.showStatus(of: reports.outcome, reports.status)
    return reports.status
  }

  private func printFaults(to log: Log) { log.print(lines, .error) }

  private var lines: [String] {
    let more = error.unlisted > 0 ? ["and \(error.unlisted.grouped) more"] : []
    let codes = Set(faults.map(\.code))
    let advice =
      codes.contains(.featureUnsupported)
      ? "; --ignore-unsupported ignores unsupported features"
      : codes.contains(.propertyMisspelt) ? "; --ignore-unsupported ignores unknown properties" : ""
    return faults.map(\.message) + more + ["The description is invalid\(advice)."]
  }

  private var status: ExitStatus { ExitStatus(kind) }

  private var kind: IngestError.Kind {
    guard faults.contains(where: { $0.code == .descriptionUnreadable }) else { return .data }
    // A file that is too large is not a failure of the machine.
    guard let code = error.cause?.code, code != EFBIG else { return .inputMissing }
    return .of(code, otherwise: .inputMissing)
  }

  private var failures: [IngestError] {
    var failures = faults.map { fault in
      IngestError(kind, code: .description(fault.code.rawValue), fault.messageWithoutCode)
    }
    if error.unlisted > 0 {
      let message = "The description has \(error.unlisted.grouped) more faults."
      failures.append(IngestError(kind, message))
    }
    return failures
  }
}
