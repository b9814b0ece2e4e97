import Schema
import Vocabulary
import SQLiteSwiftly

extension ReportFacts {
  enum Outcome: String, CaseIterable {
    case published
    case unchanged
    case publishedWithRejects = "published_with_rejects"
    case notPublished = "not_published"
    case unknown
    case dryRunPassed = "dry_run_passed"
    case dryRunPassedWithRejects = "dry_run_passed_with_rejects"
    case dryRunFailed = "dry_run_failed"
  }

  var outcome: Outcome {
    if report.unchanged != nil { return .unchanged }
    let hasRejects = report.rejected > 0
    if options.isDryRun {
      if report.failure != nil { return .dryRunFailed }
      return hasRejects ? .dryRunPassedWithRejects : .dryRunPassed
    }
    if report.failure?.kind == .uncertain { return .unknown }
    if !report.isPublished { return .notPublished }
    return hasRejects ? .publishedWithRejects : .published
  }

  /// Whether the rows were counted in a finished database; false for a dry run, or a run that failed earlier.
  var isCounted: Bool {
    report.isPublished || report.keptCandidate != nil
      || report.tables.contains { $0.inserted > 0 }
  }

  var unreadTables: [String] {
    let reached = Set(report.tables.map(\.table))
    return schema.tables.map(\.name).filter { !reached.contains($0) }
  }

  /// The rejected records of one table with the same first reason.
  struct RejectGroup {
    let table: String
    let code: RecordCode
    let total: Int
    let samples: [Reject]
  }

  /// All rejected records by table, in reading order, and by code.
  var rejectGroups: [RejectGroup] {
    report.tables.flatMap { counts in
      counts.rejectedCodes.map { code, total in
        let samples = report.rejects.filter {
          $0.table == counts.table && $0.reasons.first?.code == code
        }
        return RejectGroup(table: counts.table, code: code, total: total, samples: samples)
      }
    }
  }
}
