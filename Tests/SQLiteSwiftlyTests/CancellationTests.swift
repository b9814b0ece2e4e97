import Foundation
import SQLiteSwiftly
import Testing

struct CancellationTests {
  private static func makeTable() throws(SQLiteError) -> Connection {
    try Connection.inMemory(after: "CREATE TABLE t (a INTEGER PRIMARY KEY)")
  }

  private static func cancelCurrentTask() {
    unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
  }

  /// The error of a body in its own task, and the remaining rows.
  private func outcome(
    cancelledOn signal: Flag? = nil,
    _ body: @escaping @Sendable (Connection) throws(SQLiteError) -> Void
  ) async throws -> (error: SQLiteError?, rows: [[SQLiteValue]], isInTransaction: Bool) {
    let task = Task {
      let connection = try Self.makeTable()
      var failure: SQLiteError?
      do throws(SQLiteError) {
        try connection.interruptingOnCancellation { () throws(SQLiteError) in try body(connection) }
      } catch {
        failure = error
      }
      // Outside of the body, a cancelled task goes on.
      return (failure, try connection.query("SELECT a FROM t"), try connection.isInTransaction)
    }
    if let signal { cancel(task, on: signal) }
    return try await task.value
  }

  /// Cancels soon after the signal, on a thread, since a query keeps one of those that run tasks.
  private func cancel(_ task: Task<some Sendable, any Error>, on signal: Flag) {
    Thread.detachNewThread {
      while !signal.isSet { usleep(1000) }
      usleep(20_000)
      task.cancel()
    }
  }

  @Test("SW-62 a task that is canceled before runs no statement") func before() async throws {
    let task = Task {
      Self.cancelCurrentTask()
      let connection = try Self.makeTable()
      var hasRun = false
      let error = try failure {
        try connection.interruptingOnCancellation { () throws(SQLiteError) in hasRun = true }
      }
      #expect(!hasRun)
      return error
    }
    #expect(try await task.value == SQLiteError(.interrupted, "the task was canceled"))
  }

  @Test("SW-62 a cancellation stops a query that does not end") func during() async throws {
    let hasBegun = Flag()
    let (error, rows, _) = try await outcome(cancelledOn: hasBegun) {
      connection throws(SQLiteError) in
      try connection.execute("INSERT INTO t VALUES (1)")
      hasBegun.set()
      _ = try connection.query(endless)
      try connection.execute("INSERT INTO t VALUES (2)")
    }
    #expect(error?.code == .interrupted && error?.sql == endless.text)
    #expect(rows == [[.integer(1)]])
  }

  @Test("SW-62 after a cancellation not even a short statement runs") func between() async throws {
    let (error, rows, _) = try await outcome { connection throws(SQLiteError) in
      try connection.execute("INSERT INTO t VALUES (1)")
      Self.cancelCurrentTask()
      try connection.execute("INSERT INTO t VALUES (2)")
    }
    let sql = "INSERT INTO t VALUES (2)"
    #expect(error == SQLiteError(.interrupted, "the task was canceled", sql: sql))
    #expect(rows == [[.integer(1)]])
  }

  /// Checks that a body fails for its cancellation and changes nothing.
  private func expectUndone(
    _ body: @escaping @Sendable (Connection) throws(SQLiteError) -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let (error, rows, isInTransaction) = try await outcome(body)
    #expect(error?.code == .interrupted, sourceLocation: sourceLocation)
    #expect(rows == [] && !isInTransaction, sourceLocation: sourceLocation)
  }

  @Test("SW-62 a transaction that a cancellation stops is undone") func transaction() async throws {
    try await expectUndone { connection throws(SQLiteError) in
      try connection.transaction { () throws(SQLiteError) in
        try connection.execute("INSERT INTO t VALUES (1)")
        // The commit is the first statement that sees it.
        Self.cancelCurrentTask()
      }
    }
    try await expectUndone { connection throws(SQLiteError) in
      try connection.transaction { () throws(SQLiteError) in
        try connection.execute("INSERT INTO t VALUES (1)")
        Self.cancelCurrentTask()
        // No statement but the rollback sees it.
        throw SQLiteError(.interrupted, "enough")
      }
    }
    try await expectUndone { connection throws(SQLiteError) in
      try connection.execute("begin")
      try connection.execute("INSERT INTO t VALUES (1)")
      Self.cancelCurrentTask()
      try connection.execute("rollback")
      try connection.execute("INSERT INTO t VALUES (1)")
    }
  }

  @Test func `each level of nested transactions is undone separately`() async throws {
    let task = Task {
      let connection = try Self.makeTable()
      try connection.transaction { () throws(SQLiteError) in
        let error = SQLiteError(.abort, "enough")
        do throws(SQLiteError) {
          try connection.transaction { () throws(SQLiteError) in
            try connection.execute("INSERT INTO t VALUES (1)")
            do throws(SQLiteError) {
              try connection.interruptingOnCancellation { () throws(SQLiteError) in
                try connection.transaction { () throws(SQLiteError) in
                  Self.cancelCurrentTask()
                  try connection.execute("INSERT INTO t VALUES (2)")
                }
              }
            } catch {
              // Outside of the interruption, the middle one goes on.
              try connection.execute("INSERT INTO t VALUES (3)")
            }
            throw error
          }
        } catch {
          try connection.execute("INSERT INTO t VALUES (4)")
        }
      }
      return try connection.rows(of: "t")
    }
    #expect(try await task.value == [[4]])
  }

  @Test func `work before the cancellation is a result`() async throws {
    let (error, rows, _) = try await outcome { connection throws(SQLiteError) in
      try connection.execute("INSERT INTO t VALUES (1)")
      Self.cancelCurrentTask()
    }
    #expect(error == nil && rows == [[.integer(1)]])
  }

  @Test func `a prepared statement stops, too`() async throws {
    let (error, rows, _) = try await outcome { connection throws(SQLiteError) in
      let table = TableDescription(
        "t", columns: [ColumnDescription("a", .integer)], primaryKey: ["a"])
      var insert = try connection.prepareInsertIntoTable(describedBy: table)
      try insert.insert([.integer(0)])
      Self.cancelCurrentTask()
      try insert.insert([.integer(1)])
    }
    #expect(error?.code == .interrupted)
    #expect(rows == [[.integer(0)]])
  }

  @Test func `a backup stops between two steps`() async throws {
    let (error, _, _) = try await outcome { connection throws(SQLiteError) in
      try connection.execute("INSERT INTO t SELECT value FROM json_each('[1,2,3]')")
      try connection.backUp(into: .inMemory(), pagesPerStep: 1) { _ in Self.cancelCurrentTask() }
    }
    #expect(error == SQLiteError(.interrupted, "the task was canceled"))
  }

  @Test func `one within another is the same`() async throws {
    let (error, rows, _) = try await outcome { connection throws(SQLiteError) in
      try connection.interruptingOnCancellation { () throws(SQLiteError) in
        try connection.execute("INSERT INTO t VALUES (1)")
      }
      Self.cancelCurrentTask()
      try connection.execute("INSERT INTO t VALUES (2)")
    }
    #expect(error?.code == .interrupted && rows == [[.integer(1)]])
  }

  @Test func `a body may close the connection`() throws {
    let connection = try Self.makeTable()
    let result = try connection.interruptingOnCancellation { () throws(SQLiteError) in
      try connection.close()
      return 7
    }
    #expect(result == 7)
  }

  @Test func `without a task, or without its cancellation, nothing stops`() throws {
    let connection = try Self.makeTable()
    let rows = try connection.interruptingOnCancellation { () throws(SQLiteError) in
      try connection.query(
        """
        WITH RECURSIVE n (a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM n WHERE a < 100000)
        SELECT count(*) FROM n
        """)
    }
    #expect(rows == [[.integer(100_000)]])
  }

  @Test func `an actor stops its own connection`() async throws {
    let store = try Store()
    let hasBegun = Flag()
    let task = Task { try await store.search(hasBegun) }
    cancel(task, on: hasBegun)
    let error = await #expect(throws: SQLiteError.self) { try await task.value }
    #expect(error?.code == .interrupted)
  }

  /// An actor that owns a connection.
  private actor Store {
    private let connection: Connection

    init() throws { connection = try makeTable() }

    func search(_ hasBegun: Flag) throws(SQLiteError) {
      try connection.interruptingOnCancellation { () throws(SQLiteError) in
        hasBegun.set()
        _ = try connection.query(endless)
      }
    }
  }
}
