import Vocabulary
import Glibc
import IngestReport
import Text

struct Summary {
  let outcome: IngestOutcome
  let options: IngestOptions
  let isVerbose: Bool

  /// The lines after the verdict: changes, row counts, size and time.
  var lines: [String] {
    let verdict = VerdictText(outcome: outcome, options: options)
    if let unchanged = outcome.unchanged {
      return [facts(of: unchanged)] + [dataAge, suppressed].compactMap(\.self) + verdict.rejectsKept
    }
    let counts = countsTable(outcome.tables, isPublished: !options.isDryRun)
    let blocks = [
      verdict.changes,
      customSQL + [suppressed, repairs].compactMap(\.self)
        + verdict.rejectsKept,
      counts,
      options.isDryRun
        ? [checked] + [publishing, dataAge].compactMap(\.self) + [
          "not checked in a dry run: \(options.uncheckedByDryRun)"
        ]
        : [published] + [publishing, dataAge].compactMap(\.self) + (isVerbose ? [waits] : []),
    ]
    return blocks.filter { !$0.isEmpty }.flatMap { [""] + $0 }
  }

  private var customSQL: [String] {
    outcome.sqlFiles.map { result in
      let file = result.file
      guard let statements = result.statements else {
        return
          "SQL: \(file) \(options.server == nil ? "is readable; a dry run does not run it" : "runs without rows")"
      }
      let made = result.objects.map { "\($0.type) \($0.name)" }
      let list = made.isEmpty ? "nothing" : made.joined(separator: ", ")
      return "SQL: \(file) ran \(statements.of("statement")) in "
        + "\(result.seconds.rounded(decimals: 2)) s and created \(list)"
    }
  }

  private var dataAge: String? { outcome.dataAge(at: Glibc.time(nil)) }

  private var publishing: String? { outcome.publishing.map { "publishing: \($0.words)" } }

  private var suppressed: String? {
    outcome.suppressed.isEmpty ? nil : "suppressed: \(outcome.suppressed.counts)"
  }

  private var repairs: String? {
    guard options.repairsFolder != nil else { return nil }
    let counts = outcome.tables.flatMap(\.repairs)
    func sum(_ kind: RepairKind) -> String {
      counts.reduce(0) { $0 + ($1.kind == kind ? $1.applied : 0) }.grouped
    }
    let needless = counts.reduce(0) { $0 + $1.needless }
    let inapplicable = counts.reduce(0) { $0 + $1.inapplicable }
    return
      "repairs: \(sum(.add)) records added, \(sum(.replace)) replaced, \(sum(.leaveOut)) skipped"
      + (needless > 0 ? "; \(needless.grouped) needless" : "")
      + (inapplicable > 0 ? "; \(inapplicable.grouped) do not apply" : "")
  }

  private func time(decimals: Int = 2) -> String {
    let waited = outcome.waitedForOthers
    let wait = waited > 0 ? ", after waiting \(waited.rounded(decimals: 2)) s for a lock" : ""
    return "in \(outcome.seconds.rounded(decimals: decimals)) s\(wait)"
  }

  private var checked: String {
    let loaded = outcome.tables.reduce(0) { $0 + $1.loaded }
    return "\(loaded.grouped) of \(outcome.read.of("record")) passed all checks; "
      + "\(outcome.rejectsFolder == nil ? "nothing" : "nothing else") was written, \(time())"
  }

  private var published: String {
    let size = megabytes(outcome.outputBytes ?? 0)
    let search = outcome.search.map { search in
      "; including search: \(search.entries.of("name")), \(megabytes(search.bytes)), "
        + "\(search.seconds.rounded(decimals: 2)) s"
    }
    return "\(outcome.inserted.of("row")), \(size), \(time())\(search ?? "")"
  }

  private func megabytes(_ bytes: Int) -> String {
    "\((Double(bytes) / 1e6).rounded(decimals: 1)) MB"
  }

  private func facts(of unchanged: UnchangedCatalog) -> String {
    let rejected = unchanged.rejected
    let loss = rejected == 0 ? "" : ", without \(rejected.of("rejected record"))"
    return "\(unchanged.rows.of("row")) from the same \(unchanged.files.of("source file"))\(loss), "
      + "\(time(decimals: 3))"
  }

  private var waits: String {
    "reader waited \(outcome.readerWaited.rounded(decimals: 2)) s for the writer, "
      + "writer \(outcome.writerWaited.rounded(decimals: 2)) s for the reader"
  }
}
