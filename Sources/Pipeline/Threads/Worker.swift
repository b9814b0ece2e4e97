import Glibc

/// A separate thread for one piece of work, which may block, unlike a task.
package struct Worker<Value: Sendable>: Sendable {
  private let value = Monitor<Value?>(nil)

  /// Starts the thread, which inherits the blocked signals; `name` is one word for its purpose.
  ///
  /// - Throws: `ThreadError` if the system cannot start a thread; `body` is then not called.
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

  /// Waits for the result of the thread.
  package func result() -> Value {
    value.when({ $0 != nil }) { value in
      guard let value else { preconditionFailure("no result after the wait") }
      return value
    }
  }
}

/// The system could not start a thread.
package struct ThreadError: Error {
  package let name: String
  /// The error number, as in `errno`.
  package let code: Int32
}

/// The work passed to a new thread.
private final class Work: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}
