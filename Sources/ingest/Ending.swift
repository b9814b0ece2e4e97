import Dispatch
import Synchronization

/// The exit status of a run that is over, for the thread that waits for signals.
final class Ending: Sendable {
  private let number = Atomic<Int32>(0)
  private let isKnown = DispatchSemaphore(value: 0)

  /// Says what the status is; to be called once.
  func know(_ status: ExitStatus) {
    number.store(status.rawValue, ordering: .releasing)
    isKnown.signal()
  }

  /// The status; waits until it is known.
  var status: ExitStatus {
    isKnown.wait()
    return ExitStatus(rawValue: number.load(ordering: .acquiring)) ?? .fault
  }
}
