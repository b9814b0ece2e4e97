import Quarantine
package import Vocabulary
import Platform
import Glibc
package import Schema
import SQLiteSwiftly
import Text

package struct ReportFacts: Sendable {
  package let outcome: IngestOutcome
  package let options: IngestOptions
  package let schema: SchemaDescription
  package let exitCode: Int32
  package let toolVersion: String
  package let host: String
  /// When the run ended, in seconds since 1970 in UTC.
  package let time: Int

  /// Collects the facts of a run; by default the run ended now.
  package init(
    _ outcome: IngestOutcome, options: IngestOptions, schema: SchemaDescription, exitCode: Int32,
    toolVersion: String = Vocabulary.toolVersion, time: Int = Glibc.time(nil),
    host: String = hostName() ?? "unknown"
  ) {
    self.outcome = outcome
    self.options = options
    self.schema = schema
    self.exitCode = exitCode
    self.toolVersion = toolVersion
    self.time = time
    self.host = host
  }

  /// The ending as programs see it.
  var outcomeName: String {
    let rejects = outcome.rejected > 0 ? "_with_rejects" : ""
    return switch outcome.ending {
    case .published: "published\(rejects)"
    case .unchanged: "unchanged"
    case .checked: outcome.failure == nil ? "dry_run_passed\(rejects)" : "dry_run_failed"
    case .unpublished: outcome.verdict.state == .unknown ? "unknown" : "not_published"
    }
  }

  /// Whether the rows were counted in a finished database; false for a dry run, or a run that failed earlier.
  var isCounted: Bool {
    switch outcome.ending {
    case .published, .unpublished(refused: _?): true
    case .unchanged, .checked, .unpublished(refused: nil):
      outcome.tables.contains { $0.inserted > 0 }
    }
  }

  var unreadTables: [String] {
    let reached = Set(outcome.tables.map(\.table))
    return schema.tables.map(\.name).filter { !reached.contains($0) }
  }

  /// The rejected records of one table with the same first reason.
  typealias RejectGroup = (table: String, code: RecordCode, total: Int, samples: [Reject])

  /// All rejected records by table, in reading order, and by code.
  var rejectGroups: [RejectGroup] {
    outcome.tables.flatMap { counts in
      counts.rejectedCodes.map { code, total in
        let samples = outcome.rejects.filter {
          $0.table == counts.table && $0.reasons.first?.code == code
        }
        return (counts.table, code, total, samples)
      }
    }
  }
}

extension IngestOutcome {
  /// What to do first after a failure or with warnings, as a sentence; nil if nothing is to be done or a message states it.
  ///
  /// It names the columns, tables or files that it is about, and their folders.
  package func firstStep(_ options: IngestOptions) -> String? {
    let code = failure == nil ? verdict.warnings.first?.code : failure?.code?.name
    let general = code.flatMap { CodeExplanation(of: $0)?.firstStep }
    guard let step = failure?.firstStep ?? general else { return nil }
    let isOfRejects = failure?.code == .run(.rejectsOverLimit)
    let reject = rejects.first { isOfRejects || $0.reasons[0].code.rawValue == code }
    let column = reject.map { $0.table + ($0.reasons[0].column.map { ".\($0)" } ?? "") }
    let noted =
      failure == nil ? verdict.warnings.first?.warnings : warnings.filter(\.code.isOfChange)
    let names =
      [column].compactMap(\.self) + (noted ?? []).filter { $0.table != nil }.map(\.subject)
      + tables.filter { $0.failure != nil }.map { $0.file ?? $0.table }
    let subject = names.isEmpty ? "" : names.prefix(3).joined(separator: ", ") + ": "
    let text = subject + step.replacing("FILE.", with: "\(options.output.name).")
    guard !names.isEmpty || failure?.kind == .data else { return text }
    let kept = rejectsFolder.map { ", the rejected records in \($0)" } ?? ""
    return "\(text) The source files are in \(options.source.escapedForMessage)\(kept)."
  }

  /// The command that accepts what the run refused, or else repeats the run.
  package func nextCommand(_ options: IngestOptions) -> (purpose: String, line: String) {
    let changes = changes ?? DatabaseChanges()
    // A table that is gone has no limit of its own.
    func limits(_ option: String, _ excesses: [PercentLimits.Excess]) -> [String] {
      excesses.allSatisfy { excess in tables.contains { haveSameBytes($0.table, excess.table) } }
        ? excesses.flatMap { [option, $0.allowance] } : [option, "100%"]
    }
    let acceptance: [String] =
      switch failure?.code {
      case .run(.sourcesOlder): ["--allow-older"]
      case .run(.catalogShrunk) where options.shrinkLimits.tables.isEmpty:
        limits("--max-shrink", options.shrinkLimits.losses(in: changes))
      case .run(.catalogChanged) where options.changeLimits.tables.isEmpty:
        limits("--max-change", options.changeLimits.changedTables(in: changes))
      case .run(.rejectsOverLimit)
      where options.rejectLimits.tables.isEmpty && rejected * 100 <= read:
        tables.filter { $0.rejected > 0 }.flatMap {
          ["--max-rejects", "\($0.table)=\($0.rejected)"]
        }
      default: []
      }
    return (
      acceptance.isEmpty ? "to run again" : "to accept it",
      ([options.command] + acceptance.map(shellWord)).joined(separator: " ")
    )
  }

  /// The date of the data and its age at `now`, in seconds since 1970; nil if it is unknown.
  package func dataAge(at now: Int) -> String? {
    guard let time = tables.dataTime(at: now), let age = time.age(at: now) else { return nil }
    return "data of \(time.day), \(age.daysOrHours) before this run"
  }
}
