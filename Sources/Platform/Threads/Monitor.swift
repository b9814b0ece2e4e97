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

/// Sums up the time of repeated work.
package struct Stopwatch {
  private var total = Duration.zero

  package init() {}

  package var seconds: Double { total.seconds }

  package mutating func time<Result: ~Copyable>(_ body: () -> Result) -> Result {
    let start = ContinuousClock.now
    defer { total += ContinuousClock.now - start }
    return body()
  }
}

extension Duration {
  package var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
