import Threads

/// The exit status of a run that is over, for the thread that waits for signals.
struct Ending: Sendable {
  private let known = Monitor<ExitStatus?>(nil)

  func know(_ status: ExitStatus) { known.with { $0 = status } }

  /// The status; waits until it is known.
  var status: ExitStatus { known.when({ $0 != nil }) { $0 ?? .fault } }
}
