import SQLiteSwiftly
import Testing

/// Transactions inside transactions, and those that the caller's own SQL began.
extension TransactionTests {
  /// An error unrelated to SQLite.
  struct Refusal: Error, Equatable { var reason: String }

  /// Runs a call that must be refused, and returns the reason.
  private func refusal(_ body: () throws -> Void) throws -> String {
    try #require(throws: Refusal.self, performing: body).reason
  }

  private func insert(_ value: Int, in connection: Connection) throws(SQLiteError) {
    try connection.execute("INSERT INTO t VALUES (\(value))")
  }

  @Test func `SK-13 SK-14 the caller's own error undoes a transaction and is rethrown`()
    throws
  {
    let connection = try makeTable()
    let reason = try refusal {
      try connection.transaction {
        try insert(1, in: connection)
        throw Refusal(reason: "no more")
      }
    }
    #expect(reason == "no more")
    try expect([], in: connection)
  }

  @Test func `SK-13 a transaction inside another one is kept with it`() throws {
    let connection = try makeTable()
    let result = try connection.transaction { () throws(SQLiteError) in
      try insert(1, in: connection)
      let inner = try connection.transaction(.exclusive) { () throws(SQLiteError) in
        try insert(2, in: connection)
        return 20
      }
      try insert(3, in: connection)
      return inner + 1
    }
    #expect(result == 21)
    try expect([1, 2, 3], in: connection)
  }

  @Test func `SK-14 an inner transaction that throws is undone alone when it is caught`() throws {
    let connection = try makeTable()
    try connection.transaction {
      try insert(1, in: connection)
      let reason = try refusal {
        try connection.transaction {
          try insert(2, in: connection)
          throw Refusal(reason: "inside")
        }
      }
      #expect(reason == "inside")
      try expectFailure("UNIQUE constraint failed: t.a") {
        try connection.transaction { () throws(SQLiteError) in
          try insert(3, in: connection)
          try insert(1, in: connection)
        }
      }
      #expect(try connection.isInTransaction)
      try insert(4, in: connection)
    }
    try expect([1, 4], in: connection)
  }

  @Test(
    arguments: [
      (1, [1, 5]), (2, [1, 2, 4, 5]), (3, []), (4, [1, 2, 3, 4, 5]),
    ] as [(Int, [Int64])])
  func `SK-14 of three levels the one that throws is undone with those inside it`(
    place: Int, rows: [Int64]
  ) throws {
    let connection = try makeTable()
    func stop(at here: Int) throws(Refusal) {
      if here == place { throw Refusal(reason: "at \(here)") }
    }
    let outer: () throws -> Void = {
      try connection.transaction {
        try insert(1, in: connection)
        try? connection.transaction {
          try insert(2, in: connection)
          try? connection.transaction {
            try insert(3, in: connection)
            try stop(at: 2)
          }
          try insert(4, in: connection)
          try stop(at: 1)
        }
        try insert(5, in: connection)
        try stop(at: 3)
      }
    }
    if place == 3 { #expect(try refusal(outer) == "at 3") } else { try outer() }
    try expect(rows, in: connection)
  }

  @Test func `X-5 a transaction that SQLite rolled back inside does not continue outside`() throws {
    let connection = try makeTable()
    try insert(1, in: connection)
    try expectFailure(.abort) {
      try connection.transaction {
        try insert(2, in: connection)
        let cause = try failure {
          try connection.transaction { () throws(SQLiteError) in
            try insert(3, in: connection)
            try connection.execute("INSERT OR ROLLBACK INTO t VALUES (1)")
          }
        }
        #expect(cause.sql == "INSERT OR ROLLBACK INTO t VALUES (1)")
        #expect(cause.message == "UNIQUE constraint failed: t.a")
        #expect(try failure { try insert(4, in: connection) }.code == .abort)
        #expect(try failure { try connection.transaction {} }.code == .abort)
        #expect(try failure { try connection.execute("BEGIN") }.code == .abort)
      }
    }
    try expect([1], in: connection)
  }

  /// A statement that finds the database full, and whether SQLite then rolls all of it back.
  static let fillings: [(SQL, Bool)] = [
    ("INSERT INTO big VALUES (1, zeroblob(100000))", true),
    // SQLite can undo this statement alone, since it keeps a journal for statements that may break
    // a constraint halfway.
    ("INSERT INTO big SELECT column1, zeroblob(100000) FROM (VALUES (1), (2))", false),
  ]

  @Test(arguments: fillings)
  func `X-5 a full database inside ends the outer transaction where SQLite rolled it back`(
    filling: SQL, isAllUndone: Bool
  ) throws {
    let connection = try makeTable()
    try connection.execute("CREATE TABLE big (a INTEGER PRIMARY KEY, b)")
    _ = try connection.query("PRAGMA max_page_count = 10")
    let outer: () throws -> Void = {
      try connection.transaction {
        try insert(1, in: connection)
        let cause = try failure { try connection.transaction { try connection.execute(filling) } }
        #expect(cause == SQLiteError(.full, "database or disk is full", sql: filling.text))
        try insert(2, in: connection)
      }
    }
    if isAllUndone { #expect(try failure(outer).code == .abort) } else { try outer() }
    #expect(try connection.rows(of: "big") == [])
    try expect(isAllUndone ? [] : [1, 2], in: connection)
  }

  @Test func `X-5 an inner transaction that hides SQLite's rollback fails`() throws {
    let connection = try makeTable()
    try insert(1, in: connection)
    try expectFailure(.abort) {
      try connection.transaction { () throws(SQLiteError) in
        try connection.transaction { () throws(SQLiteError) in
          try? connection.execute("INSERT OR ROLLBACK INTO t VALUES (1)")
        }
      }
    }
    try expect([1], in: connection)
  }

  @Test func `X-4 the outer commit checks the deferred keys of an inner transaction`() throws {
    let connection = try makeTable()
    try connection.execute("PRAGMA foreign_keys = ON")
    try connection.execute("CREATE TABLE child (a REFERENCES t (a) DEFERRABLE INITIALLY DEFERRED)")
    let error = try failure {
      try connection.transaction { () throws(SQLiteError) in
        try connection.transaction { () throws(SQLiteError) in
          try connection.execute("INSERT INTO child VALUES (7)")
        }
        try insert(1, in: connection)
      }
    }
    #expect(error.extendedCode == .constraintForeignKey)
    #expect(
      error.message
        == "FOREIGN KEY constraint failed; foreignKeyViolations() lists the rows before the commit"
        && error.sql == "COMMIT")
    try expect([], in: connection)
    try connection.transaction { () throws(SQLiteError) in
      try connection.transaction { () throws(SQLiteError) in
        try connection.execute("INSERT INTO child VALUES (7)")
      }
      try insert(7, in: connection)
    }
    #expect(try connection.rows(of: "child") == [[7]])
  }

  @Test(arguments: ["BEGIN", "SAVEPOINT nested"] as [SQL])
  func `SK-14 inside a transaction begun by SQL it is a savepoint`(begin: SQL) throws {
    let connection = try makeTable()
    try connection.execute(begin)
    try insert(1, in: connection)
    try connection.transaction { () throws(SQLiteError) in try insert(2, in: connection) }
    let reason = try refusal {
      try connection.transaction {
        try insert(3, in: connection)
        throw Refusal(reason: "inside")
      }
    }
    #expect(reason == "inside")
    #expect(try connection.isInTransaction)
    try insert(4, in: connection)
    try connection.execute(begin == "BEGIN" ? "COMMIT" : "RELEASE nested")
    try expect([1, 2, 4], in: connection)
  }

  @Test func `X-5 SQLite's rollback ends a transaction begun by SQL, too`() throws {
    let connection = try makeTable()
    try insert(1, in: connection)
    try connection.execute("BEGIN")
    try expectFailure("UNIQUE constraint failed: t.a") {
      try connection.transaction { () throws(SQLiteError) in
        try insert(2, in: connection)
        try connection.execute("INSERT OR ROLLBACK INTO t VALUES (1)")
      }
    }
    #expect(try failure { try connection.execute("COMMIT") }.message.contains("no transaction"))
    try expect([1], in: connection)
  }

  @Test func `a transaction that the body ended itself is an error`() throws {
    for end in ["COMMIT", "ROLLBACK"] as [SQL] {
      let connection = try makeTable()
      let error = try failure {
        try connection.transaction { () throws(SQLiteError) in
          try insert(1, in: connection)
          try connection.execute(end)
        }
      }
      #expect(error.code == .abort)
      // The message of a COMMIT must not claim a rollback.
      #expect(error.message.hasPrefix("the transaction has already ended"))
      try expect(end == "COMMIT" ? [1] : [], in: connection)
    }
  }
}
