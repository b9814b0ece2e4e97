import Foundation
import Synchronization

/// Does trials, several at a time, each worker in a workspace of its own.
struct Workers {
  let count: Int
  let folder: String

  /// Does them all.
  func attempt(_ trials: [Trial]) throws -> Tally {
    let tally = Mutex((next: 0, tally: Tally(), failure: Failure?.none))
    let workspaces = try (0..<count).map { try Workspace("\(folder)/worker-\($0)") }
    DispatchQueue.concurrentPerform(iterations: count) { worker in
      var dumps: String?
      while true {
        let index = tally.withLock { state in
          defer { state.next += 1 }
          return state.next
        }
        guard index < trials.count else { return }
        let trial = trials[index]
        let start = ContinuousClock.now
        var faults: [String]?
        do {
          if dumps != trial.situation.dumps {
            try workspaces[worker].putDumps(trial.situation.dumps)
          }
          dumps = trial.situation.dumps
          faults = try trial.attempt(workspaces[worker])
        } catch {
          faults = ["\(error)"]
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        tally.withLock { $0.tally.add(trial, faults, seconds: seconds) }
      }
    }
    return tally.withLock { $0.tally }
  }
}
