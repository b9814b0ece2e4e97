import Dispatch
import SQLiteSwiftly
import SQLiteSwiftlyData
import Synchronization
import Testing

/// A connection that two threads or two tasks use, which the compiler does not always detect.
struct SharedConnectionTests {
  /// Passes a connection where the compiler would refuse it.
  private struct Leak: Error, @unchecked Sendable { let connection: Connection }

  private static let refused = SQLiteError(
    .misuse,
    "another thread is using the connection; use it from one thread at a time, or use a pool")

  private typealias Use = (name: String, run: @Sendable (Connection) throws -> Void)
  private static let uses: [Use] = [
    ("query", { _ = try $0.query("SELECT a FROM t") }),
    ("first", { _ = try $0.first("SELECT a FROM t", as: Int.self) }),
    ("execute", { try $0.execute("INSERT INTO t VALUES (2)") }),
    ("prepare", { _ = try $0.prepare("SELECT a FROM t") }),
    ("transaction", { try $0.transaction {} }),
    ("backUp", { try $0.backUp(into: try Connection.inMemory()) }),
    ("checkpoint", { _ = try $0.checkpoint() }),
    ("close", { try $0.close() }),
  ]

  /// The error that `body` throws there.
  private static func onAnotherThread(_ body: @escaping @Sendable () throws -> Void) -> SQLiteError?
  {
    let error = Mutex<SQLiteError?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    DispatchQueue(label: "another thread").async {
      do { try body() } catch let found { error.withLock { $0 = found as? SQLiteError } }
      isDone.signal()
    }
    isDone.wait()
    return error.withLock { $0 }
  }

  @Test(arguments: uses) func `a call during a call of another thread is refused`(
    name: String, use: @escaping @Sendable (Connection) throws -> Void
  ) throws {
    let leak = Leak(connection: try Connection.inMemory())
    let connection = leak.connection
    try connection.execute("CREATE TABLE t (a INTEGER)")
    try connection.execute("INSERT INTO t VALUES (1)")
    try connection.forEachRow(of: "SELECT a FROM t") { _ in
      #expect(Self.onAnotherThread { try use(leak.connection) } == Self.refused)
    }
    #expect(try connection.query("SELECT a FROM t") == [[1]])
    try use(connection)
  }

  @Test func `threads that use a connection at once damage nothing`() async throws {
    let leak = Leak(connection: try Connection.inMemory())
    try leak.connection.execute("CREATE TABLE t (a INTEGER)")
    let counts = LockedState((done: 0, refused: 0))
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for number in 0..<2000 {
        do {
          try leak.connection.execute("INSERT INTO t VALUES (\(number))")
          let texts = try leak.connection.query(
            "SELECT 'text ' || a FROM t LIMIT 3", as: String.self)
          #expect(texts.allSatisfy { $0.hasPrefix("text ") })
          counts.withLock { $0.done += 1 }
        } catch {
          #expect(error as? SQLiteError == Self.refused)
          counts.withLock { $0.refused += 1 }
        }
      }
    }
    let (done, refused) = counts.withLock { $0 }
    #expect(done + refused == 8000)
    let rows = try leak.connection.first("SELECT count(*) FROM t", as: Int.self)
    #expect((done...8000).contains(try #require(rows)))
    #expect(try leak.connection.query("PRAGMA integrity_check") == [["ok"]])
  }

  @Test(arguments: uses) func `a connection that leaves its pool refuses all calls`(
    name: String, use: @escaping @Sendable (Connection) throws -> Void
  ) async throws {
    try await withPool { pool, _ in
      let leak = try await #require(throws: Leak.self) {
        try await pool.write { throw Leak(connection: $0) }
      }
      let error = try #require(throws: SQLiteError.self) { try use(leak.connection) }
      #expect(error.code == .misuse)
      #expect(error.message.hasPrefix("the connection belongs to a pool, "))
      #expect(throws: SQLiteError.self) { try leak.connection.changes }
      try await pool.write { _ in
        #expect(Self.onAnotherThread { try use(leak.connection) }?.code == .misuse)
      }
    }
  }
}
