/// The gate that a run passes to create, rename or remove files that others can see.
///
/// A signal may end the process at any moment. It shuts the gate first, so that no thread is in such a step, and
/// unfinished files are removed.
package final class Gate: Sendable {
  /// The unfinished files to remove if the run ended now.
  package struct Unfinished: Sendable {
    fileprivate enum Phase { case open, shut, over }

    fileprivate var phase = Phase.open
    fileprivate var removals: [Int: @Sendable () -> Void] = [:]
    private var next = 0

    /// Adds a removal, which must not retain the gate; returns its number.
    package mutating func add(_ removal: @escaping @Sendable () -> Void) -> Int {
      next += 1
      removals[next] = removal
      return next
    }

    package mutating func drop(_ number: Int) { removals[number] = nil }

    /// Marks the start of publishing, or the end of the run: it is then too late to shut the gate.
    package mutating func end() { phase = .over }
  }

  private let unfinished = Monitor(Unfinished())

  package init() {}

  /// Runs a short step that must not be nested: one thread at a time, and none once the gate is shut.
  package func pass<Result: ~Copyable, Failure>(
    _ step: (inout Unfinished) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unfinished.when({ $0.phase != .shut }) { unfinished in
      Swift.Result { () throws(Failure) in try step(&unfinished) }
    }.get()
  }

  /// Shuts the gate permanently, removes unfinished files, and returns whether it was still possible.
  package func shut() -> Bool {
    unfinished.with { unfinished in
      guard unfinished.phase == .open else { return false }
      unfinished.phase = .shut
      // The lock was acquired first, and is released last.
      for (_, remove) in unfinished.removals.sorted(by: { $0.key > $1.key }) { remove() }
      return true
    }
  }
}
