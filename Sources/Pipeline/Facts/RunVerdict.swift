/// What a run came to: one of these, told in the same words by summary, page, JSON and messages.
package enum RunVerdict: Equatable, Sendable {
  /// Published, and there is nothing to look at; in a dry run, it would have been.
  case clean
  /// Published, but somebody should look at these things, what may be the cause of others first.
  case warnings([VerdictWarning])
  /// Published, and sound, but something that follows has failed; besides, what to look at.
  case incomplete(undone: String, [VerdictWarning])
  /// Nothing was published, and why, in a few words.
  case notPublished(reason: String)
  /// Nobody knows whether it was published, and why, in a few words.
  case unknown(reason: String)

  /// Judges a run; the first of `failures` is the one that decided.
  package init(failures: [IngestError], warnings: [Warning], tables: [TableCounts]) {
    let verdictWarnings = VerdictWarning.all(warnings, tables)
    if let undone = failures.first?.undone {
      self = .incomplete(undone: undone, verdictWarnings)
      return
    }
    if let failure = failures.first {
      guard failure.kind != .uncertain else {
        self = .unknown(reason: failure.reason)
        return
      }
      let dumps = failure.code == nil ? 0 : failures.count { $0.code != nil }
      let reason = dumps > 1 ? "\(dumps) dumps cannot be used" : failure.reason
      self = .notPublished(reason: reason + (failure.cause.map { ", \($0)" } ?? ""))
      return
    }
    self = verdictWarnings.isEmpty ? .clean : .warnings(verdictWarnings)
  }

  package var state: String {
    switch self {
    case .clean: "clean"
    case .warnings: "warnings"
    case .incomplete: "incomplete"
    case .notPublished: "not_published"
    case .unknown: "unknown"
    }
  }

  /// The things to look at; empty unless there are some in a catalog that is published.
  package var verdictWarnings: [VerdictWarning] {
    switch self {
    case .warnings(let verdictWarnings), .incomplete(_, let verdictWarnings): verdictWarnings
    case .clean, .notPublished, .unknown: []
    }
  }

  /// The verdict as a person is told it: `published with 2 warnings`.
  package func words(isDryRun: Bool) -> String {
    let published = isDryRun ? "would be published" : "published"
    return switch self {
    case .clean: "\(published), clean"
    case .warnings(let verdictWarnings): "\(published) with \(verdictWarnings.countWords)"
    case .incomplete(let undone, _): "\(published), but \(undone)"
    case .notPublished(let reason):
      "\(isDryRun ? "would not be published" : "not published"): \(reason)"
    case .unknown(let reason): "possibly published: \(reason)"
    }
  }
}

extension IngestOutcome {
  package var verdict: RunVerdict {
    RunVerdict(failures: failures, warnings: warnings, tables: tables)
  }

  /// The verdict as a person is told it, also when there was nothing to do.
  package func verdictWords(isDryRun: Bool) -> String {
    guard unchanged != nil else { return verdict.words(isDryRun: isDryRun) }
    if case .incomplete(let undone, _) = verdict { return "unchanged, but \(undone)" }
    let verdictWarnings = verdict.verdictWarnings
    return "unchanged, nothing was loaded"
      + (verdictWarnings.isEmpty ? "" : "; \(verdictWarnings.countWords)")
  }
}

extension [VerdictWarning] {
  fileprivate var countWords: String {
    count.of("warning")
  }
}

extension IngestError {
  /// Why nothing was published, in a few words.
  package var reason: String {
    if code == .fileMissing { return "dumps are missing" }
    if code == .repairInvalid { return "the standing repairs cannot be used" }
    if code != nil { return "a dump cannot be used" }
    switch runCode {
    case .rejectsOverLimit: return "too many records are rejected"
    case .keyMemoryExceeded: return "the keys take too much memory"
    case .schemaDrift: return "the dumps have changed their form"
    case .catalogShrunk: return "it has lost too many rows"
    case .sourcesOlder: return "the source files are older than those of the previous database"
    case .quarantineStale: return "the repaired records are of other dumps"
    case .sqlFailed: return "a statement of your own SQL has failed"
    case .acceptanceInvalid: return "the file of accepted warnings is not understood"
    case .derivationEndless: return "what follows from the records has no end"
    case .accountsUnbalanced: return "the accounts do not balance"
    case nil: break
    }
    switch kind {
    case .usage: return "an option cannot be used"
    case .data: return "the data is bad"
    case .inputMissing: return "an input is missing"
    case .fault: return "a fault of ingest"
    case .output: return "the output cannot be written"
    case .inputOutput: return "reading or writing failed"
    case .uncertain: return "the server was lost in the moment of publishing"
    case .locked: return "another program is using it, try again"
    case .interrupted: return "it was ended by a signal"
    }
  }
}
