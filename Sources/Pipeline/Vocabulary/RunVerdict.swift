import Text

/// The verdict on a run, worded the same in the summary, page, JSON and messages.
package enum RunVerdict: Equatable, Sendable {
  /// Published without warnings, or in a dry run, publishable.
  case clean
  /// Published with warnings, likely causes of others first.
  case warnings([VerdictWarning])
  /// Published and valid, but a later step failed; with warnings.
  case incomplete(undone: String, [VerdictWarning])
  case notPublished(reason: String)
  case unknown(reason: String)

  /// Determines the verdict; the first of `failures` decides.
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
      let files = failure.code?.file == nil ? 0 : failures.count { $0.code?.file != nil }
      let reason = files > 1 ? "\(files) source files cannot be used" : failure.reason
      let cause = failure.headline == nil ? failure.cause.map { ", \($0)" } ?? "" : ""
      self = .notPublished(reason: reason + cause)
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

  /// The warnings about a published database; empty if nothing was published.
  package var verdictWarnings: [VerdictWarning] {
    switch self {
    case .warnings(let verdictWarnings), .incomplete(_, let verdictWarnings): verdictWarnings
    case .clean, .notPublished, .unknown: []
    }
  }

  /// The verdict in words: `published with 2 warnings`.
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

  /// The verdict in words, including that of a skipped run.
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
  package var reason: String {
    if let headline { return headline }
    return switch code {
    case .file(.fileMissing): "source files are missing"
    case .file(.repairInvalid): "the repairs are invalid"
    case .file: "a source file cannot be used"
    case .run(.rejectsOverLimit): "too many records are rejected"
    case .run(.keyMemoryExceeded): "keys exceed the memory limit"
    case .run(.schemaDrift): "the source files no longer match the schema"
    case .run(.catalogShrunk): "too many rows were lost"
    case .run(.catalogChanged): "too many keys were changed or removed"
    case .run(.sourcesOlder): "the source files are older than those of the previous database"
    case .run(.quarantineStale): "the fixed records belong to other source files"
    case .run(.sqlFailed): "the custom SQL failed"
    case .run(.acceptanceInvalid): "the suppressions are invalid"
    case .run(.derivationEndless): "a derived table would grow without bound"
    case .run(.accountsUnbalanced): "the row counts do not add up"
    case .description, nil: kind.reason
    }
  }
}

extension IngestError.Kind {
  fileprivate var reason: String {
    switch self {
    case .usage: "an option is invalid"
    case .data: "the data is invalid"
    case .inputMissing: "an input is missing"
    case .fault: "an internal error of ingest"
    case .output: "the output cannot be written"
    case .inputOutput: "reading or writing failed"
    case .uncertain: "the connection was lost while publishing"
    case .locked: "locked by another program; try again"
    case .interrupted: "interrupted by a signal"
    }
  }
}
