import Dispatch
import SQLiteSwiftly

/// Connections that are lent to one task at a time, in the order of priorities and of requests.
final class ConnectionQueue: Sendable {
  private struct State {
    var idle: [PooledConnection]
    var isClosed = false
    /// The tasks that wait, by number; those that were canceled are missing.
    var waiting: [Int: CheckedContinuation<PooledConnection, any Error>] = [:]
    var lanes: [UInt8: Lane] = [:]
    var nextNumber = 0

    /// The numbers of tasks of one priority in the order in which they came, and how many of these have been served.
    struct Lane {
      var order: [Int] = []
      var served = 0

      mutating func next() -> Int? {
        guard served < order.count else { return nil }
        defer { served += 1 }
        if served > 1000, served * 2 > order.count {
          order.removeFirst(served)
          served = 0
        }
        return order[served]
      }
    }

    mutating func wait(
      _ number: Int, _ priority: TaskPriority,
      _ continuation: CheckedContinuation<PooledConnection, any Error>
    ) {
      waiting[number] = continuation
      lanes[priority.rawValue, default: Lane()].order.append(number)
    }

    mutating func next() -> CheckedContinuation<PooledConnection, any Error>? {
      for priority in lanes.keys.sorted(by: >) {
        while let number = lanes[priority]?.next() {
          if let next = waiting.removeValue(forKey: number) { return next }
        }
        lanes[priority] = nil
      }
      return nil
    }
  }

  private let count: Int
  private let state: LockedState<State>

  init(_ connections: [PooledConnection]) {
    count = connections.count
    state = LockedState(State(idle: connections))
  }

  /// Runs `body` with a connection, once one is free.
  func run<Value: Sendable>(
    _ body: (PooledConnection) async throws -> Value
  ) async throws -> Value {
    try await withTaskExecutorPreference(TurnExecutor.shared) {
      let connection = try await take()
      defer {
        let next = state.withLock { state in
          let next = state.next()
          if next == nil { state.idle.append(connection) }
          return next
        }
        next?.resume(returning: connection)
      }
      return try await Self.$lender.withValue(ObjectIdentifier(self)) {
        try await body(connection)
      }
    }
  }

  /// The queue of the connection that the task has now.
  @TaskLocal private static var lender: ObjectIdentifier?

  /// Whether the task has one of these connections now.
  var isLending: Bool { Self.lender == ObjectIdentifier(self) }

  /// Refuses later tasks.
  ///
  /// - Returns: Whether this call was the first.
  func refuseTasks() -> Bool { state.withLock { !exchange(&$0.isClosed, with: true) } }

  /// Closes all connections, each once its task and those that wait already have ended; throws the
  /// first error once all have been tried.
  func close() async throws {
    // The cancellation of the task that closes must not leave connections open.
    try await Task(executorPreference: TurnExecutor.shared) {
      var failure: (any Error)?
      for _ in 0..<self.count {
        do { try await self.take(forClosing: true).close() } catch { failure = failure ?? error }
      }
      if let failure { throw failure }
    }.value
  }

  private func take(forClosing: Bool = false) async throws -> PooledConnection {
    let number = state.withLock { state in
      defer { state.nextNumber += 1 }
      return state.nextNumber
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result: Result<PooledConnection, any Error>? = state.withLock { state in
          // If the cancellation comes later, its handler finds the continuation.
          if Task.isCancelled { return .failure(Self.canceled) }
          if state.isClosed, !forClosing { return .failure(Self.closed) }
          if let connection = state.idle.popLast() { return .success(connection) }
          // Closing comes after all tasks.
          let priority = forClosing ? TaskPriority(rawValue: 0) : Task.currentPriority
          state.wait(number, priority, continuation)
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      let waiting = state.withLock { $0.waiting.removeValue(forKey: number) }
      waiting?.resume(throwing: Self.canceled)
    }
  }

  private static let canceled = SQLiteError(.interrupted, "the task was canceled")
  private static let closed = SQLiteError(.misuse, "the pool is closed")
}

/// Runs what lends and returns connections on a thread of its own, since those of tasks may all be blocked by calls that
/// wait for a connection.
final class TurnExecutor: TaskExecutor {
  static let shared = TurnExecutor()
  private let queue = DispatchQueue(label: "SQLiteSwiftlyData.ConnectionPool.turns")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
