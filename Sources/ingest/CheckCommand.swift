import Inspection
import Facts
import Schema

/// `ingest check FILE`: checks the integrity of a database.
struct CheckCommand {
  let path: String
  let verbosity: Arguments.Verbosity

  func run(_ schema: SchemaDescription) throws(IngestError) -> ExitStatus {
    let outcome = try CatalogCheck(path, schema: schema).run()
    guard Console.output.print(verbosity == .quiet ? faultLines(outcome) : allLines(outcome)) else {
      Console.error.print(["ingest: cannot write the results to standard output"])
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
    let additions = outcome.additions.map { "added by another program: \($0)" }
    let notChecked = outcome.notChecked.map {
      "not checked, because an older ingest made the database without it: \($0)"
    }
    let verdict =
      outcome.faults == 0
      ? "no faults found"
      : "faults found: load the database again or restore a backup, and check this machine's disk and memory"
    return ["\(path): \(outcome.summary)"] + findings + additions
      + notChecked + ["\(path): \(verdict)"]
  }
}
