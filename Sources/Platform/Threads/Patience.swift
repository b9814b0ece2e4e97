/// Waits for another run, or for a program that has locked the database.
package final class Patience: Sendable {
  private let waited = Monitor(0.0)
  private let report: @Sendable (String) -> Void

  /// Starts with a run; `report` is called once for each wait.
  package init(_ report: @escaping @Sendable (String) -> Void = { _ in }) { self.report = report }

  /// The seconds of all waits, which do not count as time of the run.
  package var seconds: Double { waited.with { $0 } }

  /// Calls `ask` at least once, until it returns an answer or the time is up; `description` is reported if it waits.
  package func wait<Answer, Failure>(
    for seconds: Double, _ description: () -> String, until ask: () throws(Failure) -> Answer?
  ) throws(Failure) -> Answer? {
    let start = ContinuousClock.now
    var hasWaited = false
    defer { if hasWaited { waited.with { $0 += (ContinuousClock.now - start).seconds } } }
    return try poll(for: seconds) { () throws(Failure) in
      if let answer = try ask() { return answer }
      if seconds > 0, !hasWaited {
        hasWaited = true
        report(description())
      }
      return nil
    }
  }
}
