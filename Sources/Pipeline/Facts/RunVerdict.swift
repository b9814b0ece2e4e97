/// What a run came to: one of these, told in the same words by summary, page, JSON and messages.
package enum RunVerdict: Equatable, Sendable {
  /// Published, and there is nothing to look at; in a dry run, it would have been.
  case clean
  /// Published, but somebody should look at these things, what may be the cause of others first.
  case attention([Concern])
  /// Published, and sound, but something that follows has failed; besides, what to look at.
  case unfinished(undone: String, [Concern])
  /// Nothing was published, and why, in a few words.
  case notPublished(reason: String)
  /// Nobody knows whether it was published, and why, in a few words.
  case unknown(reason: String)

  /// Judges a run; the first of `failures` is the one that decided.
  package init(failures: [IngestError], notices: [Notice], tables: [TableAccount]) {
    let concerns = Concern.all(notices, tables)
    if let undone = failures.first?.undone {
      self = .unfinished(undone: undone, concerns)
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
    self = concerns.isEmpty ? .clean : .attention(concerns)
  }

  package var state: String {
    switch self {
    case .clean: "clean"
    case .attention: "attention"
    case .unfinished: "unfinished"
    case .notPublished: "not_published"
    case .unknown: "unknown"
    }
  }

  /// The things to look at; empty unless there are some in a catalogue that is published.
  package var concerns: [Concern] {
    switch self {
    case .attention(let concerns), .unfinished(_, let concerns): concerns
    case .clean, .notPublished, .unknown: []
    }
  }

  /// The verdict as a person is told it: `published, look at these 2 things`.
  package func words(isDryRun: Bool) -> String {
    let published = isDryRun ? "would be published" : "published"
    return switch self {
    case .clean: "\(published), clean"
    case .attention(let concerns): "\(published), \(concerns.advice)"
    case .unfinished(let undone, _): "\(published), but \(undone)"
    case .notPublished(let reason):
      "\(isDryRun ? "would not be published" : "not published"): \(reason)"
    case .unknown(let reason): "perhaps published: \(reason)"
    }
  }
}

extension IngestOutcome {
  package var verdict: RunVerdict {
    RunVerdict(failures: failures, notices: notices, tables: tables)
  }

  /// The verdict as a person is told it, also when there was nothing to do.
  package func verdictWords(isDryRun: Bool) -> String {
    guard unchanged != nil else { return verdict.words(isDryRun: isDryRun) }
    if case .unfinished(let undone, _) = verdict { return "unchanged, but \(undone)" }
    let concerns = verdict.concerns
    return "unchanged, nothing was loaded" + (concerns.isEmpty ? "" : "; \(concerns.advice)")
  }
}

extension [Concern] {
  fileprivate var advice: String {
    "look at " + (count == 1 ? "this thing" : "these \(count.grouped) things")
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
    case .quarantineStale: return "the repaired records are of other dumps"
    case .sqlFailed: return "a statement of your own SQL has failed"
    case .acceptanceInvalid: return "the file of accepted notices is not understood"
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
