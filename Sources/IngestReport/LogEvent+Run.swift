import Inspection
package import Facts
import JSON

extension LogEvent {
  /// What a run reports while it goes on; of a reject each reason is an event.
  package static func all(_ event: IngestEvent) -> [LogEvent] {
    switch event {
    case .waiting(let holder):
      [LogEvent(.waiting, .warning, text: "ingest: \(holder)", message: holder)]
    case .changed(let reason):
      [
        LogEvent(
          .changed, .info, text: "ingest: the catalogue is loaded: \(reason)", message: reason)
      ]
    case .reject(let reject): reject.reasons.map { LogEvent($0, of: reject) }
    case .notice(let notice): [LogEvent(notice)]
    case .readingEnded(let tables): tables.flatMap(undescribed)
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
      ? "" : "; where this record ends is not certain, look at what follows it, too"
    let message = reason.message + doubt
    self.init(
      .reject, .warning,
      text: "\(reject.file):\(lines): byte \(reject.offset)\(column): \(reason.code.rawValue): "
        + message,
      message: message,
      [
        "code": JSON(reason.code.rawValue), "table": JSON(reject.table), "file": JSON(reject.file),
        "line": JSON(first), "last_line": JSON(last), "offset": JSON(reject.offset),
        "column": reason.column.map { JSON($0) },
      ])
  }

  /// How many more rejected records there are of those codes that have more than were described.
  private static func undescribed(_ table: TableAccount) -> [LogEvent] {
    RecordCode.allCases.compactMap { code in
      let count = table.rejectedByCode[code, default: 0]
      let more = count - IngestEvent.describedRejectsPerCode
      guard more > 0 else { return nil }
      let message = "\(more.of("more record")), \(count.grouped) in all"
      return LogEvent(
        .moreRejects, .warning,
        text: "\(table.file ?? table.table): \(code.rawValue): \(message)", message: message,
        [
          "code": JSON(code.rawValue), "table": JSON(table.table),
          "file": table.file.map { JSON($0) }, "rejects": JSON(count),
        ])
    }
  }

  private init(_ notice: Notice) {
    let line = notice.standingAcceptance
    let advice = line.map { "; the line for --accept: \($0)" } ?? ""
    self.init(
      .notice, notice.code.asksForAttention ? .warning : .info,
      text: "\(notice.file.escapedForMessage): notice: \(notice.code.rawValue): "
        + "\(notice.message)\(advice)",
      message: notice.message,
      [
        "code": JSON(notice.code.rawValue), "table": notice.table.map { JSON($0) },
        "file": JSON(notice.file), "column": notice.column.map { JSON($0) },
        "accept": line.map { JSON($0) },
      ])
  }

  private init(written table: String, rows: Int, seconds: Double) {
    let message = "\(rows.grouped) rows in \(seconds.rounded(decimals: 3)) s"
    self.init(
      .table, .info, text: "\(table): \(message)", message: message,
      ["table": JSON(table), "rows": JSON(rows), "seconds": JSON(seconds: seconds)])
  }

  private init(_ time: StageTime) {
    let seconds = time.end - time.start
    let message = "\(seconds.rounded(decimals: 3)) s"
    self.init(
      .stage, .info, text: "\(time.stage.words): \(message)", message: message,
      ["stage": JSON(time.stage.rawValue), "seconds": JSON(seconds: seconds)])
  }

  /// What went wrong.
  package init(_ error: IngestError) {
    let code = error.codeName.map { "\($0): " } ?? ""
    self.init(
      .failure, .error,
      text: "ingest: \(code)\(error.message)",
      message: error.message, ["code": error.codeName.map { JSON($0) }])
  }

  /// What a run has come to; people are told more, in many lines.
  ///
  /// - Parameters:
  ///   - report: what is known of it.
  ///   - options: what it was asked to do.
  ///   - exitStatus: the status that the command ends with.
  package init(
    endOf report: IngestOutcome, _ options: IngestOptions, exitStatus: Int32
  ) {
    let words = report.verdictWords(isDryRun: options.isDryRun)
    let rows = report.isPublished ? report.inserted : report.unchanged?.rows
    let rejects = report.tables.isEmpty ? report.unchanged?.rejected : report.rejected
    let level: Level =
      report.failure != nil ? .error : report.verdict == .clean ? .info : .warning
    self.init(
      .end, level, text: words, message: words,
      [
        "verdict": JSON(report.verdict.state), "exit_status": JSON(exitStatus),
        "seconds": JSON(seconds: report.seconds), "rows": rows.map { JSON($0) },
        "rejects": rejects.map { JSON($0) },
      ])
  }
}
