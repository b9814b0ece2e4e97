import Threads
import Files

/// How a run waits for others: for another run, or for a program that has locked the catalog.
package final class Patience: Sendable {
  private let waited = Monitor(0.0)
  private let tell: @Sendable (String) -> Void

  /// Begins with a run; `tell` is called once for each that it waits for.
  package init(_ tell: @escaping @Sendable (String) -> Void = { _ in }) { self.tell = tell }

  /// The seconds of all waits, which are no part of what the run itself takes.
  package var seconds: Double { waited.with { $0 } }

  /// Asks repeatedly, once at least, until there is an answer or the time is up; `description` says whom it
  /// waits for.
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
        tell(description())
      }
      return nil
    }
  }
}
