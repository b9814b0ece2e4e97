package import Vocabulary
import Platform
package import Glibc
import Text

/// An event in the log of a run: a line of text for people, or of JSON for programs.
package struct LogEvent: Sendable {
  /// The severity, with the numbers of syslog(3).
  package enum Level: Int, CaseIterable, Sendable {
    case error = 3
    case warning = 4
    case info = 6
  }

  enum Kind: String, CaseIterable {
    case waiting, changed, distributed, reject
    case moreRejects = "more_rejects"
    case warning, table, stage, failure, end
  }

  package let level: Level
  /// The line for people: the place and the message.
  package let text: String
  private let fields: [String: JSON]

  /// Creates an event from the fields that have a value; the text is the place, the message and the advice.
  private init(
    _ kind: Kind, _ level: Level, at place: String?, message: String, advice: String = "",
    _ fields: [String: JSON?] = [:]
  ) {
    self.level = level
    text = (place.map { $0 + ": " } ?? "") + message + advice
    self.fields = fields.compactMapValues(\.self).merging([
      "event": JSON(kind.rawValue), "level": JSON("\(level)"), "message": JSON(message),
    ]) { $1 }
  }

  /// The line for programs, a JSON object; see `log.schema.json`.
  ///
  /// Fields that do not apply are omitted. `run` is the same for all events of a run, and differs between runs.
  package func json(of run: String, at time: timespec = currentTime()) -> String {
    JSON(fields.merging(["run": JSON(run), "time": JSON(utc(time))]) { $1 }).line
  }

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
      [
        LogEvent(
          .table, .info, at: name,
          message: "\(rows.grouped) rows in \(seconds.rounded(decimals: 3)) s",
          ["table": JSON(name), "rows": JSON(rows), "seconds": JSON(seconds: seconds)])
      ]
    case .stageEnded(let time):
      [
        LogEvent(
          .stage, .info, at: time.stage.title, message: "\(time.seconds.rounded(decimals: 3)) s",
          ["stage": JSON(time.stage.rawValue), "seconds": JSON(seconds: time.seconds)])
      ]
    }
  }

  private init(_ reason: Reject.Reason, of reject: Reject) {
    let column = reason.column.map { ", column \($0)" } ?? ""
    let doubt = reject.doubt.map { "; \($0)" } ?? ""
    self.init(
      .reject, .warning,
      at: "\(reject.place): byte \(reject.offset)\(column): \(reason.code.rawValue)",
      message: reason.message + doubt,
      [
        "code": JSON(reason.code.rawValue), "table": JSON(reject.table), "file": JSON(reject.file),
        "line": JSON(reject.lines.lowerBound), "last_line": JSON(reject.lines.upperBound),
        "offset": JSON(reject.offset), "column": reason.column.map { JSON($0) },
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
        "suppression": line.map { JSON($0) }, "difference": warning.difference?.json,
      ])
  }

  package init(_ error: IngestError) {
    self.init(
      .failure, .error, at: "ingest" + (error.code.map { ": \($0.name)" } ?? ""),
      message: error.message, ["code": error.code.map { JSON($0.name) }])
  }

  /// The end of a run; the summary for people has more lines.
  package init(endOf outcome: IngestOutcome, exitStatus: Int32) {
    let verdict = outcome.verdict
    self.init(
      .end, outcome.failure != nil ? .error : verdict.state == .clean ? .info : .warning, at: nil,
      message: verdict.words,
      [
        "verdict": JSON(verdict.state.rawValue), "exit_status": JSON(exitStatus),
        "seconds": JSON(seconds: outcome.seconds),
        "rows": outcome.bytes.map { _ in JSON(outcome.inserted) },
        "rejects": outcome.tables.isEmpty ? nil : JSON(outcome.rejected),
      ])
  }
}

extension Reject {
  /// The file and the lines: `parts.csv:7-8`.
  var place: String {
    let (first, last) = (lines.lowerBound, lines.upperBound)
    return "\(file):\(first == last ? "\(first)" : "\(first)-\(last)")"
  }

  /// The advice if the end of the record is uncertain; nil otherwise.
  var doubt: String? {
    extentIsCertain ? nil : "the end of this record is uncertain; also check the lines after it"
  }
}
