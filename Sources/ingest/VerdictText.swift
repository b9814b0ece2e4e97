import Quarantine
import Facts
import IngestReport

/// What a run came to, in lines: the verdict, and under it what to look at.
struct VerdictText {
  private let report: IngestOutcome
  private let options: IngestOptions

  init(_ report: IngestOutcome, _ options: IngestOptions) {
    self.report = report
    self.options = options
  }

  /// The verdict, and what is at the output if nothing was published.
  var headline: [String] {
    let subject = options.isDryRun ? "dry run" : options.output
    let place = report.oldOutput.map { ["  \($0.words)"] } ?? []
    return ["\(subject): \(report.verdictWords(isDryRun: options.isDryRun))"] + place
  }

  /// The things to look at, and where they are explained; empty if there are none.
  var concerns: [String] {
    let lines = ConcernText(report.verdict.concerns).lines
    return lines.isEmpty ? [] : lines + [Self.advice]
  }

  /// What was noticed, if that is not among the things to look at since nothing was published.
  var noticed: [String] {
    guard report.failure != nil, !report.isPublished else { return [] }
    let lines = ConcernText(Concern.all(report.notices)).lines
    return lines.isEmpty ? [] : ["noticed:"] + lines
  }

  /// Where it is explained what to do about the codes of those lines.
  private static let advice = "'ingest explain CODE' says what a code means, and what to do"

  /// The tables that differ from those of the catalogue that was replaced, or would have been.
  var changes: [String] {
    guard let changes = report.changes else { return [] }
    let changed = changes.changed
    guard !changes.isForeseen else {
      guard !changed.isEmpty else { return ["each table would have as many rows as before"] }
      let rows = changed.map { table in
        [table.name, table.rowsBefore?.grouped ?? "-", table.rowsAfter?.grouped ?? "-"]
      }
      return columns([["changed table", "rows before", "then"]] + rows)
    }
    guard !changed.isEmpty else { return ["no table has changed"] }
    let rows = changed.map { table in
      [
        table.name, table.rowsBefore?.grouped ?? "-", table.rowsAfter?.grouped ?? "-",
        table.keys?.added.grouped ?? "-", table.keys?.removed.grouped ?? "-",
        table.keys?.changed.grouped ?? "-",
      ]
    }
    let header = ["changed table", "rows before", "now", "keys added", "removed", "changed"]
    return columns([header] + rows)
  }

  /// Where the rejected records are, and what can be done with them; empty if they are nowhere.
  var rejectsKept: [String] {
    guard let folder = report.rejectsFolder else { return [] }
    let kept = "rejected records are kept in \(folder), with their reasons"
    guard let command = report.replayCommand(options) else { return [kept] }
    return ["\(kept); repair them there, and run", "  \(command)"]
  }
}
