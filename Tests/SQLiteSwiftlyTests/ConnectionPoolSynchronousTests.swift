import Dispatch
import SQLiteSwiftly
import SQLiteSwiftlyData
import Testing

/// The calls of a pool for code that is not `async`.
@Suite(.timeLimit(.minutes(1))) struct ConnectionPoolSynchronousTests {
  private let pool: ConnectionPool

  init() throws {
    pool = try ConnectionPool.inMemory(readers: 2)
    try pool.writeWithoutTransaction { try $0.execute("CREATE TABLE t (n INTEGER)") }
  }

  @Test func `each call returns or throws what its closure does`() throws {
    struct Own: Error {}
    let sum: SQL = "SELECT sum(n) FROM t"
    #expect(try pool.write { try $0.execute("INSERT INTO t VALUES (1), (2)") } == ())
    #expect(throws: Own.self) {
      try pool.write { connection in
        try connection.execute("INSERT INTO t VALUES (4)")
        throw Own()
      }
    }
    #expect(try pool.read { try $0.first(sum, as: Int.self) } == 3)
    let error = try failure { try pool.read { try $0.execute("DELETE FROM t") } }
    #expect(error.code == .readOnly)
    try pool.close()
    #expect(try failure { _ = try pool.read { try $0.value(of: sum) } }.code == .misuse)
  }

  @Test func `tasks that block all threads with these calls do not wait for each other forever`()
    async throws
  {
    @Sendable func add(_ number: Int) throws -> Int {
      try pool.write { try $0.execute("INSERT INTO t VALUES (\(number))") }
      return try pool.read { try $0.first("SELECT count(*) FROM t", as: Int.self) ?? 0 }
    }
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<50 { group.addTask { try add(number) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(counts.count == 50 && counts.allSatisfy { 1...50 ~= $0 } && counts.contains(50))
    let sum = try await pool.read { try $0.first("SELECT sum(n) FROM t", as: Int.self) }
    #expect(sum == 49 * 50 / 2)
  }

  @Test func `a closure of the pool cannot wait for the pool`() async throws {
    let pool = pool
    let message = "a closure of the pool cannot wait for the pool; use the connection it has"
    try await pool.write { connection in
      try connection.execute("INSERT INTO t VALUES (1)")
      for call in [
        { _ = try pool.read { try $0.value(of: "SELECT 1") } }, { try pool.write { _ in } },
        { try pool.writeWithoutTransaction { _ in } }, { try pool.close() },
      ] as [() throws -> Void] {
        #expect(try failure(call).message == message)
      }
    }
    let other = try ConnectionPool.inMemory()
    let sum = try await pool.read { connection in
      let one = try other.read { try $0.first("SELECT 1", as: Int.self) ?? 0 }
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
        for _ in 0..<20 { try? pool.write { try $0.execute("INSERT INTO t VALUES (1)") } }
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
