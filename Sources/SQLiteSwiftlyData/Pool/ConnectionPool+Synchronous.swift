import Dispatch
public import SQLiteSwiftly

/// The calls of a pool for code that is not `async`, such as a command or a thread of its own.
///
/// They block their thread until a connection is free and the work is done. `async` code cannot call them, since that
/// thread may be one of those that run tasks. Nor can a closure of the same pool, which might wait for its own connection:
/// that is an error with the code `misuse`.
extension ConnectionPool {
  /// Runs `body` on a connection that reads, like the `async` call.
  ///
  /// ```swift
  /// let names = try pool.readAndWait { connection in
  ///   try connection.query("SELECT name FROM parts", as: String.self)
  /// }
  /// ```
  @available(*, noasync, message: "the `async` call has the name without AndWait")
  public func readAndWait<Value: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) throws -> Value { try waiting { try await self.read(body) } }

  /// Runs `body` on the connection that writes, in a transaction, like the `async` call.
  @discardableResult
  @available(*, noasync, message: "the `async` call has the name without AndWait")
  public func writeAndWait<Value: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) throws -> Value { try waiting { try await self.write(body) } }

  /// Runs `body` on the connection that writes, without a transaction, like the `async` call.
  @discardableResult
  @available(*, noasync, message: "the `async` call has the name without AndWait")
  public func writeWithoutTransactionAndWait<Value: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) throws -> Value { try waiting { try await self.writeWithoutTransaction(body) } }

  /// Closes the connections, like the `async` call.
  @available(*, noasync, message: "the `async` call has the name without AndWait")
  public func closeAndWait() throws { try waiting { try await self.close() } }

  private func waiting<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    guard !isLending else {
      throw SQLiteError(
        .misuse, "a closure of the pool cannot wait for the pool; use the connection it has")
    }
    let result = LockedState<Result<Value, any Error>?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    Task.detached(executorPreference: TurnExecutor.shared, priority: Task.currentPriority) {
      let value: Result<Value, any Error>
      do { value = .success(try await work()) } catch { value = .failure(error) }
      result.withLock { $0 = value }
      isDone.signal()
    }
    isDone.wait()
    // Set before the signal.
    guard let value = result.withLock({ $0 }) else { throw CancellationError() }
    return try value.get()
  }
}
