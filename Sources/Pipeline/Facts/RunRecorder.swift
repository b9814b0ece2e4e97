import Threads

/// Collects what both threads of a run report, and passes it on at once.
package final class RunRecorder: Sendable {
  private struct State: Sendable {
    var notices: [Notice] = []
    var acceptedNotices: AcceptedNotices?
    var accepted: [Notice] = []
    /// The codes of the lines that were looked at for whether they accept anything.
    var lookedAt: Set<NoticeCode> = []
    var rejects: [Reject] = []
    var stages: [StageTime] = []
  }

  package let progress = RunProgress()

  private let start = ContinuousClock.now
  private let state = Monitor(State())
  private let tell: @Sendable (IngestEvent) -> Void

  /// Begins with a run; `tell` is called from both of its threads.
  package init(_ tell: @escaping @Sendable (IngestEvent) -> Void) { self.tell = tell }

  package func record(_ event: IngestEvent) {
    let isTold = state.with { state in
      switch event {
      case .notice(let notice) where state.acceptedNotices?.accepts(notice) == true:
        state.accepted.append(notice)
        return false
      case .notice(let notice): state.notices.append(notice)
      case .reject(let reject): state.rejects.append(reject)
      case .waiting, .changed, .readingEnded, .tableWritten, .stageEnded: break
      }
      return true
    }
    if isTold { tell(event) }
  }

  /// Says which notices are acknowledged from now on: they are counted, and not told.
  package func accept(_ notices: AcceptedNotices) { state.with { $0.acceptedNotices = notices } }

  /// Those notices; nil if there are none.
  package var acceptedNotices: AcceptedNotices? { state.with { $0.acceptedNotices } }

  /// Tells which lines have accepted nothing, each once, of codes whose notices would have been told by now.
  package func tellUnusedAcceptances(isTold: (NoticeCode) -> Bool) {
    let unused = state.with { state in
      let codes = NoticeCode.allCases.filter { isTold($0) && !state.lookedAt.contains($0) }
      state.lookedAt.formUnion(codes)
      return state.acceptedNotices?.unused(state.accepted, state.notices, isTold: codes.contains)
    }
    for notice in unused ?? [] { record(.notice(notice)) }
  }

  /// The verdict so far of a run that publishes these tables, without notices about edited rejects: each run
  /// checks for those itself.
  package func verdict(_ tables: [TableAccount]) -> CatalogVerdict {
    state.with { state in
      CatalogVerdict(
        tables: tables, notices: state.notices.filter { $0.code != .rejectsEdited },
        accepted: state.accepted.filter { $0.code != .rejectsEdited })
    }
  }

  /// Repeats the notices stored in a catalogue, except those that this run finds itself.
  package func repeatNotices(of verdict: CatalogVerdict) {
    let notices = verdict.notices.filter { !$0.code.isFoundAtOnce }
    state.with { state in
      state.notices += notices
      state.accepted += verdict.accepted.filter { !$0.code.isFoundAtOnce }
    }
    for notice in notices { tell(.notice(notice)) }
  }

  package var noticed: [Notice] { state.with { $0.notices + $0.accepted } }

  package var drift: [Notice] { state.with { $0.notices.filter(\.code.isDrift) } }

  /// Does a part of the run and notes when it was done, also if it fails.
  package func time<Result: ~Copyable, Failure>(
    _ stage: StageTime.Stage, table: String? = nil, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let begin = now
    defer { record(stage, table: table, from: begin) }
    return try body()
  }

  /// Notes a part of the run that began at `begin` and ends now.
  package func record(_ stage: StageTime.Stage, table: String? = nil, from begin: Double) {
    let time = StageTime(stage: stage, table: table, start: begin, end: now)
    state.with { $0.stages.append(time) }
    if table == nil { tell(.stageEnded(time)) }
  }

  package var now: Double { (ContinuousClock.now - start).seconds }

  package func finish(_ outcome: inout IngestOutcome) {
    let state = state.with { $0 }
    outcome.notices = state.notices
    outcome.accepted = state.accepted
    outcome.rejects = state.rejects
    outcome.stages = state.stages.sorted { $0.start < $1.start }
    outcome.seconds = now
  }
}
