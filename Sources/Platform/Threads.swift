import Glibc

/// State that threads access in turn, and wait on: a pthread mutex, since Synchronization has no condition variable.
@safe package final class Monitor<State: ~Copyable & Sendable>: @unchecked Sendable {
  private var state: State
  // A lock in use must not move, so both live on the heap.
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  package init(_ state: consuming State) {
    self.state = state
    unsafe pthread_mutex_init(lock, nil)
    unsafe pthread_cond_init(changed, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(changed)
    unsafe pthread_mutex_destroy(lock)
    unsafe changed.deallocate()
    unsafe lock.deallocate()
  }

  package func with<Result: ~Copyable>(_ body: (inout State) -> Result) -> Result {
    when({ _ in true }, body)
  }

  /// Waits until `isReady`, runs `body`, and wakes the other threads to check the new state.
  package func when<Result: ~Copyable>(
    _ isReady: (borrowing State) -> Bool, _ body: (inout State) -> Result
  ) -> Result {
    unsafe pthread_mutex_lock(lock)
    defer {
      unsafe pthread_cond_broadcast(changed)
      unsafe pthread_mutex_unlock(lock)
    }
    while !isReady(state) { unsafe pthread_cond_wait(changed, lock) }
    return body(&state)
  }
}

extension Duration {
  package var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

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

/// A separate thread for one piece of work, which may block, unlike a task.
package struct Worker<Value: Sendable>: Sendable {
  private let value = Monitor<Value?>(nil)

  /// Starts the thread, which inherits the blocked signals; throws before calling `body` if it cannot.
  package init(_ name: String, _ body: @escaping @Sendable () -> Value) throws(ThreadError) {
    let work = Work { [value] in
      let result = body()
      value.with { $0 = result }
    }
    let context = unsafe Unmanaged.passRetained(work).toOpaque()
    var thread = pthread_t()
    let code = unsafe pthread_create(
      &thread, nil,
      { context in
        if let context = unsafe context {
          unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
        }
        return nil
      }, context)
    guard code == 0 else {
      unsafe Unmanaged<Work>.fromOpaque(context).release()
      throw ThreadError(name: name, code: code)
    }
    pthread_detach(thread)
  }

  package func result() -> Value {
    value.when({ $0 != nil }) { value in
      guard let value else { preconditionFailure("no result after the wait") }
      return value
    }
  }
}

package struct ThreadError: Error {
  package let name: String
  /// The error number, as in `errno`.
  package let code: Int32
}

private final class Work: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

/// The numbers of pieces of work, each of which one thread takes.
package struct Turns: Sendable {
  private let next = Monitor(0)
  private let count: Int

  package init(_ count: Int) { self.count = count }

  /// The number of the next piece; nil if none is left.
  package func take() -> Int? {
    next.with { next in
      guard next < count else { return nil }
      defer { next += 1 }
      return next
    }
  }

  /// Leaves the other pieces undone.
  package func end() { next.with { $0 = count } }
}

/// A thread that does pieces of work in the order in which they are added; in the end, the thread that adds them helps.
///
/// Either thread must be able to do any piece, since the system may be unable to start another.
package final class Helper: Sendable {
  private struct Pieces: Sendable {
    var waiting: [@Sendable () -> Void] = []
    var running = 0
    var isOver = false
  }

  private let pieces = Monitor(Pieces())

  /// Starts the thread.
  package init() {
    let pieces = pieces
    _ = try? Worker("helper") { while Self.doPiece(of: pieces, waits: true) {} }
  }

  /// Leaves undone what the thread has not begun, and does not wait for it.
  deinit {
    pieces.with {
      $0.waiting = []
      $0.isOver = true
    }
  }

  package func add(_ piece: @escaping @Sendable () -> Void) {
    pieces.with { $0.waiting.append(piece) }
  }

  /// Does pieces on this thread as well, until all are done.
  package func finish() {
    while Self.doPiece(of: pieces, waits: false) {}
    pieces.when({ $0.running == 0 }) { _ in }
  }

  /// Does pieces on both threads, after those added before, and returns their results in order.
  package func results<Value: Sendable>(
    of count: Int, _ work: @escaping @Sendable (Int) -> Value
  ) -> [Value] {
    let results = Monitor([Value?](repeating: nil, count: count))
    for piece in 0..<count {
      add {
        let value = work(piece)
        results.with { $0[piece] = value }
      }
    }
    finish()
    return results.with { results in
      results.map { result in
        guard let result else { preconditionFailure("a piece was not done") }
        return result
      }
    }
  }

  /// Does the first piece; returns false if there is none, after waiting for one or for the end.
  private static func doPiece(of pieces: Monitor<Pieces>, waits: Bool) -> Bool {
    let piece = pieces.when({ !waits || !$0.waiting.isEmpty || $0.isOver }) { pieces in
      guard let first = pieces.waiting.first else { return nil as (@Sendable () -> Void)? }
      pieces.waiting.removeFirst()
      pieces.running += 1
      return first
    }
    guard let piece else { return false }
    piece()
    pieces.with { $0.running -= 1 }
    return true
  }
}
