import Glibc

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

/// Runs pieces of work on this thread and another, and returns their results in order.
///
/// Either thread must be able to run any piece, since the system may be unable to start another. The longest should
/// come first, so that both finish together.
package func onTwoThreads<Value: Sendable>(
  _ name: String, pieces: Int, _ work: @escaping @Sendable (Int) -> Value
) -> [Value] {
  let next = Monitor(0)
  let turns = { @Sendable () -> [(piece: Int, value: Value)] in
    var done: [(Int, Value)] = []
    while true {
      let piece = next.with { next in
        defer { next += 1 }
        return next
      }
      guard piece < pieces else { return done }
      done.append((piece, work(piece)))
    }
  }
  let helper = try? Worker(name, turns)
  let done = turns() + (helper?.result() ?? [])
  return done.sorted { $0.piece < $1.piece }.map(\.value)
}
