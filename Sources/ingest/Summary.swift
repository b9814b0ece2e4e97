import IngestPipeline
import IngestReport

/// What a run that did not fail prints at its end.
struct Summary {
  private let report: IngestOutcome
  private let options: IngestOptions

  init(_ report: IngestOutcome, _ options: IngestOptions) {
    self.report = report
    self.options = options
  }

  /// The lines: the accounts, what the catalogue has changed, what is worth knowing, the verdict.
  var lines: [String] {
    AccountTable(report.tables, isPublished: !options.isDryRun).lines + [""] + changes + ownSQL
      + notes
      + (options.isDryRun ? [verdict] : search + [verdict, waits])
  }

  /// Where the rejected records are, and what can be done with them; nil if they are nowhere.
  static func rejectsKept(_ report: IngestOutcome, _ options: IngestOptions) -> String? {
    guard let folder = report.rejectsFolder else { return nil }
    let kept = "rejected records are kept in \(folder), with their reasons"
    guard let command = report.replayCommand(options) else { return kept }
    return "\(kept); repair them there, and run\n  \(command)"
  }

  /// The tables that differ from those of the catalogue that was replaced.
  private var changes: [String] {
    guard let changes = report.changes else { return [] }
    let changed = changes.tables.filter(\.isChanged)
    guard !changed.isEmpty else {
      return ["the catalogue that was replaced had the same rows", ""]
    }
    let rows = changed.map { table in
      [
        table.name, table.rowsBefore?.grouped ?? "-", table.rowsAfter?.grouped ?? "-",
        table.keys?.added.grouped ?? "-", table.keys?.removed.grouped ?? "-",
        table.keys?.changed.grouped ?? "-",
      ]
    }
    let header = ["changed table", "rows before", "now", "keys added", "removed", "changed"]
    return columns([header] + rows) + [""]
  }

  /// What SQL of the operator's own was run, and what it made.
  private var ownSQL: [String] {
    report.sqlFiles.map { account in
      let file = account.file.escapedForMessage
      guard let statements = account.statements else {
        return "SQL: \(file) can be read; only building the catalogue can tell whether it runs"
      }
      let made = account.objects.map { "\($0.type) \($0.name)".escapedForMessage }
      let list = made.isEmpty ? "nothing new" : made.joined(separator: ", ")
      return "SQL: \(file) ran \(statements.grouped) statement\(statements == 1 ? "" : "s") in "
        + "\(account.seconds.rounded(decimals: 2)) s and made \(list)"
    }
  }

  private var notes: [String] {
    var notes: [String] = []
    let drift = report.notices.filter(\.code.isDrift)
    if !drift.isEmpty { notes.append("drift: \(drift.summary)") }
    let others = report.notices.filter { !$0.code.isDrift }
    if !others.isEmpty { notes.append("notices: \(others.summary)") }
    if options.replayedFolder != nil { notes.append(replay) }
    if let kept = Self.rejectsKept(report, options) { notes.append(kept) }
    return notes
  }

  /// What the search has cost.
  private var search: [String] {
    report.search.map { search in
      let megabytes = (Double(search.bytes) / 1e6).rounded(decimals: 1)
      let seconds = search.seconds.rounded(decimals: 2)
      return ["search: \(search.entries.grouped) names, \(megabytes) MB, in \(seconds) s"]
    } ?? []
  }

  private var replay: String {
    let sources = report.tables.flatMap(\.sources)
    let replaced = sources.reduce(0) { $0 + $1.replaced.records }
    let repaired = sources.filter(\.isRepaired)
    let (read, back) = (
      repaired.reduce(0) { $0 + $1.records }, repaired.reduce(0) { $0 + $1.loaded.records }
    )
    return "replay: in place of \(replaced.grouped) rejected records \(read.grouped) repaired ones "
      + "were read, and \(back.grouped) of them are back"
  }

  private var verdict: String {
    let time = "in \(report.seconds.rounded(decimals: 2)) s"
    guard !options.isDryRun else {
      let loaded = report.tables.reduce(0) { $0 + $1.loaded }
      return "dry run: \(loaded.grouped) of \(report.read.grouped) records would be published; "
        + "\(report.rejectsFolder == nil ? "nothing" : "nothing else") was written, \(time)"
    }
    let megabytes = (Double(report.outputBytes ?? 0) / 1e6).rounded(decimals: 1)
    return "\(options.output): published, \(report.inserted.grouped) rows, \(megabytes) MB, \(time)"
  }

  private var waits: String {
    "reading waited \(report.readerWaited.rounded(decimals: 2)) s for writing, "
      + "writing \(report.writerWaited.rounded(decimals: 2)) s for reading"
  }
}

extension CatalogChanges.Table {
  /// Whether rows were added, removed or changed, or may have been.
  fileprivate var isChanged: Bool { rowsBefore != rowsAfter || keys != CatalogChanges.Keys() }
}
