import Dispatch
import SQLiteSwiftly
import SQLiteSwiftlyData
import Testing

/// The calls of a pool for code that is not `async`.
///
/// While all tests run, they wait for minutes for a thread of tasks.
@Suite(.timeLimit(.minutes(20))) struct ConnectionPoolSynchronousTests {
  private let pool: ConnectionPool

  init() throws {
    pool = try ConnectionPool.inMemory(readers: 2)
    try pool.writeWithoutTransactionAndWait { try $0.execute("CREATE TABLE t (n INTEGER)") }
  }

  @Test func `each call returns or throws what its closure does`() throws {
    struct Own: Error {}
    let sum: SQL = "SELECT sum(n) FROM t"
    #expect(try pool.writeAndWait { try $0.execute("INSERT INTO t VALUES (1), (2)") } == ())
    #expect(throws: Own.self) {
      try pool.writeAndWait { connection in
        try connection.execute("INSERT INTO t VALUES (4)")
        throw Own()
      }
    }
    #expect(try pool.readAndWait { try $0.first(sum, as: Int.self) } == 3)
    let error = try failure { try pool.readAndWait { try $0.execute("DELETE FROM t") } }
    #expect(error.code == .readOnly)
    try pool.closeAndWait()
    #expect(try failure { _ = try pool.readAndWait { try $0.value(of: sum) } }.code == .misuse)
  }

  @Test func `tasks that block all threads with these calls do not wait for each other forever`()
    async throws
  {
    @Sendable func add(_ number: Int) throws -> Int {
      try pool.writeAndWait { try $0.execute("INSERT INTO t VALUES (\(number))") }
      return try pool.readAndWait { try $0.first("SELECT count(*) FROM t", as: Int.self) ?? 0 }
    }
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<50 { group.addTask { try add(number) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(counts.count == 50 && counts.allSatisfy { 1...50 ~= $0 } && counts.contains(50))
    let sum = try await pool.read { try $0.first("SELECT sum(n) FROM t", as: Int.self) }
    #expect(sum == 49 * 50 / 2)
  }

  @Test(arguments: [true, false])
  func `tasks that block all threads do not keep those that wait without blocking from the pool`(
    isWrite: Bool
  ) async throws {
    let pool = pool
    @Sendable func change(_ connection: Connection) throws {
      try connection.execute("INSERT INTO t VALUES (1)")
    }
    @Sendable func count(_ connection: Connection) throws {
      _ = try connection.first("SELECT count(*) FROM t", as: Int.self)
    }
    let work = isWrite ? change : count
    @Sendable func block() throws {
      if isWrite { try pool.writeAndWait(work) } else { try pool.readAndWait(work) }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<50 {
        group.addTask {
          if number % 2 == 0 { return try block() }
          if isWrite { try await pool.write(work) } else { try await pool.read(work) }
        }
      }
      try await group.waitForAll()
    }
    let rows = try await pool.read { try $0.first("SELECT count(*) FROM t", as: Int.self) }
    #expect(rows == (isWrite ? 50 : 0))
  }

  @Test func `a closure of the pool cannot wait for the pool`() async throws {
    let pool = pool
    let message = "a closure of the pool cannot wait for the pool; use the connection it has"
    try await pool.write { connection in
      try connection.execute("INSERT INTO t VALUES (1)")
      for call in [
        { _ = try pool.readAndWait { try $0.value(of: "SELECT 1") } },
        { try pool.writeAndWait { _ in } },
        { try pool.writeWithoutTransactionAndWait { _ in } }, { try pool.closeAndWait() },
      ] as [() throws -> Void] {
        #expect(try failure(call).message == message)
      }
    }
    let other = try ConnectionPool.inMemory()
    let sum = try await pool.read { connection in
      let one = try other.readAndWait { try $0.first("SELECT 1", as: Int.self) ?? 0 }
      return try connection.first("SELECT n + \(one) FROM t", as: Int.self)
    }
    #expect(sum == 2)
  }

  @Test func `calls of threads and tasks take turns`() async throws {
    let pool = pool
    let done = LockedState(0)
    let group = DispatchGroup()
    for number in 0..<8 {
      DispatchQueue(label: "thread \(number)").async(group: group) {
        for _ in 0..<20 { try? pool.writeAndWait { try $0.execute("INSERT INTO t VALUES (1)") } }
        done.withLock { $0 += 1 }
      }
    }
    for _ in 0..<40 { try await pool.write { try $0.execute("INSERT INTO t VALUES (1)") } }
    await withCheckedContinuation { continuation in
      group.notify(queue: .global()) { continuation.resume() }
    }
    let sum = try await pool.read { try $0.first("SELECT sum(n) FROM t", as: Int.self) }
    #expect(done.withLock { $0 } == 8 && sum == 200)
  }
}
