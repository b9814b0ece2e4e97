import TestSupport

/// All faults at all calls of a situation's undisturbed run.
struct Enumeration {
  let situation: Situation
  let ingest: String
  let shim: String

  /// The trials: every one, or of each fault at each kind of call as many as the situation says.
  func trials(all: Bool) -> [Trial] {
    let calls = sortedCalls { situation.isOfInterest($0) }
    let kinds = Set(calls.map(\.call.kind)).sorted()
    return kinds.flatMap { kind in
      let faults = Fault.faults(of: kind)
      return faults.enumerated().flatMap { order, fault in
        let points = calls.filter { $0.call.kind == kind && applies(fault, to: $0.call) }.flatMap {
          call, count in
          (all ? Array(1...count) : few(count)).map { Point(call, $0, fault) }
        }
        let phase = Double(order) / Double(faults.count)
        return all ? points : points.spread(situation.sample, phase: phase)
      }
    }.map(trial)
  }

  /// The calls of the undisturbed run, and how often each was made, in an order that is always the same.
  private func sortedCalls(
    _ isIncluded: (Call) -> Bool
  ) -> [(call: Call, count: Int)] {
    situation.baseline.calls.counts.filter { isIncluded($0.key) }
      .map { (call: $0.key, count: $0.value) }
      .sorted { ($0.call.kind, $0.call.path) < ($1.call.kind, $1.call.path) }
  }

  /// Of calls that are many and alike the first, one in the middle and the last.
  private func few(_ count: Int) -> [Int] { Set([1, (count + 1) / 2, count]).sorted() }

  /// Few calls of each kind on each file of the output, with these faults.
  func fewPoints(_ faults: [Fault]) -> [Point] {
    sortedCalls { $0.path.hasPrefix("out") && $0.kind != "access" }.flatMap { call, count in
      few(count).flatMap { number in faults.map { Point(call, number, $0) } }
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
      let expectation = Expectation(point, in: situation)
      let faults = checks.faults(after: outcome, try workspace.contents().output, expectation)
      let next = try command.run()
      return faults
        + checks.faults(
          afterNext: next, try workspace.contents().output, mayPushOut: expectation.mayPushOut)
    }
  }
}

extension Array {
  /// At most so many of the elements: the first, the last, and others evenly between them, which are moved by
  /// a part of the distance between two of them.
  func spread(_ most: Int, phase: Double = 0) -> [Element] {
    guard count > most else { return self }
    guard most > 1 else { return Array(prefix(most)) }
    let inner = (0..<most - 2).map { place in
      1 + Int((Double(place) + phase) * Double(count - 2) / Double(most - 2))
    }
    return ([0] + inner + [count - 1]).map { self[$0] }
  }
}
