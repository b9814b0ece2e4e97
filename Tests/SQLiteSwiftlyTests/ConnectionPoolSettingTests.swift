import Dispatch
import Foundation
import SQLiteSwiftly
import SQLiteSwiftlyData
import Synchronization
import Testing

/// Work that lasts until it is released.
private final class Gate: Sendable {
  private let begun = AsyncStream<Void>.makeStream()
  private let release = DispatchSemaphore(value: 0)

  func wait() {
    begun.continuation.finish()
    release.wait()
  }

  func waitUntilReached() async { for await _ in begun.stream {} }

  func open() { release.signal() }
}

private final class Log: Sendable {
  private let lines = Mutex<[String]>([])

  var all: [String] { lines.withLock { $0 } }

  func add(_ line: String) { lines.withLock { $0.append(line) } }
}

/// What the work of one task leaves for the next: nothing but what it wrote.
struct ConnectionPoolSettingTests {
  private typealias Change = (name: String, run: @Sendable (Connection) throws -> Void)
  private static let changes: [Change] = [
    ("busyTimeout", { $0.busyTimeout = .zero }),
    ("traceHandler", { $0.traceHandler = { _ in } }),
    ("authorizer", { $0.authorizer = { _ in .deny } }),
    ("query_only", { try $0.execute("PRAGMA query_only = ON") }),
    ("query_only as a call", { _ = try $0.query("/* c */ pragma query_only(1)") }),
    ("foreign_keys", { try $0.execute(script: "PRAGMA foreign_keys = OFF;") }),
    ("set", { try $0.set(.foreignKeys, to: false) }),
    ("temporary table", { try $0.execute("CREATE TEMP TABLE t (a, b)") }),
    ("qualified name", { try $0.execute("CREATE TABLE temp.t (a, b)") }),
    ("function", { try $0.addFunction("added") { 1 } }),
    ("attached", { try $0.execute("ATTACH ':memory:' AS other") }),
  ]

  @Test(arguments: changes, [true, false]) func `a connection is lent as it was opened`(
    change: (name: String, run: @Sendable (Connection) throws -> Void), fails: Bool
  ) async throws {
    struct Failure: Error {}
    try await withPool(readers: 1) { created, path in
      try await created.close()
      let pool = try ConnectionPool(path, opening: .openExisting, readers: 1) {
        connection throws(SQLiteError) in try connection.set(.foreignKeys, to: true)
      }
      let work: @Sendable (Connection) throws -> Void = { connection in
        try change.run(connection)
        if fails { throw Failure() }
      }
      let state: @Sendable (Connection) throws -> [String?] = { connection in
        #expect(connection.busyTimeout == .seconds(5))
        #expect(connection.traceHandler == nil && connection.authorizer == nil)
        return try connection.query(
          """
          SELECT group_concat(name) FROM pragma_database_list UNION ALL
          SELECT foreign_keys FROM pragma_foreign_keys UNION ALL
          SELECT count(*) FROM pragma_function_list WHERE name = 'added' UNION ALL
          SELECT count(*) FROM temp.sqlite_schema
          """, as: String?.self, decoding: .lenient)
      }
      let before = try await pool.read(state)
      #expect(before.suffix(3) == ["1", "0", "0"])
      for _ in 1...2 {
        _ = try? await pool.read(work)
        _ = try? await pool.writeWithoutTransaction(work)
        #expect(try await pool.read(state) == before)
        #expect(try await pool.write(state) == before)
      }
      try await pool.write { try $0.execute("INSERT INTO t VALUES (1)") }
      #expect(try await pool.read { try $0.query("SELECT * FROM t") } == [[1]])
      try await pool.close()
    }
  }

  @Test func `statements that were prepared are kept`() async throws {
    try await withPool(readers: 1) { pool, _ in
      let compiled: @Sendable (Connection) throws -> [String] = { connection in
        var texts: [String] = []
        connection.traceHandler = { if case .prepared(let sql) = $0 { texts.append(sql) } }
        defer { connection.traceHandler = nil }
        for _ in 1...2 {
          var statement = try connection.prepare("SELECT a FROM t")
          _ = try statement.query()
          var insert = try connection.prepare("INSERT INTO t VALUES (?)")
          try insert.run(texts.count * 10)
          try connection.execute("DELETE FROM t")
        }
        return texts
      }
      let texts = try await pool.write(compiled)
      #expect(texts == ["SELECT a FROM t", "INSERT INTO t VALUES (?)", "DELETE FROM t"])
    }
  }

  @Test func `a pool in memory`() async throws {
    let pools = try (1...2).map { _ in
      try ConnectionPool.inMemory(readers: 2) { connection throws(SQLiteError) in
        try connection.set(.foreignKeys, to: true)
      }
    }
    for (number, pool) in pools.enumerated() {
      try await pool.write { try $0.execute("CREATE TABLE t (a INTEGER)") }
      try await withThrowingTaskGroup { tasks in
        for row in 0..<50 {
          tasks.addTask {
            try await pool.write { try $0.execute("INSERT INTO t VALUES (\(row + number))") }
          }
          tasks.addTask { _ = try await pool.read { try $0.query("SELECT sum(a) FROM t") } }
        }
        try await tasks.waitForAll()
      }
      // Both connections are opened again.
      try await pool.writeWithoutTransaction { try $0.execute("CREATE TEMP TABLE t (b)") }
      let error = try await refusal { try await pool.read { try $0.execute("DELETE FROM t") } }
      #expect(error.code == .readOnly)
    }
    for (pool, sum) in zip(pools, [1225, 1275] as [Int64]) {
      #expect(try await pool.read { try $0.query("SELECT sum(a) FROM t") } == [[.integer(sum)]])
      try await pool.close()
    }
  }

  @Test func `a pool in memory lasts while all of its connections are opened again`() async throws {
    let pool = try ConnectionPool.inMemory(readers: 1)
    try await pool.write { try $0.execute("CREATE TABLE t (a INTEGER)") }
    try await pool.read { $0.busyTimeout = .zero }
    #expect(try await pool.read { try $0.query("SELECT count(*) FROM t") } == [[0]])
  }

  @Test func `work of a higher priority is served first`() async throws {
    try await withPool(readers: 1) { pool, _ in
      let order = Log()
      let gate = Gate()
      async let first: Void = pool.read { _ in gate.wait() }
      await gate.waitUntilReached()
      let asked = Log()
      let priorities: [TaskPriority] = [.background, .low, .high]
      let tasks = priorities.map { priority in
        Task(priority: priority) {
          asked.add("\(priority)")
          try await pool.read { _ in order.add("\(priority)") }
        }
      }
      while asked.all.count < tasks.count { await Task.yield() }
      try await Task.sleep(for: .milliseconds(200))
      gate.open()
      try await first
      for task in tasks { try await task.value }
      #expect(
        order.all == ["\(TaskPriority.high)", "\(TaskPriority.low)", "\(TaskPriority.background)"])
    }
  }

  @Test func `a checkpoint empties the log`() async throws {
    try await withPool(readers: 1) { pool, path in
      try await pool.write { connection in
        for number in 1...1000 { try connection.execute("INSERT INTO t VALUES (\(number))") }
      }
      let gate = Gate()
      async let reading: Void = pool.read { connection in
        _ = try connection.query("SELECT count(*) FROM t")
        gate.wait()
      }
      await gate.waitUntilReached()
      try await pool.write { try $0.execute("DELETE FROM t") }
      #expect(try await pool.checkpoint(.passive) == false)
      gate.open()
      try await reading
      #expect(try await pool.checkpoint(.truncate))
      let log = try FileManager.default.attributesOfItem(atPath: path + "-wal")
      #expect(log[.size] as? UInt64 == 0)
    }
  }
}
