import SQLiteDestination
import Vocabulary
import PostgreSQLDestination
import Schema
import Text

/// `ingest check FILE`: checks the integrity of a database.
struct CheckCommand {
  let database: DatabaseOperand
  let verbosity: Arguments.Verbosity

  func run(_ schema: SchemaDescription) throws(IngestError) -> ExitStatus {
    let outcome = try outcome(schema)
    let status = Console.printResults(verbosity == .quiet ? faultLines(outcome) : allLines(outcome))
    return status == .published && outcome.faults > 0 ? .data : status
  }

  private var path: String { database.words }

  private func outcome(_ schema: SchemaDescription) throws(IngestError) -> DatabaseCheck.Outcome {
    switch database {
    case .file(let path): return try DatabaseCheck(path, schema: schema).run()
    case .schema(let server):
      #if PostgreSQL
        return try SchemaCheck(PublishedSchema(server), schema).run()
      #else
        preconditionFailure("\(server.name) is on a server")
      #endif
    }
  }

  private func faultLines(_ outcome: DatabaseCheck.Outcome) -> [String] {
    outcome.findings.flatMap { finding in
      grouped(finding.faults).map { "\(path): \(finding.subject.rawValue): \($0)" }
    }
  }

  private static let examples = 3

  /// The faults, with only a few examples of those that differ in numbers and texts alone.
  private func grouped(_ faults: [String]) -> [String] {
    let groups = Dictionary(grouping: faults.enumerated()) { Self.form(of: $0.element) }.values
    return groups.sorted { $0[0].offset < $1[0].offset }.flatMap { group -> [String] in
      let faults = group.map(\.element)
      let others = faults.count - Self.examples
      guard others > 1 else { return faults }
      return faults.prefix(Self.examples) + ["and \(others.grouped) more of this kind"]
    }
  }

  /// A fault without its numbers and texts.
  private static func form(of fault: String) -> String {
    var form = ""
    var isQuoted = false
    for scalar in fault.unicodeScalars {
      if scalar == "'" {
        isQuoted.toggle()
      } else if !isQuoted, !"-0123456789".unicodeScalars.contains(scalar) {
        form.unicodeScalars.append(scalar)
      }
    }
    return form
  }

  private func allLines(_ outcome: DatabaseCheck.Outcome) -> [String] {
    let findings = outcome.findings.flatMap { finding -> [String] in
      let count = finding.faults.count
      let result = count == 0 ? "ok" : count.of("fault")
      return ["\(finding.subject.rawValue): \(result)"] + grouped(finding.faults).map { "  \($0)" }
    }
    let additions = outcome.additions.map { "added by another program: \($0)" }
    let notChecked = outcome.notChecked.map {
      "not checked, because an older ingest made the database without it: \($0)"
    }
    let computed = outcome.computed.map {
      "not checked, because SQLite would compute expressions of the database: \($0)"
    }
    let verdict =
      outcome.faults == 0
      ? "no faults found"
      : "faults found: load the database again or restore a backup, and check the disk and memory of its machine"
    return ["\(path): \(outcome.summary)"] + findings + additions
      + notChecked + computed + ["\(path): \(verdict)"]
  }
}
