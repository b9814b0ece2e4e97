import Quarantine
import Facts
import IngestReport

/// What a run came to, in lines: the verdict, and under it what to look at.
struct VerdictText {
  let outcome: IngestOutcome
  let options: IngestOptions

  var headline: [String] {
    let subject = options.isDryRun ? "dry run" : options.output
    let place = outcome.previousDatabase.map { ["  \($0.words)"] } ?? []
    return ["\(subject): \(outcome.verdictWords(isDryRun: options.isDryRun))"] + place
  }

  var verdictWarnings: [String] {
    let lines = lines(outcome.verdict.verdictWarnings)
    return lines.isEmpty ? [] : lines + [Self.advice]
  }

  /// What was noticed, if that is not among the things to look at since nothing was published.
  var noticed: [String] {
    guard outcome.failure != nil, !outcome.isPublished else { return [] }
    let lines = lines(VerdictWarning.all(outcome.warnings))
    return lines.isEmpty ? [] : ["noticed:"] + lines
  }

  private static let advice = "'ingest explain CODE' says what a code means, and what to do"

  /// The tables that differ from those of the catalog that was replaced, or would have been.
  var changes: [String] {
    guard let changes = outcome.changes else { return [] }
    let rows = changes.changed.map(\.cells)
    if changes.isForeseen {
      return rows.isEmpty
        ? ["each table would have as many rows as before"]
        : columns([["changed table", "rows before", "then"]] + rows.map { Array($0.prefix(3)) })
    }
    return rows.isEmpty
      ? ["no table has changed"] : columns([CatalogChanges.Table.header] + rows)
  }

  /// Where the rejected records are, and what can be done with them; empty if they are nowhere.
  var rejectsKept: [String] {
    guard let folder = outcome.rejectsFolder else { return [] }
    let kept = "rejected records are kept in \(folder), with their reasons"
    guard let command = outcome.replayCommand(options) else { return [kept] }
    return ["\(kept); repair them there, and run", "  \(command)"]
  }
}

extension VerdictText {
  /// What there is to look at: each thing once, with the lines below it that accept it.
  private func lines(_ verdictWarnings: [VerdictWarning]) -> [String] {
    verdictWarnings.flatMap(lines)
  }

  private func lines(of verdictWarning: VerdictWarning) -> [String] {
    let warnings = verdictWarning.warnings
    guard let code = warnings.first?.code else {
      return ["  \(verdictWarning.code): \(verdictWarning.message)"]
    }
    guard let meaning = verdictWarning.meaning, code.isExplainedBySubject || warnings.count > 1
    else {
      return warnings.flatMap { item("  \(verdictWarning.code): \($0.text)", acceptedBy: [$0]) }
    }
    if code.isExplainedBySubject {
      return item("  \(verdictWarning.code): \(meaning)", acceptedBy: warnings)
    }
    return ["  \(verdictWarning.code): \(meaning)"]
      + warnings.flatMap { item("    \($0.text)", acceptedBy: [$0]) }
  }

  private func item(_ text: String, acceptedBy warnings: [Warning]) -> [String] {
    let lines = warnings.compactMap(\.suggestedSuppression)
    guard !lines.isEmpty else { return [text] }
    let indent = String(text.prefix { $0 == " " }) + "  "
    return ["\(text); the line\(lines.count == 1 ? "" : "s") for --suppress:"]
      + lines.map { indent + $0 }
  }
}

extension Warning {
  var text: String { "\(file.escapedForMessage): \(message)" }
}
