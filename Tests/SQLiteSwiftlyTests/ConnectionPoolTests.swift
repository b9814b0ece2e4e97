import Dispatch
import Foundation
import SQLiteSwiftly
import SQLiteSwiftlyData
import Synchronization
import Testing

/// Runs `body` with a pool over a new file that has the empty table `t (a INTEGER PRIMARY KEY)`.
func withPool<Result>(
  readers: Int = 2, _ body: (ConnectionPool, _ path: String) async throws -> Result
) async throws -> Result {
  let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let path = folder.path + "/pool.sqlite"
  let pool = try ConnectionPool(path, opening: .openOrCreate, readers: readers)
  try await pool.write { try $0.execute("CREATE TABLE t (a INTEGER PRIMARY KEY)") }
  return try await body(pool, path)
}

/// Numbers that several threads add.
private final class Numbers: Sendable {
  private let numbers = Mutex<[Int]>([])

  var all: [Int] { numbers.withLock { $0 } }

  /// Returns how many there are then.
  @discardableResult func add(_ number: Int) -> Int {
    numbers.withLock { numbers in
      numbers.append(number)
      return numbers.count
    }
  }
}

private let countForever: SQL = """
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n
  """

/// The error that `body` throws.
func refusal(
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
) async throws -> SQLiteError {
  try await #require(throws: SQLiteError.self, sourceLocation: sourceLocation) { try await body() }
}

struct ConnectionPoolTests {
  @Test func `a read sees what was written before it`() async throws {
    try await withPool { pool, _ in
      for number in 1...50 {
        try await pool.write { try $0.execute("INSERT INTO t VALUES (\(number))") }
        let count = try await pool.read { try $0.first("SELECT count(*) FROM t", as: Int.self) }
        #expect(count == number)
      }
    }
  }

  /// Far more writers wait for a lock than tasks have threads.
  ///
  /// The task that holds the lock continues meanwhile, and so do reads. On the threads of tasks it
  /// could never release the lock, and each write would fail.
  ///
  /// Runs in its own process, since the other tests block threads of tasks, too.
  @Test func `SK-31 writers that wait for a lock do not block the threads of tasks`() async {
    await #expect(processExitsWith: .success) { try await Self.releaseWhatWritersWaitFor() }
  }

  private static func releaseWhatWritersWaitFor() async throws {
    try await withPool { _, path in
      let count = 4 * ProcessInfo.processInfo.activeProcessorCount
      let pools = try (0..<count).map { _ in
        try ConnectionPool(path, opening: .openExisting, readers: 1)
      }
      let holder = try Connection(path, opening: .openExisting)
      try holder.execute("BEGIN IMMEDIATE")

      let (begun, signal) = AsyncStream<Void>.makeStream()
      let tasks = pools.enumerated().map { number, pool in
        Task {
          signal.yield()
          try await pool.write { connection in
            try connection.execute("INSERT INTO t VALUES (\(number))")
          }
        }
      }
      var waiting = 0
      for await _ in begun {
        waiting += 1
        if waiting == count { break }
      }
      // If reads waited for a writer, it would wait for the lock until its timeout, and fail.
      for pool in pools {
        try await Task.sleep(for: .milliseconds(2))
        let rows = try await pool.read { try $0.query("SELECT * FROM t") }
        #expect(rows == [])
      }
      try holder.execute("COMMIT")
      for task in tasks { try await task.value }
      let rows = try holder.value(of: "SELECT count(*) FROM t")
      #expect(rows == .integer(Int64(count)))
    }
  }

  @Test func `a write in a read is refused, and changes nothing`() async throws {
    try await withPool { pool, _ in
      for sql: SQL in ["INSERT INTO t VALUES (1)", "DROP TABLE t", "PRAGMA user_version = 3"] {
        let error = try await refusal { try await pool.read { try $0.execute(sql) } }
        #expect(error.code == .readOnly, "\(error)")
      }
      #expect(try await pool.read { try $0.query("SELECT * FROM t") } == [])
    }
  }

  struct OwnError: Error, Equatable {}

  @Test func `a write that throws is undone as a whole`() async throws {
    try await withPool { pool, _ in
      await #expect(throws: OwnError()) {
        try await pool.write { connection in
          try connection.execute("INSERT INTO t VALUES (1)")
          throw OwnError()
        }
      }
      let error = try await refusal {
        try await pool.write { connection in
          try connection.execute("INSERT INTO t VALUES (2)")
          try connection.execute("INSERT INTO t VALUES (2)")
        }
      }
      #expect(error.code == .constraint)
      #expect(try await pool.read { try $0.query("SELECT * FROM t") } == [])
    }
  }

  @Test func `the statements of a read see one state`() async throws {
    try await withPool { pool, _ in
      let (hasRead, hasWritten) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      async let counts = pool.read { connection in
        let before = try connection.first("SELECT count(*) FROM t", as: Int.self)
        hasRead.signal()
        hasWritten.wait()
        return [before, try connection.first("SELECT count(*) FROM t", as: Int.self)]
      }
      // On the connection's own thread, so that no task waits.
      try await pool.write { connection in
        hasRead.wait()
        try connection.execute("INSERT INTO t VALUES (1)")
      }
      hasWritten.signal()
      #expect(try await counts == [0, 0])
      #expect(try await pool.read { try $0.query("SELECT a FROM t") } == [[1]])
    }
  }

  @Test func `all readers and the writer work at the same time`() async throws {
    try await withPool(readers: 3) { pool, _ in
      // Each waits until all four are there.
      let arrived = Numbers()
      let all = DispatchSemaphore(value: 0)
      @Sendable func meet() {
        if arrived.add(1) == 4 { for _ in 0..<4 { all.signal() } }
        all.wait()
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<3 { group.addTask { try await pool.read { _ in meet() } } }
        group.addTask { try await pool.write { _ in meet() } }
        try await group.waitForAll()
      }
      #expect(arrived.all.count == 4)
    }
  }

  @Test func `writes are done in the order in which they were asked for`() async throws {
    try await withPool { pool, _ in
      let release = DispatchSemaphore(value: 0)
      // Each task runs at once until it waits for the connection.
      let first = Task.immediate { try await pool.write { _ in release.wait() } }
      let order = Numbers()
      let tasks = (0..<20).map { number in
        Task.immediate { try await pool.write { _ in _ = order.add(number) } }
      }
      release.signal()
      try await first.value
      for task in tasks { try await task.value }
      #expect(order.all == Array(0..<20))
    }
  }

  @Test func `work outside of a transaction may be what a transaction cannot have`() async throws {
    try await withPool { pool, _ in
      try await pool.writeWithoutTransaction { connection in
        try connection.migrate([Migration(to: 1, "u", "CREATE TABLE u (b TEXT)")])
        try connection.execute("VACUUM")
      }
      let tables = try await pool.read {
        try $0.query("SELECT name FROM sqlite_schema ORDER BY 1", as: String.self)
      }
      #expect(tables.contains("u"))
      let error = try await refusal {
        try await pool.writeWithoutTransaction { connection in
          try connection.execute("BEGIN")
          try connection.execute("INSERT INTO t VALUES (1)")
        }
      }
      #expect(error.code == .misuse)
      #expect(error.message == "the work began a transaction without ending it; it was rolled back")
      #expect(try await pool.read { try $0.query("SELECT * FROM t") } == [])
      try await pool.write { try $0.execute("INSERT INTO t VALUES (2)") }
      #expect(try await pool.read { try $0.query("SELECT * FROM t") } == [[2]])
    }
  }

  @Test func `each connection is configured`() async throws {
    try await withPool { pool, path in
      try await pool.close()
      let other = try ConnectionPool(path, opening: .openExisting, readers: 2) {
        connection throws(SQLiteError) in try connection.set(.foreignKeys, to: true)
      }
      let query: SQL = "PRAGMA foreign_keys"
      #expect(try await other.write { try $0.query(query) } == [[1]])
      for _ in 0..<4 { #expect(try await other.read { try $0.query(query) } == [[1]]) }
    }
  }

  @Test func `a pool that reads leaves the file as it is`() async throws {
    try await withPool { pool, path in
      try await pool.writeWithoutTransaction { connection in
        try connection.execute("INSERT INTO t VALUES (1)")
      }
      try await pool.close()
      let before = try Data(contentsOf: URL(filePath: path))
      let reading = try ConnectionPool(path, opening: .readOnly)
      #expect(try await reading.read { try $0.query("SELECT * FROM t") } == [[1]])
      let error = try await refusal {
        try await reading.write { try $0.execute("INSERT INTO t VALUES (2)") }
      }
      #expect(error.code == .readOnly)
      try await reading.close()
      #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }
  }

  @Test func `opening fails as for a connection`() async throws {
    try await withPool { _, path in
      let missing = path + "-missing"
      for opening in [Connection.Opening.openExisting, .readOnly] {
        let error = try await refusal { _ = try ConnectionPool(missing, opening: opening) }
        #expect(error.code == .cannotOpen && error.message.contains(missing))
      }
      #expect(!FileManager.default.fileExists(atPath: missing))
      let none = try await refusal {
        _ = try ConnectionPool(path, opening: .openOrCreate, readers: 0)
      }
      #expect(none.code == .misuse)
      #expect(none.message == "a pool needs at least 1 reader, found 0")
    }
  }

  @Test func `a closed pool refuses work, and leaves no log`() async throws {
    try await withPool { pool, path in
      try await pool.write { try $0.execute("INSERT INTO t VALUES (1)") }
      try await pool.close()
      try await pool.close()
      for kind in ["read", "write"] {
        let error = try await refusal {
          if kind == "read" { try await pool.read { _ in } } else { try await pool.write { _ in } }
        }
        #expect(error == SQLiteError(.misuse, "the pool is closed"), "\(kind)")
      }
      let folder = URL(filePath: path).deletingLastPathComponent().path
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["pool.sqlite"])
      let rows = try Connection(path, opening: .readOnly).query("SELECT * FROM t")
      #expect(rows == [[1]])
    }
  }

  @Test func `closing waits for the work that was asked for before`() async throws {
    try await withPool { pool, path in
      let (begun, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let write = Task {
        try await pool.write { connection in
          begun.signal()
          release.wait()
          try connection.execute("INSERT INTO t VALUES (1)")
        }
      }
      let closing = Task {
        try await pool.read { _ in begun.wait() }
        release.signal()
        try await pool.close()
      }
      try await closing.value
      try await write.value
      #expect(try Connection(path, opening: .readOnly).query("SELECT * FROM t") == [[1]])
    }
  }
}

/// What the cancellation of a task does to its work in a pool.
struct ConnectionPoolCancellationTests {
  @Test func `a canceled task's statement is interrupted`() async throws {
    try await withPool { pool, _ in
      let (begun, signal) = AsyncStream<Void>.makeStream()
      let task = Task {
        try await pool.read { connection in
          signal.yield()
          return try connection.query(countForever)
        }
      }
      for await _ in begun { break }
      task.cancel()
      let error = try await refusal { _ = try await task.value }
      #expect(error.code == .interrupted)
      // The connection that it had works.
      for _ in 0..<4 { #expect(try await pool.read { try $0.query("SELECT 1") } == [[1]]) }
    }
  }

  @Test func `a canceled task's write is undone`() async throws {
    try await withPool { pool, _ in
      let (begun, signal) = AsyncStream<Void>.makeStream()
      let task = Task {
        try await pool.write { connection in
          try connection.execute("INSERT INTO t VALUES (1)")
          signal.yield()
          _ = try connection.query(countForever)
        }
      }
      for await _ in begun { break }
      task.cancel()
      let error = try await refusal { try await task.value }
      #expect(error.code == .interrupted)
      #expect(try await pool.read { try $0.query("SELECT * FROM t") } == [])
      try await pool.write { try $0.execute("INSERT INTO t VALUES (2)") }
      #expect(try await pool.read { try $0.query("SELECT * FROM t") } == [[2]])
    }
  }

  @Test func `a canceled task waits no longer, and others are served`() async throws {
    try await withPool { pool, _ in
      let (begun, release) = (AsyncStream<Void>.makeStream(), DispatchSemaphore(value: 0))
      let holder = Task {
        try await pool.write { _ in
          begun.continuation.yield()
          release.wait()
        }
      }
      for await _ in begun.stream { break }
      let waiting = (0..<3).map { number in
        Task.immediate {
          try await pool.write { try $0.execute("INSERT INTO t VALUES (\(number))") }
        }
      }
      waiting[1].cancel()
      // The writer is still held.
      let error = try await refusal { try await waiting[1].value }
      #expect(error == SQLiteError(.interrupted, "the task was canceled"))
      release.signal()
      try await holder.value
      try await waiting[0].value
      try await waiting[2].value
      let rows = try await pool.read { try $0.query("SELECT a FROM t ORDER BY a", as: Int.self) }
      #expect(rows == [0, 2])
    }
  }

  @Test func `a task that is canceled before runs nothing`() async throws {
    try await withPool { pool, _ in
      let hasRun = Flag()
      let task = Task {
        unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
        try await pool.write { _ in hasRun.set() }
      }
      let error = try await refusal { try await task.value }
      #expect(error.code == .interrupted)
      #expect(!hasRun.isSet)
    }
  }
}

/// The statements that the connections of a pool keep compiled.
struct ConnectionPoolStatementTests {
  /// Runs `body`, and returns the statements that it compiled.
  private func compiled(
    _ body: @escaping @Sendable (Connection) throws -> Void
  ) async throws -> [String] {
    try await withPool { pool, _ in
      try await pool.write { connection in
        var compiled: [String] = []
        connection.traceHandler = { event in
          if case .prepared(let sql) = event { compiled.append(sql) }
        }
        defer { connection.traceHandler = nil }
        try body(connection)
        return compiled
      }
    }
  }

  @Test func `a query is compiled once for all of its values`() async throws {
    let compiled = try await compiled { connection in
      for number in 0..<5 {
        try connection.execute("INSERT INTO t VALUES (\(number))")
        #expect(try connection.first("SELECT a FROM t WHERE a = \(number)", as: Int.self) == number)
        #expect(try connection.value(of: "SELECT count(*) FROM t") == .integer(Int64(number + 1)))
      }
    }
    #expect(
      compiled == [
        "INSERT INTO t VALUES (?)", "SELECT a FROM t WHERE a = ?", "SELECT count(*) FROM t",
      ])
  }

  @Test func `a query within itself, and one that failed, leave no values behind`() async throws {
    _ = try await compiled { connection in
      try connection.execute("INSERT INTO t VALUES (1), (2), (3)")
      var pairs: [[Int]] = []
      let query: SQL = "SELECT a FROM t ORDER BY a"
      try connection.forEachRow(of: query) { outer in
        let first = Int(try outer.integer(at: 0) ?? 0)
        try connection.forEachRow(of: query) { inner in
          pairs.append([first, Int(try inner.integer(at: 0) ?? 0)])
        }
      }
      #expect(pairs.count == 9 && pairs.last == [3, 3])
      for _ in 0..<2 {
        let error = try #require(throws: SQLiteError.self) {
          try connection.execute("INSERT INTO t VALUES (\(1))")
        }
        #expect(error.code == .constraint)
      }
      try connection.execute("INSERT INTO t VALUES (\(4))")
      let missing = try #require(throws: SQLiteError.self) {
        try connection.execute("INSERT INTO t VALUES (?)")
      }
      #expect(missing.code == .range)
    }
  }

  @Test func `a change of the schema shows in the next run`() async throws {
    _ = try await compiled { connection in
      try connection.execute("INSERT INTO t VALUES (1)")
      #expect(try connection.query("SELECT * FROM t") == [[1]])
      try connection.execute("ALTER TABLE t ADD COLUMN b TEXT DEFAULT 'x'")
      #expect(try connection.query("SELECT * FROM t") == [[1, "x"]])
      try connection.execute("DROP TABLE t")
      let error = try #require(throws: SQLiteError.self) {
        _ = try connection.query("SELECT * FROM t")
      }
      #expect(error.message.contains("no such table: t"))
    }
  }

  @Test func `the oldest of too many statements are compiled again`() async throws {
    let compiled = try await compiled { connection in
      for number in 0..<200 {
        let column = "c\(number)"
        let rows = try connection.query("SELECT 1 AS \(identifier: column)")
        #expect(rows == [[1]])
      }
      // The last ones are kept, the first ones are not.
      for number in [199, 150, 100, 0, 0, 10] {
        let column = "c\(number)"
        let rows = try connection.query("SELECT 1 AS \(identifier: column)")
        #expect(rows == [[1]])
      }
    }
    #expect(compiled.count == 202)
    #expect(compiled.suffix(2).map { $0.contains("c0") } == [true, false])
  }
}
