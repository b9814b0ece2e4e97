/// The gate through which a run goes to create, rename or remove what others can see.
///
/// A signal may end the process at any moment. It shuts the gate first: then no thread is half way
/// through such a step or can begin another, and what is unfinished is removed. So nothing is left
/// over, wherever the run was, and no thread needs to be asked to stop.
package final class Gate: Sendable {
  /// What would have to be removed if the run ended now.
  package struct Unfinished: Sendable {
    fileprivate enum Phase { case open, shut, over }

    fileprivate var phase = Phase.open
    fileprivate var removals: [Int: @Sendable () -> Void] = [:]
    private var next = 0

    /// Adds something, which must not hold on to the gate; returns the number that stands for it.
    package mutating func add(_ removal: @escaping @Sendable () -> Void) -> Int {
      next += 1
      removals[next] = removal
      return next
    }

    package mutating func drop(_ number: Int) { removals[number] = nil }

    /// Says that the catalog is being put in its place, or that the run is over: it is too late to
    /// shut the gate.
    package mutating func end() { phase = .over }
  }

  private let unfinished = Monitor(Unfinished())

  package init() {}

  /// Does a short step: one thread at a time, and none once the gate is shut.
  ///
  /// A thread that comes too late waits here for the end of the process. The steps of a run must not be
  /// nested.
  package func pass<Result: ~Copyable, Failure>(
    _ step: (inout Unfinished) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unfinished.when({ $0.phase != .shut }) { unfinished in
      Swift.Result { () throws(Failure) in try step(&unfinished) }
    }.get()
  }

  /// Shuts the gate permanently and removes what is unfinished.
  ///
  /// - Returns: Whether that was still possible.
  package func shut() -> Bool {
    unfinished.with { unfinished in
      guard unfinished.phase == .open else { return false }
      unfinished.phase = .shut
      // The lock was taken first, and is released last.
      for (_, remove) in unfinished.removals.sorted(by: { $0.key > $1.key }) { remove() }
      return true
    }
  }
}
