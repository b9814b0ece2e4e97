import Foundation
import Synchronization
import Testing

@testable import SQLiteSwiftly

/// A query that does not end.
let endless: SQL = """
  WITH RECURSIVE n (a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM n) SELECT count(*) FROM n
  """

struct InterruptTests {
  /// Runs `body` while another thread calls `action` again and again.
  private func meanwhile<Failure: Error>(
    _ action: @escaping @Sendable () -> Void, _ body: () throws(Failure) -> Void
  ) throws(Failure) {
    let isDone = Flag()
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      while !isDone.isSet { action() }
      ended.signal()
    }
    defer {
      isDone.set()
      ended.wait()
    }
    try body()
  }

  @Test("SW-62 another thread can interrupt a query that does not end") func query() throws {
    let connection = try Connection.inMemory()
    let interrupter = connection.interrupter
    let error = try failure {
      try meanwhile({
        usleep(5000)
        interrupter.interrupt()
      }) { _ = try connection.query(endless) }
    }
    #expect(error == SQLiteError(.interrupted, "interrupted", sql: endless.text))
    #expect(try connection.query("SELECT 1") == [[.integer(1)]])
  }

  @Test("SW-62 an interrupted change undoes its transaction") func change() throws {
    let connection = try Connection.inMemory(after: "CREATE TABLE t (a INTEGER PRIMARY KEY)")
    let interrupter = connection.interrupter
    try expectFailure(.interrupted) {
      try connection.transaction { () throws(SQLiteError) in
        try connection.execute("INSERT INTO t VALUES (-1)")
        // Again and again, since the first one may come before the statement has begun.
        try meanwhile({
          usleep(5000)
          interrupter.interrupt()
        }) { () throws(SQLiteError) in
          try connection.execute(
            """
            WITH RECURSIVE n (a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM n)
            INSERT INTO t SELECT a FROM n WHERE a % 1000 = 0
            """)
        }
      }
    }
    #expect(try !connection.isInTransaction)
    #expect(try connection.rows(of: "t") == [])
  }

  /// As long as a statement that was interrupted is not at its end, nothing else runs, and so no rollback.
  @Test("a transaction under an interrupted cursor is undone", arguments: [true, false])
  func underCursor(isNested: Bool) throws {
    let connection = try Connection.inMemory(after: "CREATE TABLE t (a INTEGER PRIMARY KEY)")
    func interrupted() throws(SQLiteError) {
      try connection.transaction { () throws(SQLiteError) in
        try connection.execute("INSERT INTO t VALUES (1)")
        connection.interrupter.interrupt()
        _ = try connection.query("SELECT count(*) FROM t")
      }
    }
    try expectFailure(.interrupted) {
      try connection.forEachRow(of: "VALUES (1), (2)") { _ throws(SQLiteError) in
        if isNested {
          try connection.transaction { () throws(SQLiteError) in try interrupted() }
        } else {
          try interrupted()
        }
      }
    }
    try connection.transaction { () throws(SQLiteError) in
      try connection.execute("INSERT INTO t VALUES (2)")
    }
    #expect(try !connection.isInTransaction)
    #expect(try connection.rows(of: "t") == [[2]])
  }

  @Test func `a transaction whose part cannot be undone is undone entirely`() throws {
    let connection = try Connection.inMemory(after: "CREATE TABLE t (a INTEGER PRIMARY KEY)")
    var inner: SQLiteError?
    let error = try failure {
      try connection.transaction { () throws(SQLiteError) in
        try connection.execute("INSERT INTO t VALUES (1)")
        do throws(SQLiteError) {
          try connection.forEachRow(of: "VALUES (1), (2)") { _ throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
              try connection.execute("INSERT INTO t VALUES (2)")
              connection.interrupter.interrupt()
              _ = try connection.query("SELECT count(*) FROM t")
            }
          }
        } catch {
          inner = error
        }
      }
    }
    #expect(inner?.code == .interrupted && error.extendedCode == .abortRollback)
    #expect(try !connection.isInTransaction)
    #expect(try connection.rows(of: "t") == [])
  }

  @Test func `an interrupt while nothing runs has no effect`() throws {
    let connection = try Connection.inMemory()
    connection.interrupter.interrupt()
    #expect(try connection.query("SELECT 1") == [[.integer(1)]])
  }

  @Test func `an interrupter outlives its connection`() throws {
    var connection: Connection? = try Connection.inMemory()
    let interrupter = try #require(connection).interrupter
    try connection?.close()
    interrupter.interrupt()
    connection = nil
    interrupter.interrupt()
  }

  @Test func `a connection can be closed while it is interrupted`() throws {
    try withFile { path in
      try Connection(path, opening: .createNew).execute("CREATE TABLE t (a)")
      for _ in 0..<50 {
        let connection = try Connection(path, opening: .openExisting)
        let interrupter = connection.interrupter
        try meanwhile({ interrupter.interrupt() }) {
          _ = try? connection.query("SELECT * FROM t")
          try connection.close()
        }
      }
    }
  }
}

/// A flag that threads may set and look at.
final class Flag: Sendable {
  private let value = Atomic(false)

  var isSet: Bool { value.load(ordering: .acquiring) }

  func set() { value.store(true, ordering: .releasing) }
}
