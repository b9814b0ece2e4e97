import SQLiteSwiftly
import Testing

struct TransactionTests {
  func makeTable() throws -> Connection {
    try .inMemory(after: "CREATE TABLE t (a INTEGER PRIMARY KEY)")
  }

  /// Checks that the table has `rows`, that no transaction is open, and that another one works.
  func expect(_ rows: [Int64], in connection: Connection) throws {
    #expect(try connection.rows(of: "t") == rows.map { [.integer($0)] })
    #expect(try !connection.isInTransaction)
    try connection.transaction { () throws(SQLiteError) in
      try connection.execute("INSERT INTO t VALUES (1000)")
    }
    #expect(try connection.rows(of: "t") == (rows + [1000]).map { [.integer($0)] })
  }

  @Test func `SK-14 an error undoes a transaction and is rethrown`() throws {
    let connection = try makeTable()
    try connection.execute("INSERT INTO t VALUES (1)")
    try expectFailure(extended: .constraintPrimaryKey, "UNIQUE constraint failed: t.a") {
      try connection.transaction { () throws(SQLiteError) in
        try connection.execute("INSERT INTO t VALUES (2)")
        try connection.execute("INSERT INTO t VALUES (1)")
      }
    }
    try expect([1], in: connection)
  }

  @Test func `X-5 SQLite's own rollback does not hide its cause`() throws {
    let connection = try makeTable()
    try connection.execute("INSERT INTO t VALUES (1)")
    let error = try failure {
      try connection.transaction { () throws(SQLiteError) in
        try connection.execute("INSERT INTO t VALUES (2)")
        try connection.execute("INSERT OR ROLLBACK INTO t VALUES (1)")
      }
    }
    #expect(
      error.extendedCode == .constraintPrimaryKey
        && error.sql == "INSERT OR ROLLBACK INTO t VALUES (1)")
    try expect([1], in: connection)
  }

  @Test func `X-5 work after SQLite's own rollback does not count as committed`() throws {
    let connection = try makeTable()
    try connection.execute("INSERT INTO t VALUES (1)")
    let error = try failure {
      try connection.transaction {
        try connection.execute("INSERT INTO t VALUES (2)")
        try? connection.execute("INSERT OR ROLLBACK INTO t VALUES (1)")
        try expectFailure(.abort) { try connection.execute("INSERT INTO t VALUES (3)") }
      }
    }
    #expect(error.code == .abort && error.extendedCode == .abortRollback)
    try expect([1], in: connection)
  }

  @Test func `a transaction that cannot begin leaves nothing open`() throws {
    try withFile { path in
      let first = try Connection(path, opening: .createNew)
      try first.execute("CREATE TABLE t (a INTEGER PRIMARY KEY)")
      let second = try Connection(path, opening: .openExisting)
      try first.beginTransaction()
      var hasRun = false
      let error = try failure { try second.transaction { hasRun = true } }
      #expect(error.code == .busy && error.sql == "BEGIN IMMEDIATE" && !hasRun)
      try first.commitTransaction()
      try expect([], in: second)
    }
  }

  @Test func `a connection that was closed within a transaction undoes it`() throws {
    try withFile { path in
      let connection = try Connection(path, opening: .createNew)
      try connection.execute("CREATE TABLE t (a INTEGER PRIMARY KEY)")
      try expectFailure(.misuse) {
        try connection.transaction { () throws(SQLiteError) in
          try connection.execute("INSERT INTO t VALUES (1)")
          try connection.close()
        }
      }
      try expect([], in: try Connection(path, opening: .openExisting))
    }
  }

  @Test func `the caller's own savepoint does not count as a transaction`() throws {
    let connection = try makeTable()
    try connection.transaction {
      try? connection.transaction {
        try connection.execute("INSERT INTO t VALUES (1)")
        try connection.execute("SAVEPOINT nested")
        try connection.execute("INSERT INTO t VALUES (2)")
        throw CancellationError()
      }
      #expect(try connection.rows(of: "t") == [])
      try connection.transaction {
        try connection.execute("SAVEPOINT nested")
        try connection.execute("INSERT INTO t VALUES (3)")
      }
    }
    try expect([3], in: connection)
  }
}
