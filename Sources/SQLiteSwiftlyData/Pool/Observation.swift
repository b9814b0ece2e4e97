import SQLiteSwiftly

/// The tables that the writes of a pool may have changed, after each commit.
///
/// A consumer that is slower than the writes gets the tables of several at once. It ends when the pool is closed, or its
/// task is canceled.
public struct TableChanges: AsyncSequence, AsyncIteratorProtocol, Sendable {
  let subscription: Subscription

  /// Returns the sequence itself: its iterators share the changes that were not received yet.
  public func makeAsyncIterator() -> Self { self }

  /// The tables of all writes since the last call, named as in the schema, once there is one; nil at the end.
  ///
  /// Empty if any table may have changed, as after a change of the schema.
  public func next() async -> Set<String>? { await subscription.next() }
}

/// The result of a query, again after each write that may have changed it.
///
/// The query runs when its consumer asks for the next result: a slow one loses results in between, never the last.
public struct ObservedQuery<Value: Sendable>: AsyncSequence, Sendable {
  let pool: ConnectionPool
  let query: @Sendable (Connection) throws -> Value

  /// Returns an iterator whose first result is that of now.
  public func makeAsyncIterator() -> Iterator { Iterator(pool: pool, query: query) }

  /// Runs the query, at once and after each change.
  public struct Iterator: AsyncIteratorProtocol {
    let pool: ConnectionPool
    let query: @Sendable (Connection) throws -> Value
    private var subscription: Subscription?

    init(pool: ConnectionPool, query: @escaping @Sendable (Connection) throws -> Value) {
      self.pool = pool
      self.query = query
    }

    /// The result, once it may have changed; nil after the pool was closed or the task canceled.
    ///
    /// - Throws: The error of the query, or `SQLiteError`; a later call runs the query again.
    public mutating func next() async throws -> Value? {
      if let subscription {
        guard await subscription.next() != nil else { return nil }
      }
      // Before the query, which may already see the next write.
      let subscription = subscription ?? pool.changes.subscribe()
      self.subscription = nil
      let (value, tables) = try await pool.readRecording(query)
      subscription.watch(tables)
      self.subscription = subscription
      return value
    }
  }
}

/// The tables that work uses, as the authorizer of its connection sees them.
final class UsedTables: Sendable {
  private struct State {
    /// Nil for any: the work has changed the schema, or set its own authorizer.
    var read: Set<String>? = []
    var changed: Set<String>? = []
  }
  private let state = LockedState(State())

  var read: Set<String>? { state.withLock { $0.read } }
  var changed: Set<String>? { state.withLock { $0.changed } }

  func record<Value>(on connection: Connection, _ body: () throws -> Value) rethrows -> Value {
    let configured = connection.authorizer
    connection.authorizer = { action in
      // SQLite reports no database for a table of which no column is read.
      if (action.database ?? "main") == "main" { self.note(action.operation) }
      return configured?(action) ?? .allow
    }
    connection.hasChanged = false
    defer {
      let isChanged = connection.hasChanged
      if isChanged { state.withLock { $0 = State(read: nil, changed: nil) } }
      connection.authorizer = configured
      connection.hasChanged = isChanged
    }
    return try body()
  }

  private func note(_ operation: AuthorizedAction.Operation) {
    state.withLock { state in
      switch operation {
      case .insert("sqlite_master"), .update("sqlite_master", _), .delete("sqlite_master"):
        state.changed = nil
      case .insert(let table), .update(let table, _), .delete(let table):
        state.changed?.insert(table)
      case .read(let table, _): state.read?.insert(table)
      default: break
      }
    }
  }
}

/// Those who wait for changes.
final class ChangeHub: Sendable {
  private struct Weak: Sendable { weak var subscription: Subscription? }
  private struct State {
    var subscriptions: [Weak] = []
    var isClosed = false
  }
  private let state = LockedState(State())

  var isObserved: Bool {
    state.withLock { state in
      state.subscriptions.removeAll { $0.subscription == nil }
      return !state.subscriptions.isEmpty
    }
  }

  func subscribe() -> Subscription {
    let subscription = Subscription()
    let isClosed = state.withLock { state in
      state.subscriptions.append(Weak(subscription: subscription))
      return state.isClosed
    }
    if isClosed { subscription.end() }
    return subscription
  }

  /// Nil for any tables.
  func report(_ tables: Set<String>?) {
    for weak in state.withLock({ $0.subscriptions }) { weak.subscription?.add(tables) }
  }

  func close() {
    let all = state.withLock { state in
      state.isClosed = true
      return state.subscriptions
    }
    for weak in all { weak.subscription?.end() }
  }
}

/// The changes that one consumer has not received yet.
final class Subscription: Sendable {
  private struct State {
    var pending: Set<String> = []
    var hasAny = false
    /// In lower case; nil for all tables.
    var watched: Set<String>?
    var hasEnded = false
    var waiting: CheckedContinuation<Set<String>?, Never>?

    var isReady: Bool { hasAny || !pending.isEmpty || hasEnded }

    mutating func filter() {
      guard let watched else { return }
      pending = pending.filter { watched.contains($0.lowercased()) }
    }

    /// The changes; nil at the end.
    mutating func take() -> Set<String>? {
      let tables = exchange(&pending, with: [])
      if exchange(&hasAny, with: false) { return [] }
      return tables.isEmpty ? nil : tables
    }
  }
  private let state = LockedState(State())

  func watch(_ tables: Set<String>?) {
    state.withLock { state in
      state.watched = tables.map { Set($0.map { $0.lowercased() }) }
      state.filter()
    }
  }

  func add(_ tables: Set<String>?) {
    deliver { state in
      if let tables { state.pending.formUnion(tables) } else { state.hasAny = true }
    }
  }

  func end() { deliver { $0.hasEnded = true } }

  private func deliver(_ change: (inout State) -> Void) {
    let (waiting, tables): (CheckedContinuation<Set<String>?, Never>?, Set<String>?) =
      state.withLock { state in
        change(&state)
        state.filter()
        guard state.isReady, let waiting = exchange(&state.waiting, with: nil) else {
          return (nil, nil)
        }
        return (waiting, state.take())
      }
    waiting?.resume(returning: tables)
  }

  func next() async -> Set<String>? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (ready, tables): (CheckedContinuation<Set<String>?, Never>?, Set<String>?) =
          state.withLock { state in
            if Task.isCancelled { return (continuation, nil) }
            guard !state.isReady else { return (continuation, state.take()) }
            // Of two that wait at once, the first ends.
            return (exchange(&state.waiting, with: continuation), nil)
          }
        ready?.resume(returning: tables)
      }
    } onCancel: {
      state.withLock { exchange(&$0.waiting, with: nil) }?.resume(returning: nil)
    }
  }
}
