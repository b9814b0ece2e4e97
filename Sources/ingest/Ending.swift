import Threads

/// The exit status of a finished run, for the thread that waits for signals.
struct Ending: Sendable {
  private let result = Monitor<ExitStatus?>(nil)

  func finish(with status: ExitStatus) { result.with { $0 = status } }

  /// The exit status; blocks until the run has finished.
  var status: ExitStatus { result.when({ $0 != nil }) { $0 ?? .fault } }
}
