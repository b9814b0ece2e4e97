import IngestPipeline
import IngestReport

/// What goes to standard error while a run goes on, and after it.
final class Messages: Sendable {
  private let verbosity: Arguments.Verbosity

  init(_ verbosity: Arguments.Verbosity) { self.verbosity = verbosity }

  /// Shows an event; one call writes whole lines, so threads do not mix theirs.
  ///
  /// A quiet run does not know yet whether it has anything to say.
  func show(_ event: IngestEvent) {
    switch event {
    case .waiting(let holder):
      guard verbosity >= .normal else { return }
      Console.error.print("ingest: \(holder)")
    case .changed(let reason):
      guard verbosity == .verbose else { return }
      Console.error.print("ingest: the catalogue is loaded: \(reason)")
    case .reject(let reject):
      guard verbosity != .quiet else { return }
      Console.error.print(text(of: reject))
    case .notice(let notice):
      // What asks for attention is told with the verdict.
      let least = notice.code.asksForAttention ? Arguments.Verbosity.verbose : .normal
      guard verbosity >= least else { return }
      let line = notice.standingAcceptance.map { "; the line for --accept: \($0)" } ?? ""
      Console.error.print(
        "\(notice.file.escapedForMessage): notice: \(notice.code.rawValue): \(notice.message)\(line)"
      )
    case .tableWritten(let name, let rows, let seconds):
      guard verbosity == .verbose else { return }
      Console.error.print(
        "\(name): \(rows.grouped) rows in \(seconds.rounded(decimals: 3)) s")
    case .stageEnded(let time):
      guard verbosity == .verbose else { return }
      Console.error.print(
        "\(time.stage.words): \((time.end - time.start).rounded(decimals: 3)) s")
    case .readingEnded(let tables):
      guard verbosity != .quiet else { return }
      undescribed(tables).forEach { Console.error.print($0) }
    }
  }

  /// Shows what a quiet run has to say that published a catalogue: nothing, or what to look at.
  func showAttention(_ report: IngestOutcome, _ options: IngestOptions) {
    guard report.verdict != .clean else { return }
    let verdict = VerdictText(report, options)
    let blocks = [
      verdict.headline + verdict.concerns,
      rejects(of: report) + [verdict.rejectsKept].compactMap(\.self),
    ]
    Console.error.print(
      blocks.filter { !$0.isEmpty }.joined(separator: [""]).joined(separator: "\n"))
  }

  /// Shows what to look at in a catalogue that is published, below its verdict.
  func showConcerns(_ report: IngestOutcome, _ options: IngestOptions) {
    let lines = VerdictText(report, options).concerns
    if !lines.isEmpty { Console.error.print(lines.joined(separator: "\n")) }
  }

  /// Shows why a run failed, and, where records were rejected, how many of which table.
  func showFailure(_ report: IngestOutcome, _ options: IngestOptions) {
    let verdict = VerdictText(report, options)
    if verbosity != .silent { Console.error.print(verdict.headline.joined(separator: "\n")) }
    showFailures(report.failures)
    var blocks = verbosity == .quiet ? [rejects(of: report)] : []
    if verbosity != .silent { blocks.append(verdict.noticed) }
    if report.rejected > 0 {
      blocks.append(AccountTable(report.tables, isPublished: report.isPublished).lines)
    }
    if verbosity != .silent { blocks.append(verdict.changes) }
    blocks.append([verdict.rejectsKept].compactMap(\.self))
    for block in blocks where !block.isEmpty {
      Console.error.print("\n" + block.joined(separator: "\n"))
    }
  }

  /// Shows what went wrong.
  func showFailures(_ errors: [IngestError]) {
    for error in errors {
      let code = error.codeName.map { "\($0): " } ?? ""
      Console.error.print("ingest: \(code)\(error.message.printable(keepingLineFeeds: false))")
    }
  }

  /// The rejects, as a run that is not quiet tells them at once.
  private func rejects(of report: IngestOutcome) -> [String] {
    report.rejects.map(text) + undescribed(report.tables)
  }

  /// How many more records there are of those codes that have more than were described.
  private func undescribed(_ tables: [TableAccount]) -> [String] {
    tables.flatMap { table in
      RecordCode.allCases.compactMap { code in
        let count = table.rejectedByCode[code, default: 0]
        let more = count - IngestEvent.describedRejectsPerCode
        guard more > 0 else { return nil }
        return "\(table.file ?? table.table): \(code.rawValue): \(more.of("more record")), "
          + "\(count.grouped) in all"
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
