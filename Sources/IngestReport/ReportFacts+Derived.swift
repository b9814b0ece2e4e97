import Schema
import Facts
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

  /// Whether the rows were counted in a finished file; not so in a dry run, or when the run ended before.
  var isCounted: Bool {
    report.isPublished || report.keptCandidate != nil
      || report.tables.contains { $0.inserted > 0 }
  }

  var unreadTables: [String] {
    let reached = Set(report.tables.map(\.table))
    return schema.tables.map(\.name).filter { !reached.contains($0) }
  }

  /// The rejected records of one table that have the same first reason.
  struct RejectGroup {
    let table: String
    let code: RecordCode
    let total: Int
    let samples: [Reject]
  }

  /// All rejected records, table by table as they were read, those of each in the codes' order.
  var rejectGroups: [RejectGroup] {
    report.tables.flatMap { account in
      RecordCode.allCases.compactMap { code in
        let total = account.rejectedByCode[code, default: 0]
        guard total > 0 else { return nil }
        let samples = report.rejects.filter {
          $0.table == account.table && $0.reasons.first?.code == code
        }
        return RejectGroup(table: account.table, code: code, total: total, samples: samples)
      }
    }
  }
}

extension SourceCounts {
  /// What became of the records that were read, and of the decompressed bytes, by the keys of the report.
  typealias Parts = [(key: String, count: Int)]

  var recordParts: Parts {
    [
      ("loaded", loaded.records), ("rejected", rejected.records), ("replaced", replaced.records),
      ("left_out", leftOut.records),
    ]
  }

  var byteParts: Parts {
    [
      ("header", headerBytes), ("blank", blankBytes), ("comments", passedBytes),
      ("loaded", loaded.bytes), ("rejected", rejected.bytes), ("replaced", replaced.bytes),
      ("left_out", leftOut.bytes),
    ]
  }
}
