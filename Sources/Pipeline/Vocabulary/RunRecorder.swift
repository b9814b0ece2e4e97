import Platform

/// Collects the events of both threads of a run, and forwards them immediately.
package final class RunRecorder: Sendable {
  private struct State: Sendable {
    var warnings: [Warning] = []
    var suppressions: Suppressions?
    var suppressed: [Warning] = []
    /// The codes whose suppressions were already checked for use.
    var checkedCodes: Set<WarningCode> = []
    var rejects: [Reject] = []
    var stages: [StageTime] = []
    var publishing: PublishingChoice?
  }

  package let progress = RunProgress()

  private let start = ContinuousClock.now
  private let state = Monitor(State())
  private let report: @Sendable (IngestEvent) -> Void

  /// Starts with a run; `report` is called from both of its threads.
  package init(_ report: @escaping @Sendable (IngestEvent) -> Void) { self.report = report }

  package func record(_ event: IngestEvent) {
    let isReported = state.with { state in
      switch event {
      case .warning(let warning) where state.suppressions?.suppresses(warning) == true:
        state.suppressed.append(warning)
        return false
      case .warning(let warning): state.warnings.append(warning)
      case .reject(let reject): state.rejects.append(reject)
      case .waiting, .changed, .distributed, .readingEnded, .tableWritten, .stageEnded: break
      }
      return true
    }
    if isReported { report(event) }
  }

  /// Records how a server's schema will be published.
  package func record(_ choice: PublishingChoice) { state.with { $0.publishing = choice } }

  /// Forgets what an attempt found that another one will find again.
  package func restart() {
    state.with { state in
      state.warnings.removeAll()
      state.suppressed.removeAll()
      state.checkedCodes.removeAll()
    }
  }

  /// Suppresses warnings from now on: they are counted, but not reported.
  package func apply(_ suppressions: Suppressions) { state.with { $0.suppressions = suppressions } }

  /// The current suppressions; nil if there are none.
  package var suppressions: Suppressions? { state.with { $0.suppressions } }

  /// Warns of each line that has suppressed nothing, once, if all warnings of its code have been reported by now.
  package func reportUnusedSuppressions(isComplete: (WarningCode) -> Bool) {
    let unused = state.with { state in
      let codes = WarningCode.allCases.filter { isComplete($0) && !state.checkedCodes.contains($0) }
      state.checkedCodes.formUnion(codes)
      return state.suppressions?.unused(
        state.suppressed, state.warnings, isComplete: codes.contains)
    }
    for warning in unused ?? [] { record(.warning(warning)) }
  }

  /// The verdict so far of a run that publishes these tables, without warnings that each run reports itself.
  ///
  /// `history` is completed with it.
  package func verdict(_ tables: [TableCounts], _ history: History) -> CatalogVerdict {
    state.with { state in
      var verdict = CatalogVerdict(
        tables: tables, warnings: state.warnings.filter(\.code.isStored),
        suppressed: state.suppressed.filter(\.code.isStored))
      verdict.history = history
      verdict.history.complete(verdict.state, suppressed: verdict.suppressed)
      return verdict
    }
  }

  package var allRejects: [Reject] { state.with { $0.rejects } }

  /// Repeats the warnings stored in a database, except those that this run reports itself.
  package func repeatWarnings(of verdict: CatalogVerdict) {
    let warnings = verdict.warnings.filter { !$0.code.isFoundAtOnce }
    state.with { state in
      state.warnings += warnings
      state.suppressed += verdict.suppressed.filter { !$0.code.isFoundAtOnce }
    }
    for warning in warnings { report(.warning(warning)) }
  }

  package var allWarnings: [Warning] { state.with { $0.warnings + $0.suppressed } }

  package var drift: [Warning] { state.with { $0.warnings.filter(\.code.isSchemaDrift) } }

  /// Runs a stage and records its time, even if it fails.
  package func time<Result: ~Copyable, Failure>(
    _ stage: StageTime.Stage, table: String? = nil, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let begin = now
    defer { record(stage, table: table, from: begin) }
    return try body()
  }

  /// Records a stage that began at `begin` and ends now.
  package func record(_ stage: StageTime.Stage, table: String? = nil, from begin: Double) {
    let time = StageTime(stage: stage, table: table, start: begin, end: now)
    state.with { $0.stages.append(time) }
    if table == nil { report(.stageEnded(time)) }
  }

  package var now: Double { (ContinuousClock.now - start).seconds }

  package func finish(_ outcome: inout IngestOutcome) {
    let state = state.with { $0 }
    outcome.warnings = state.warnings
    outcome.suppressed = state.suppressed
    outcome.rejects = state.rejects
    outcome.publishing = state.publishing
    outcome.stages = state.stages.sorted { $0.start < $1.start }
    outcome.seconds = now
  }
}
