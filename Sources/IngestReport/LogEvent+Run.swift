package import Vocabulary
import Text

extension LogEvent {
  /// The events of a running run; each reason of a rejected record is an event.
  package static func all(_ event: IngestEvent) -> [LogEvent] {
    switch event {
    case .waiting(let holder):
      [LogEvent(.waiting, .warning, at: "ingest", message: holder)]
    case .changed(let reason):
      [LogEvent(.changed, .info, at: "ingest: loading the database", message: reason)]
    case .distributed(let tables):
      [LogEvent(.distributed, .info, at: "ingest: distributed", message: tables)]
    case .reject(let reject): reject.reasons.map { LogEvent($0, of: reject) }
    case .warning(let warning): [LogEvent(warning)]
    case .readingEnded(let tables): tables.flatMap(moreRejects)
    case .tableWritten(let name, let rows, let seconds):
      [LogEvent(written: name, rows: rows, seconds: seconds)]
    case .stageEnded(let time): [LogEvent(time)]
    }
  }

  private init(_ reason: Reject.Reason, of reject: Reject) {
    let (first, last) = (reject.lines.lowerBound, reject.lines.upperBound)
    let lines = first == last ? "\(first)" : "\(first)-\(last)"
    let column = reason.column.map { ", column \($0)" } ?? ""
    let doubt =
      reject.extentIsCertain
      ? "" : "; the end of this record is uncertain; also check the lines after it"
    self.init(
      .reject, .warning,
      at: "\(reject.file):\(lines): byte \(reject.offset)\(column): \(reason.code.rawValue)",
      message: reason.message + doubt,
      [
        "code": JSON(reason.code.rawValue), "table": JSON(reject.table), "file": JSON(reject.file),
        "line": JSON(first), "last_line": JSON(last), "offset": JSON(reject.offset),
        "column": reason.column.map { JSON($0) },
      ])
  }

  /// The number of further rejected records for each code that has more than those reported.
  private static func moreRejects(_ table: TableCounts) -> [LogEvent] {
    table.rejectedCodes.compactMap { code, count in
      let more = count - IngestEvent.describedRejectsPerCode
      guard more > 0 else { return nil }
      return LogEvent(
        .moreRejects, .warning, at: "\(table.file ?? table.table): \(code.rawValue)",
        message: "\(more.of("more record")), \(count.grouped) in all",
        [
          "code": JSON(code.rawValue), "table": JSON(table.table),
          "file": table.file.map { JSON($0) }, "rejects": JSON(count),
        ])
    }
  }

  private init(_ warning: Warning) {
    let line = warning.suggestedSuppression
    self.init(
      .warning, warning.code.affectsVerdict ? .warning : .info,
      at: "\(warning.file.escapedForMessage): warning: \(warning.code.rawValue)",
      message: warning.message, advice: line.map { "; line for --suppress: \($0)" } ?? "",
      [
        "code": JSON(warning.code.rawValue), "table": warning.table.map { JSON($0) },
        "file": JSON(warning.file), "column": warning.column.map { JSON($0) },
        "suppression": line.map { JSON($0) },
      ])
  }

  private init(written table: String, rows: Int, seconds: Double) {
    self.init(
      .table, .info, at: table,
      message: "\(rows.grouped) rows in \(seconds.rounded(decimals: 3)) s",
      ["table": JSON(table), "rows": JSON(rows), "seconds": JSON(seconds: seconds)])
  }

  private init(_ time: StageTime) {
    let seconds = time.end - time.start
    self.init(
      .stage, .info, at: time.stage.title, message: "\(seconds.rounded(decimals: 3)) s",
      ["stage": JSON(time.stage.rawValue), "seconds": JSON(seconds: seconds)])
  }

  package init(_ error: IngestError) {
    self.init(
      .failure, .error, at: "ingest" + (error.code.map { ": \($0.name)" } ?? ""),
      message: error.message, ["code": error.code.map { JSON($0.name) }])
  }

  /// The end of a run; the summary for people has more lines.
  package init(
    endOf report: IngestOutcome, _ options: IngestOptions, exitStatus: Int32
  ) {
    let rows = report.isPublished ? report.inserted : report.unchanged?.rows
    let rejects = report.tables.isEmpty ? report.unchanged?.rejected : report.rejected
    let level: Level =
      report.failure != nil ? .error : report.verdict == .clean ? .info : .warning
    self.init(
      .end, level, at: nil, message: report.verdictWords(isDryRun: options.isDryRun),
      [
        "verdict": JSON(report.verdict.state), "exit_status": JSON(exitStatus),
        "seconds": JSON(seconds: report.seconds), "rows": rows.map { JSON($0) },
        "rejects": rejects.map { JSON($0) },
      ])
  }
}
