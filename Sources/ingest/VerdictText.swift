import Quarantine
import Vocabulary
import Platform
import Glibc
import IngestReport
import Text

struct VerdictText {
  let outcome: IngestOutcome
  let options: IngestOptions

  var headline: [String] {
    let subject = options.isDryRun ? "dry run" : options.output
    let place = outcome.previousDatabase.map { ["  \($0.words)"] } ?? []
    return ["\(subject): \(outcome.verdictWords(isDryRun: options.isDryRun))"] + place
  }

  /// What somebody needs to know who reads the verdict on another machine.
  var circumstances: [String] {
    let data = outcome.dataAge(at: Glibc.time(nil)).map { ", \($0)" } ?? ""
    return (outcome.firstStep.map { ["  to do first: \($0)"] } ?? [])
      + ["  host: \(hostName() ?? "unknown")\(data)"]
      + (options.command.isEmpty ? [] : ["  to run again: \(options.command)"])
  }

  var verdictWarnings: [String] {
    let lines = outcome.verdict.verdictWarnings.flatMap(lines)
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
    return rows.isEmpty
      ? ["no table changed"] : columns([CatalogChanges.Table.header] + rows)
  }

  /// The folder of the rejected records and the command to save them as repairs; empty if they were not kept.
  var rejectsKept: [String] {
    guard let folder = outcome.rejectsFolder else { return [] }
    let kept = "rejected records and their reasons are in \(folder)"
    guard let command = outcome.repairCommand(options) else { return [kept] }
    return ["\(kept); fix them there, run", "  \(command)", "and load again with --repairs"]
  }
}

extension VerdictText {
  /// The warning, followed by the lines that suppress it.
  private func lines(of verdictWarning: VerdictWarning) -> [String] {
    let warnings = verdictWarning.warnings
    guard let code = warnings.first?.code else {
      return ["  \(verdictWarning.code): \(verdictWarning.message)"]
    }
    guard let meaning = verdictWarning.meaning, code.isExplainedBySubject || warnings.count > 1
    else {
      return warnings.flatMap { item("  \(verdictWarning.code): \($0.text)", for: [$0]) }
    }
    if code.isExplainedBySubject {
      return item("  \(verdictWarning.code): \(meaning)", for: warnings)
    }
    return ["  \(verdictWarning.code): \(meaning)"]
      + warnings.flatMap { item("    \($0.text)", for: [$0]) }
  }

  private func item(_ text: String, for warnings: [Warning]) -> [String] {
    let lines = warnings.compactMap(\.suggestedSuppression)
    guard !lines.isEmpty else { return [text] }
    let indent = String(text.prefix { $0 == " " }) + "  "
    return ["\(text); line\(lines.count == 1 ? "" : "s") for --suppress:"]
      + lines.map { indent + $0 }
  }
}

extension Warning {
  var text: String { "\(file.escapedForMessage): \(message)" }
}
