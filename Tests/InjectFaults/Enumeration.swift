import TestSupport

/// All faults at all calls of a situation's undisturbed run.
struct Enumeration {
  let situation: Situation
  let ingest: String
  let shim: String

  /// Every how many calls of a kind a fault that does not kill is tried.
  ///
  /// These are many and alike. The first call of each file is always among them, and the last, but for
  /// those of `withoutLast`.
  static let steps = [
    "read": 64, "stat": 96, "write": 32, "lock": 48, "entry": 8, "open": 8, "resolve": 8,
  ]
  /// The same for faults that kill: reading changes nothing, so what a run that is killed at a read
  /// leaves is what one leaves that is killed at the write before.
  static let killSteps = ["read": 200, "write": 12, "lock": 48, "open": 16]

  /// The kinds of call whose last one on a file is like those before.
  static let withoutLast: Set = ["read", "stat", "open", "resolve"]

  /// The trials, every one or those of the steps.
  func trials(all: Bool) -> [Trial] {
    var trials: [Trial] = []
    let calls = situation.baseline.calls.counts.filter { situation.isOfInterest($0.key) }
    for (call, count) in calls.sorted(by: {
      ($0.key.kind, $0.key.path) < ($1.key.kind, $1.key.path)
    }) {
      for fault in Fault.faults(of: call.kind) where applies(fault, to: call) {
        let steps = fault.isKill ? Self.killSteps : Self.steps
        let step = all ? 1 : (steps[call.kind] ?? 1) * situation.thinning
        let hasLast = !Self.withoutLast.contains(call.kind)
        for number in 1...count
        where number % step == 1 || step == 1 || number == count && hasLast {
          trials.append(trial(Point(call, number, fault)))
        }
      }
    }
    return trials
  }

  /// Some calls on the output with these faults: of those that are many and alike the first, one in the
  /// middle and the last.
  func fewPoints(_ faults: [Fault]) -> [Point] {
    situation.baseline.calls.counts.filter { call, _ in
      call.path.hasPrefix("out") && call.kind != "access"
    }
    .sorted { ($0.key.kind, $0.key.path) < ($1.key.kind, $1.key.path) }
    .flatMap { call, count in
      Set([1, (count + 1) / 2, count]).sorted().flatMap { number in
        faults.map { Point(call, number, $0) }
      }
    }
  }

  /// A dead disk is the output's: the dumps may stand on another.
  private func applies(_ fault: Fault, to call: Call) -> Bool {
    guard call.path.hasPrefix("dumps") else { return true }
    return !fault.isLasting && !(call.kind == "read" && fault == .killBefore)
  }

  /// The trial of one point.
  func trial(_ point: Point) -> Trial {
    let checks = Checks(situation: situation)
    return Trial(
      situation: situation, kind: point.call.kind, fault: point.fault.rawValue,
      repetition: "--situation \(situation.name) --point '\(point)'"
    ) { [situation, ingest, shim] workspace in
      try workspace.restore(situation.before)
      let command = workspace.command(ingest, situation)
      let (outcome, wasReached) = try workspace.run(
        command, shim: shim, ("FAULTS_POINT", point.description))
      guard wasReached else { return nil }
      let expectation = Expectation(point, ordinary: situation.baseline.status)
      let faults = checks.faults(after: outcome, try workspace.contents().output, expectation)
      let next = try command.run()
      return faults
        + checks.faults(
          afterNext: next, try workspace.contents().output, mayPushOut: expectation.mayPushOut)
    }
  }
}
