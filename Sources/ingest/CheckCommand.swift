import Inspection
import Facts
import IngestReport
import SQLiteSwiftly
import Schema

/// `ingest check FILE`: looks for faults in a catalog.
struct CheckCommand {
  let path: String
  let verbosity: Arguments.Verbosity

  func run(_ schema: SchemaDescription) throws(IngestError) -> ExitStatus {
    let outcome = try CatalogCheck(path, schema: schema).run()
    guard Console.output.print(verbosity == .quiet ? faultLines(outcome) : allLines(outcome)) else {
      Console.error.print(["ingest: standard output did not take what was found"])
      return .inputOutput
    }
    return outcome.faults == 0 ? .published : .data
  }

  private func faultLines(_ outcome: CatalogCheck.Outcome) -> [String] {
    outcome.findings.flatMap { finding in
      finding.faults.map { "\(path): \(finding.subject.rawValue): \($0)" }
    }
  }

  private func allLines(_ outcome: CatalogCheck.Outcome) -> [String] {
    let findings = outcome.findings.flatMap { finding -> [String] in
      let count = finding.faults.count
      let result = count == 0 ? "ok" : "\(count.grouped) fault\(count == 1 ? "" : "s")"
      return ["\(finding.subject.rawValue): \(result)"] + finding.faults.map { "  \($0)" }
    }
    let additions = outcome.additions.map { "added by somebody: \($0)" }
    let notChecked = outcome.notChecked.map {
      "not checked, since an older ingest made the catalog without it: \($0)"
    }
    let verdict =
      outcome.faults == 0
      ? "sound"
      : "not sound: load the catalog again, or fetch it from a backup, and check the disk and the "
        + "memory of this machine"
    return ["\(path): \(outcome.summary)"] + findings + additions
      + notChecked + ["\(path): \(verdict)"]
  }
}
