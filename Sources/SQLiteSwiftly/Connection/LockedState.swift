import Glibc

/// State that threads use in turn: a pthread mutex, since the thread sanitizer cannot see the one of Synchronization.
@safe package final class LockedState<State>: @unchecked Sendable {
  private var state: State
  // A lock in use must not move.
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  package init(_ state: State) {
    self.state = state
    unsafe pthread_mutex_init(lock, nil)
  }

  deinit {
    unsafe pthread_mutex_destroy(lock)
    unsafe lock.deallocate()
  }

  package func withLock<Result>(_ body: (inout State) -> Result) -> Result {
    unsafe pthread_mutex_lock(lock)
    defer { unsafe pthread_mutex_unlock(lock) }
    return body(&state)
  }
}
