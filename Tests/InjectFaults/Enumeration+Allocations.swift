import TestSupport

extension Enumeration {
  /// How many allocations of SQLite and zlib fail in a sample.
  private static let sample = 12
  /// How many of the first fail otherwise, and how many of the others, which come with the rows: all of them,
  /// some 180,000 in a run, would take two days.
  private static let (first, others) = (2000, 3000)

  /// Allocations of SQLite and zlib fail, one alone or all from one on.
  func allocationTrials(all: Bool) -> [Trial] {
    let count = situation.baseline.allocations
    guard count > 0 else { return [] }
    let numbers = Array(1...count)
    let many = numbers.prefix(Self.first) + Array(numbers.dropFirst(Self.first)).spread(Self.others)
    return (all ? Array(many) : numbers.spread(Self.sample)).flatMap { number in
      ["", "+"].map { allocationTrial("\(number)\($0)") }
    }
  }

  /// The trial of one allocation: its number, and a plus sign if all after it fail, too.
  func allocationTrial(_ allocation: String) -> Trial {
    Trial(
      situation: situation, kind: "allocation", fault: allocation.hasSuffix("+") ? "all" : "one",
      repetition: "--situation \(situation.name) --allocation \(allocation)"
    ) { [situation, ingest, shim] workspace in
      try workspace.restore(situation.before)
      let command = workspace.command(ingest, situation)
      let (outcome, wasReached) = try workspace.run(
        command, shim: shim, ("FAULTS_MALLOC", allocation))
      guard wasReached else { return nil }
      // SQLite does without memory that would only make it faster.
      var expectation = Expectation(statuses: [situation.baseline.status, 74])
      // The second is what SQLite's check of the file makes of it.
      expectation.causes = [
        "out of memory", "unable to get the page. error code=7", "Cannot allocate memory",
      ]
      let checks = Checks(situation: situation)
      let faults = checks.faults(after: outcome, try workspace.contents().output, expectation)
      let next = try command.run()
      return faults + checks.faults(afterNext: next, try workspace.contents().output)
    }
  }
}
