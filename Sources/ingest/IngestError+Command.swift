import Vocabulary
import Text

extension IngestError {
  static func interrupted(by signal: Int32, onServer: Bool) -> IngestError {
    let rest =
      onServer
      ? "the next run removes the data of this one" : "all temporary files were removed"
    return IngestError(
      .interrupted(signal: signal),
      "ended by \(Signals.name(of: signal)). Nothing was published, and \(rest).")
  }

  static func interruptedWhilePrinting(by signal: Int32) -> IngestError {
    IngestError(
      .interrupted(signal: signal),
      "ended by \(Signals.name(of: signal)) while it printed the results of the run")
  }

  static func summaryNotPrinted(isDryRun: Bool) -> IngestError {
    let result = isDryRun ? "the dry run passed" : "the database was published"
    return IngestError(
      .inputOutput, "\(result), but the summary cannot be written to standard output")
  }

  static let reportNotPrinted = IngestError(
    .inputOutput, "the report cannot be written to standard output.")

  static func moreDescriptionFaults(_ count: Int, _ kind: Kind) -> IngestError {
    IngestError(kind, "The description has \(count.grouped) more faults.")
  }
}
