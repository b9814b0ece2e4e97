import SQLiteSwiftly
import Testing

/// The effects of transactions on another connection to the same file.
struct LockingTests {
  /// The actions available to a second connection during a transaction of the first.
  static let locks: [(TransactionKind, canWrite: Bool, canRead: Bool)] = [
    (.deferred, true, true), (.immediate, false, true), (.exclusive, false, false),
  ]

  /// Gives `body` two connections to a file with an empty table.
  private func withTwoConnections(_ body: (Connection, Connection) throws -> Void) throws {
    try withFile { path in
      let first = try Connection(path, opening: .createNew)
      try first.execute("CREATE TABLE t (a INTEGER PRIMARY KEY)")
      try body(first, try Connection(path, opening: .openExisting))
    }
  }

  private func succeeds(_ body: () throws -> Void) throws -> Bool {
    do {
      try body()
      return true
    } catch let error as SQLiteError where error.code == .busy {
      return false
    }
  }

  @Test(arguments: locks)
  func `SK-13 a transaction acquires its locks at the requested time`(
    kind: TransactionKind, canWrite: Bool, canRead: Bool
  ) throws {
    try withTwoConnections { first, second in
      try first.transaction(kind) {
        let couldWrite = try succeeds { try second.transaction {} }
        let couldRead = try succeeds { _ = try second.rows(of: "t") }
        #expect(couldWrite == canWrite && couldRead == canRead)
      }
      try second.transaction { () throws(SQLiteError) in
        try second.execute("INSERT INTO t VALUES (1)")
      }
      #expect(try first.rows(of: "t") == [[1]])
    }
  }

  @Test func `X-1 a deferred transaction may find the lock taken at its first write`() throws {
    try withTwoConnections { first, second in
      try expectFailure(.constraint) {
        try first.transaction(.deferred) {
          try second.transaction {
            let error = try failure { try first.execute("INSERT INTO t VALUES (1)") }
            #expect(error.code == .busy)
            try second.execute("INSERT INTO t VALUES (2)")
          }
          // It has read nothing, and is free to go on.
          try first.execute("INSERT INTO t VALUES (3)")
          try first.execute("INSERT INTO t VALUES (2)")
        }
      }
      #expect(try first.rows(of: "t") == [[2]])
    }
  }

  @Test func `X-4 a commit that a reader prevents is undone`() throws {
    try withTwoConnections { first, second in
      try second.execute("INSERT INTO t VALUES (1), (2)")
      var statement = try second.prepare("SELECT a FROM t")
      var rows = statement.rows()
      _ = try rows.next()
      let error = try failure {
        try first.transaction { () throws(SQLiteError) in
          try first.execute("INSERT INTO t VALUES (3)")
        }
      }
      #expect(error.code == .busy && error.sql == "COMMIT")
      #expect(try !first.isInTransaction)
      #expect(try first.rows(of: "t") == [[1], [2]])
      _ = try rows.next()
      let isAtEnd = try rows.next() == nil
      #expect(isAtEnd)
      try first.transaction { () throws(SQLiteError) in
        try first.execute("INSERT INTO t VALUES (4)")
      }
      #expect(try first.rows(of: "t") == [[1], [2], [4]])
    }
  }

  @Test func `X-1 neither a write that a reader prevents nor rows left unread keep a lock`() throws
  {
    try withTwoConnections { first, second in
      try second.execute("INSERT INTO t VALUES (1), (2)")
      var insert = try first.prepare("INSERT INTO t VALUES (?)")
      var statement = try second.prepare("SELECT a FROM t")
      do {
        var rows = statement.rows()
        _ = try rows.next()
        #expect(try failure { try insert.run([3]) }.code == .busy)
        let insertion: SQL = "INSERT INTO t VALUES (3) RETURNING a"
        #expect(try failure { _ = try first.value(of: insertion) }.code == .busy)
      }
      try second.execute("INSERT INTO t VALUES (4)")
      try insert.run([3])
      #expect(try statement.query() == [[1], [2], [3], [4]])
    }
  }

  @Test func `X-1 a statement waits for a lock up to the busy timeout`() throws {
    try withTwoConnections { first, second in
      second.busyTimeout = .milliseconds(60)
      try first.transaction {
        let start = ContinuousClock.now
        try expectFailure(.busy) { try second.transaction {} }
        #expect(ContinuousClock.now - start >= .milliseconds(50))
      }
      try second.transaction {}
    }
  }
}
