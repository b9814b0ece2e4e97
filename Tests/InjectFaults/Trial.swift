/// One fault and what it is checked with, so that it can be repeated alone.
struct Trial: Sendable {
  let situation: Situation
  /// The group in the table of results, such as `write`.
  let kind: String
  /// What of the group it is, such as `error=EIO`.
  let fault: String
  /// The words of this tool's command line that repeat it.
  let repetition: String
  /// Does it in a workspace, and returns what is wrong; nil if the point was not reached.
  let attempt: @Sendable (Workspace) throws -> [String]?
}

/// What became of trials.
struct Tally {
  /// The trials of each kind, situation and fault.
  private(set) var counts: [String: [String: [String: Int]]] = [:]
  /// The seconds that those of each kind and fault took, one after another.
  private(set) var seconds: [String: [String: Double]] = [:]
  private(set) var failures: [(trial: Trial, faults: [String])] = []
  private(set) var unreached: [Trial] = []
  private(set) var total = 0

  mutating func add(_ trial: Trial, _ faults: [String]?, seconds: Double) {
    self.seconds[trial.kind, default: [:]][trial.fault, default: 0] += seconds
    guard let faults else { return unreached.append(trial) }
    total += 1
    counts[trial.kind, default: [:]][trial.fault, default: [:]][
      trial.situation.name, default: 0] += 1
    if !faults.isEmpty { failures.append((trial, faults)) }
  }
}
