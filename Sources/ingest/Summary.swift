import Glibc
import IngestReport
import Platform
import Quarantine
import Text
import Vocabulary

/// The result of a run in lines for people.
struct Summary {
  let outcome: IngestOutcome
  let options: IngestOptions

  var headline: [String] {
    let subject = options.isDryRun ? "dry run" : options.output.name
    return ["\(subject): \(outcome.verdict.words)"]
      + (outcome.previousDatabase.map { ["  \($0.words)"] } ?? [])
  }

  /// What somebody needs to know who reads the verdict on another machine.
  var circumstances: [String] {
    let next = outcome.nextCommand(options)
    return (outcome.firstStep(options).map { ["  to do first: \($0)"] } ?? [])
      + ["  host: \(hostName() ?? "unknown")\(dataAge.map { ", \($0)" } ?? "")"]
      + (options.command.isEmpty ? [] : ["  \(next.purpose): \(next.line)"])
  }

  var verdictWarnings: [String] {
    let lines = outcome.verdict.warnings.flatMap(lines)
    return lines.isEmpty ? [] : lines + ["'ingest explain CODE' explains a code"]
  }

  /// The warnings of a run that published nothing; its verdict has none.
  var warningsWithoutVerdict: [String] {
    guard outcome.failure != nil, !outcome.isPublished else { return [] }
    let lines = VerdictWarning.all(outcome.warnings).flatMap(lines)
    return lines.isEmpty ? [] : ["warnings:"] + lines
  }

  var changes: [String] {
    guard let changes = outcome.changes else { return [] }
    let rows = changes.changed.map(\.cells)
    if changes.isForeseen {
      return rows.isEmpty
        ? ["all row counts would stay the same"]
        : columns([["changed table", "rows before", "after"]] + rows.map { Array($0.prefix(3)) })
    }
    return rows.isEmpty ? ["no table changed"] : columns([DatabaseChanges.Table.header] + rows)
  }

  /// The folder of the rejected records and the command to save them as repairs; empty if they were not kept.
  var rejectsKept: [String] {
    guard let folder = outcome.rejectsFolder else { return [] }
    let kept = "rejected records and their reasons are in \(folder)"
    guard let command = outcome.repairCommand(options) else { return [kept] }
    return ["\(kept); fix them there, run", "  \(command)", "and load again with --repairs"]
  }

  /// The row counts with their totals; optional tables without a file are omitted.
  var counts: [String] {
    let tables = outcome.tables.filter { !$0.isUnused }
    let isPublished = outcome.isPublished
    let hasLeftOut = outcome.leftOut > 0
    // A run that published shows the changes instead.
    let hasBefore = !isPublished && outcome.tables.contains { $0.before != nil }
    func row(_ name: String, _ counts: [TableCounts]) -> [String] {
      func sum(_ count: (TableCounts) -> Int) -> Int { counts.reduce(0) { $0 + count($1) } }
      let inserted = sum(\.inserted)
      let seconds = counts.reduce(0) { $0 + $1.seconds }
      let rate = seconds > 0 ? Int(Double(inserted) / seconds) : 0
      return [name] + (hasBefore ? [sum { $0.before ?? 0 }.grouped] : [])
        + [sum(\.read).grouped, isPublished ? inserted.grouped : "-", sum(\.rejected).grouped]
        + (hasLeftOut ? [sum(\.leftOut).grouped] : [])
        + (isPublished ? [seconds.rounded(decimals: 3), rate.grouped] : ["-", "-"])
    }
    let header =
      ["table"] + (hasBefore ? ["before"] : []) + ["read", "inserted", "rejected"]
      + (hasLeftOut ? ["skipped"] : []) + ["seconds", "rows/s"]
    let rows = tables.map { row($0.table + ($0.file == nil ? " (no file)" : ""), [$0]) }
    return columns([header] + rows + [row("all", tables)])
  }

  /// The lines after the verdict: changes, row counts, size and time.
  func lines(isVerbose: Bool) -> [String] {
    if outcome.isUnchanged {
      return [unchanged] + [dataAge, suppressed].compactMap(\.self) + rejectsKept
    }
    let end =
      options.isDryRun
      ? [checked, publishing, dataAge, "not checked in a dry run: \(options.uncheckedByDryRun)"]
      : [published, publishing, dataAge, isVerbose ? waits : nil]
    let blocks = [
      changes, customSQL + [suppressed, repairs].compactMap(\.self) + rejectsKept, counts,
      end.compactMap(\.self),
    ]
    return blocks.filter { !$0.isEmpty }.flatMap { [""] + $0 }
  }

  /// The warning, followed by the lines that suppress it.
  private func lines(of verdictWarning: VerdictWarning) -> [String] {
    let (code, warnings) = (verdictWarning.code, verdictWarning.warnings)
    guard let first = warnings.first else { return ["  \(code): \(verdictWarning.message)"] }
    if first.code.isExplainedBySubject, let meaning = verdictWarning.meaning {
      return item("  \(code): \(meaning)", for: warnings)
    }
    let meaning = warnings.count > 1 ? verdictWarning.meaning : nil
    let start = meaning == nil ? "  \(code): " : "    "
    return (meaning.map { ["  \(code): \($0)"] } ?? [])
      + warnings.flatMap { item("\(start)\($0.file.escapedForMessage): \($0.message)", for: [$0]) }
  }

  private func item(_ text: String, for warnings: [Warning]) -> [String] {
    let lines = warnings.compactMap(\.suggestedSuppression)
    guard !lines.isEmpty else { return [text] }
    let indent = String(text.prefix { $0 == " " }) + "  "
    let extent = warnings.allSatisfy(\.code.isOfChange) ? ", for this change alone" : ""
    return ["\(text); line\(lines.count == 1 ? "" : "s") for --suppress\(extent):"]
      + lines.map { indent + $0 }
  }

  private var customSQL: [String] {
    outcome.sqlFiles.map { result in
      guard let statements = result.statements else {
        let extent =
          options.output.schema == nil
          ? "is readable; a dry run does not run it" : "runs without rows"
        return "SQL: \(result.file) \(extent)"
      }
      let made = result.objects.map { "\($0.type) \($0.name)" }.joined(separator: ", ")
      return "SQL: \(result.file) ran \(statements.of("statement")) in "
        + "\(result.seconds.rounded(decimals: 2)) s\(made.isEmpty ? "" : " and created \(made)")"
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
    func sum(_ kind: RepairKind) -> Int {
      counts.reduce(0) { $0 + ($1.kind == kind ? $1.applied : 0) }
    }
    let needless = counts.reduce(0) { $0 + $1.needless }
    let inapplicable = counts.reduce(0) { $0 + $1.inapplicable }
    return
      "repairs: \(sum(.add).of("record")) added, \(sum(.replace).grouped) replaced, \(sum(.leaveOut).grouped) skipped"
      + (needless > 0 ? "; \(needless.grouped) needless" : "")
      + (inapplicable > 0
        ? "; \(inapplicable.grouped) \(inapplicable.verb("does", "do")) not apply" : "")
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
    let search = outcome.search.map { search in
      "; including search: \(search.entries.of("name")), \(megabytes(search.bytes)), "
        + "\(search.seconds.rounded(decimals: 2)) s"
    }
    return
      "\(outcome.inserted.of("row")), \(megabytes(outcome.bytes ?? 0)), \(time())\(search ?? "")"
  }

  private func megabytes(_ bytes: Int) -> String {
    "\((Double(bytes) / 1e6).rounded(decimals: 1)) MB"
  }

  private var unchanged: String {
    let files = outcome.tables.reduce(0) { $0 + $1.sources.count }
    let loss = outcome.rejected == 0 ? "" : ", without \(outcome.rejected.of("rejected record"))"
    return "\(outcome.inserted.of("row")) from the same \(files.of("source file"))\(loss), "
      + "\(time(decimals: 3))"
  }

  private var waits: String {
    "reader waited \(outcome.readerWaited.rounded(decimals: 2)) s for the writer, "
      + "writer \(outcome.writerWaited.rounded(decimals: 2)) s for the reader"
  }
}

extension DatabaseChanges.Table {
  static let header = ["changed table", "rows before", "now", "keys added", "removed", "changed"]

  var cells: [String] {
    [name]
      + [rowsBefore, rowsAfter, keys?.added, keys?.removed, keys?.changed]
      .map { $0?.grouped ?? "-" }
  }
}
