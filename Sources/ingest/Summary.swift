import Facts
import Glibc
import IngestReport

/// What a run that did not fail prints at its end.
struct Summary {
  let outcome: IngestOutcome
  let options: IngestOptions
  let isVerbose: Bool

  /// The lines below the verdict: what the catalog has changed, the accounts, what it took.
  var lines: [String] {
    let verdict = VerdictText(outcome: outcome, options: options)
    if let unchanged = outcome.unchanged {
      return [facts(of: unchanged)] + [dataAge, suppressed].compactMap(\.self) + verdict.rejectsKept
    }
    let accounts = accountTable(outcome.tables, isPublished: !options.isDryRun)
    let blocks = [
      verdict.changes,
      customSQL + [suppressed, repairs, replay, writtenRepairs].compactMap(\.self)
        + verdict.rejectsKept,
      accounts,
      options.isDryRun
        ? [checked] + [dataAge].compactMap(\.self) + [
          "not checked in a dry run: \(options.uncheckedByDryRun)"
        ]
        : [published] + [dataAge].compactMap(\.self) + (isVerbose ? [waits] : []),
    ]
    return blocks.filter { !$0.isEmpty }.flatMap { [""] + $0 }
  }

  private var customSQL: [String] {
    outcome.sqlFiles.map { account in
      let file = account.file
      guard let statements = account.statements else {
        return "SQL: \(file) can be read; only building the catalog can tell whether it runs"
      }
      let made = account.objects.map { "\($0.type) \($0.name)" }
      let list = made.isEmpty ? "nothing new" : made.joined(separator: ", ")
      return "SQL: \(file) ran \(statements.of("statement")) in "
        + "\(account.seconds.rounded(decimals: 2)) s and made \(list)"
    }
  }

  private var dataAge: String? {
    outcome.tables.dataTime.map { time in
      let age = words(forSeconds: time.age(at: Glibc.time(nil)))
      return "data of \(time.day), \(age) before this run"
    }
  }

  private var suppressed: String? {
    outcome.suppressed.isEmpty ? nil : "suppressed: \(outcome.suppressed.counts)"
  }

  private var repairs: String? {
    guard options.repairsFolder != nil else { return nil }
    let accounts = outcome.tables.flatMap(\.repairs)
    func sum(_ kind: RepairKind) -> String {
      accounts.reduce(0) { $0 + ($1.kind == kind ? $1.applied : 0) }.grouped
    }
    let needless = accounts.reduce(0) { $0 + $1.needless }
    let inapplicable = accounts.reduce(0) { $0 + $1.inapplicable }
    return
      "repairs: \(sum(.add)) records added, \(sum(.replace)) replaced, \(sum(.leaveOut)) left out"
      + (needless > 0 ? "; \(needless.grouped) needless" : "")
      + (inapplicable > 0 ? "; \(inapplicable.grouped) do not apply" : "")
  }

  private var writtenRepairs: String? {
    guard let written = outcome.writtenRepairs, let folder = options.writtenRepairs else {
      return nil
    }
    let unfinished = outcome.unfinishedRepairs.joined(separator: ", ")
    return "standing repairs: \(written.grouped) records were added to \(folder)"
      + (unfinished.isEmpty
        ? ""
        : "; none of \(unfinished), since edited records are rejected again; they are added when the next "
          + "replay brings these back")
  }

  private var replay: String? {
    guard options.replayedFolder != nil else { return nil }
    let sources = outcome.tables.flatMap(\.sources)
    let replaced = sources.reduce(0) { $0 + $1.replaced.records }
    let repaired = sources.filter { $0.isRepaired && !$0.isStanding }
    let (read, back) = (
      repaired.reduce(0) { $0 + $1.records }, repaired.reduce(0) { $0 + $1.loaded.records }
    )
    return "replay: in place of \(replaced.of("rejected record")) \(read.of("repaired one")) "
      + "\(read == 1 ? "was" : "were") read, and \(back.grouped) of them "
      + "\(back == 1 ? "is" : "are") back"
  }

  private func time(decimals: Int = 2) -> String {
    let waited = outcome.waitedForOthers
    let wait = waited > 0 ? ", after \(waited.rounded(decimals: 2)) s of waiting for others" : ""
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
      "; search: \(search.entries.of("name")), \(megabytes(search.bytes)), in "
        + "\(search.seconds.rounded(decimals: 2)) s of that"
    }
    return "\(outcome.inserted.of("row")), \(size), \(time())\(search ?? "")"
  }

  private func megabytes(_ bytes: Int) -> String {
    "\((Double(bytes) / 1e6).rounded(decimals: 1)) MB"
  }

  private func facts(of unchanged: UnchangedCatalog) -> String {
    let rejected = unchanged.rejected
    let lack = rejected == 0 ? "" : "without \(rejected.of("rejected record")) "
    return "\(unchanged.rows.of("row")) that were made \(lack)from the same "
      + "\(unchanged.files.of("dump")), \(time(decimals: 3))"
  }

  private var waits: String {
    "reading waited \(outcome.readerWaited.rounded(decimals: 2)) s for writing, "
      + "writing \(outcome.writerWaited.rounded(decimals: 2)) s for reading"
  }
}
