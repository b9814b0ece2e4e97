import IngestPipeline
import IngestReport

/// What goes to standard error while a run goes on, and after it.
final class Messages: Sendable {
  private let verbosity: Arguments.Verbosity

  init(_ verbosity: Arguments.Verbosity) { self.verbosity = verbosity }

  /// Shows an event; one call writes whole lines, so threads do not mix theirs.
  func show(_ event: IngestEvent) {
    switch event {
    case .waiting(let holder):
      guard verbosity != .quiet else { return }
      Console.error.print("ingest: \(holder)")
    case .reject(let reject): Console.error.print(text(of: reject))
    case .notice(let notice):
      guard verbosity != .quiet else { return }
      let change = notice.change.map { "; to accept it: \($0)" } ?? ""
      Console.error.print(
        "\(notice.file.escapedForMessage): notice: \(notice.code.rawValue): \(notice.message)\(change)"
      )
    case .tableWritten(let name, let rows, let seconds):
      guard verbosity == .verbose else { return }
      Console.error.print(
        "\(name): \(rows.grouped) rows in \(seconds.rounded(decimals: 3)) s")
    case .readingEnded(let tables): showUndescribed(tables)
    }
  }

  /// Shows why a run failed, and, where records were rejected, how many of which table.
  func showFailure(_ report: IngestOutcome, _ options: IngestOptions) {
    if report.rejected > 0 {
      let lines = AccountTable(report.tables, isPublished: false).lines
      Console.error.print(lines.joined(separator: "\n"))
    }
    if let kept = Summary.rejectsKept(report, options) { Console.error.print(kept) }
    showFailures(report.failures)
  }

  /// Shows what went wrong.
  func showFailures(_ errors: [IngestError]) {
    for error in errors {
      let code = error.codeName.map { "\($0): " } ?? ""
      Console.error.print("ingest: \(code)\(error.message.printable(keepingLineFeeds: false))")
    }
  }

  /// Says how many more records there are of those codes that have more than were described.
  private func showUndescribed(_ tables: [TableAccount]) {
    for table in tables {
      for code in RecordCode.allCases {
        let count = table.rejectedByCode[code, default: 0]
        guard count > IngestEvent.describedRejectsPerCode else { continue }
        Console.error.print(
          "\(table.file ?? table.table): \(code.rawValue): "
            + "\((count - IngestEvent.describedRejectsPerCode).grouped) more records, "
            + "\(count.grouped) in all")
      }
    }
  }

  private func text(of reject: Reject) -> String {
    let (first, last) = (reject.lines.lowerBound, reject.lines.upperBound)
    let lines = first == last ? "\(first)" : "\(first)-\(last)"
    let doubt =
      reject.extentIsCertain
      ? "" : "; where this record ends is not certain, look at what follows it, too"
    return reject.reasons.map { reason in
      let column = reason.column.map { ", column \($0)" } ?? ""
      return "\(reject.file):\(lines): byte \(reject.offset)\(column): "
        + "\(reason.code.rawValue): \(reason.message)\(doubt)"
    }.joined(separator: "\n")
  }
}
