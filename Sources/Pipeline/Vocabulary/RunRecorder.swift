import Platform

/// Collects the events of all threads of a run, and forwards them immediately.
package final class RunRecorder: Sendable {
  private struct State: Sendable {
    var warnings: [Warning] = []
    var suppressions: Suppressions?
    var suppressed: [Warning] = []
    /// The warnings about changes that earlier runs have accepted.
    var accepted: [Warning] = []
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

  /// Starts with a run; `report` is called from any of its threads.
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

  package func record(_ choice: PublishingChoice) { state.with { $0.publishing = choice } }

  /// Forgets what an attempt found that another one will find again.
  package func restart() {
    state.with { state in
      state.warnings.removeAll()
      state.suppressed.removeAll()
      state.accepted.removeAll()
      state.checkedCodes.removeAll()
    }
  }

  /// Suppresses warnings from now on: they are counted, but not reported.
  package func apply(_ suppressions: Suppressions) { state.with { $0.suppressions = suppressions } }

  /// Keeps the lines that name accepted changes from being reported as unused.
  package func accept(_ changes: [Warning]) { state.with { $0.accepted = changes } }

  package var suppressions: Suppressions? { state.with { $0.suppressions } }

  /// Warns of each line that has suppressed nothing, once, if all warnings of its code have been reported by now.
  package func reportUnusedSuppressions(isComplete: (WarningCode) -> Bool) {
    let unused = state.with { state in
      let codes = WarningCode.allCases.filter { isComplete($0) && !state.checkedCodes.contains($0) }
      state.checkedCodes.formUnion(codes)
      return state.suppressions?.unused(
        state.suppressed + state.accepted, state.warnings, isComplete: codes.contains)
    }
    for warning in unused ?? [] { record(.warning(warning)) }
  }

  /// What a database stores of the outcome so far: not the warnings that each run reports itself.
  package func stored(_ outcome: IngestOutcome) -> IngestOutcome {
    var stored = outcome
    (stored.warnings, stored.suppressed) = state.with {
      ($0.warnings.filter(\.code.isStored), $0.suppressed.filter(\.code.isStored))
    }
    let suppressions = suppressions
    stored.history.complete(stored.verdict.state.rawValue, suppressed: stored.suppressed) {
      suppressions?.suppresses($0) == true
    }
    return stored
  }

  package var allRejects: [Reject] { state.with { $0.rejects } }

  /// Repeats the warnings stored in a database, except those that this run reports itself.
  package func repeatWarnings(of stored: IngestOutcome) {
    accept(stored.history.accepted)
    let warnings = stored.warnings.filter { !$0.code.isFoundAtOnce }
    state.with { state in
      state.warnings += warnings
      state.suppressed += stored.suppressed.filter { !$0.code.isFoundAtOnce }
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

  package func complete(_ outcome: inout IngestOutcome) {
    let state = state.with { $0 }
    outcome.warnings = state.warnings
    outcome.suppressed = state.suppressed
    outcome.rejects = state.rejects
    outcome.publishing = state.publishing
    outcome.stages = state.stages.sorted { $0.start < $1.start }
    outcome.seconds = now
  }
}

/// An event that a run reports, from any thread.
package enum IngestEvent: Equatable, Sendable {
  /// The most rejects reported for each code and table.
  package static let describedRejectsPerCode = 10

  /// The run waits for another run or program, which the text describes.
  case waiting(String)
  /// The run cannot be skipped, because of the change that the text describes.
  case changed(String)
  /// The tables are distributed over several nodes, as the text describes.
  case distributed(String)
  /// A record was rejected; only the first of many similar ones are reported.
  case reject(Reject)
  case warning(Warning)
  /// The source files were read, completely or up to a failure; rows are not counted yet.
  case readingEnded([TableCounts])
  case tableWritten(name: String, rows: Int, seconds: Double)
  /// A stage of the run that concerns several tables has ended.
  case stageEnded(StageTime)
}
