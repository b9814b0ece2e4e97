import SQLiteSwiftly
import Testing

/// Transactions that end before their time, or not at all.
struct MisuseTransactionTests {
  /// Runs a statement in a transaction, which goes on then.
  private static func ending(
    _ name: String, _ sql: SQL, _ code: SQLiteError.ResultCode, _ part: String
  ) -> Misuse {
    Misuse(name, code, part) { connection, _ in
      try connection.transaction { () throws(SQLiteError) in
        try connection.execute(sql)
        try connection.execute("DELETE FROM words")
      }
    }
  }

  private static let over = "the transaction has already ended"
  private static let name = "SQLiteSwiftly.transaction"

  static let cases: [Misuse] = [
    ending("a commit of its own", "COMMIT", .abortRollback, over),
    ending("a rollback of its own", "ROLLBACK", .abortRollback, over),
    ending("a second beginning", "BEGIN", .error, "cannot start a transaction within"),
    ending("a vacuum", "VACUUM", .error, "cannot VACUUM from within a transaction"),
    ending("the end of no savepoint", "RELEASE absent", .error, "no such savepoint: absent"),
    ending("a return to no savepoint", "ROLLBACK TO absent", .error, "no such savepoint"),
    ending(
      "a rollback by a conflict", "INSERT OR ROLLBACK INTO words VALUES (1, '')",
      .constraintPrimaryKey, "UNIQUE constraint failed"),
    Misuse("the inner savepoint is released by SQL", .error, "no such savepoint") {
      connection, _ in
      try connection.transaction { () throws(SQLiteError) in
        try connection.transaction { () throws(SQLiteError) in
          try connection.execute("RELEASE \(identifier: name)")
        }
      }
    },
    Misuse("a savepoint of the caller's hides the library's", gives: "1") { connection, _ in
      try connection.transaction {
        try connection.transaction {
          try connection.execute("DELETE FROM words WHERE id = 1")
          try connection.execute("SAVEPOINT \(identifier: name)")
        }
      }
      return try connection.first("SELECT count(*) FROM words", as: Int.self) ?? 0
    },
    Misuse("a savepoint that stays open", gives: "[[1], [2]]") { connection, _ in
      try connection.transaction { try connection.execute("SAVEPOINT a") }
      try connection.execute("BEGIN")
      try connection.execute("COMMIT")
      return try connection.query("SELECT id FROM words", as: Int.self).map { [$0] }
    },
    Misuse("a commit while nothing is open", .error, "no transaction is active") { connection, _ in
      try connection.execute("COMMIT")
    },
    Misuse("a transaction of the caller's that stays open", gives: "2") { connection, _ in
      try connection.execute("BEGIN")
      try connection.transaction { try connection.execute("DELETE FROM words") }
      try connection.execute("ROLLBACK")
      return try connection.first("SELECT count(*) FROM words", as: Int.self) ?? 0
    },
    Misuse("transactions within each other, many deep", gives: "150") { connection, _ in
      var depth = 0
      func descend() throws {
        depth += 1
        try connection.execute("UPDATE words SET word = \("\(depth)")")
        if depth < 150 { try connection.transaction { try descend() } }
      }
      try connection.transaction { try descend() }
      return try connection.first("SELECT word FROM words", as: String.self) ?? ""
    },
    Misuse("transactions within each other, the deepest of which fails", .abort, "deep enough") {
      connection, _ in
      func descend(_ depth: Int) throws {
        try connection.execute("DELETE FROM words")
        if depth == 0 { throw SQLiteError(.abort, "deep enough") }
        try connection.transaction(.exclusive) { try descend(depth - 1) }
      }
      try connection.transaction { try descend(100) }
    },
    Misuse("a transaction beside another connection's", .busy, "database is locked") {
      connection, folder in
      let other = try Connection(folder + "/a.sqlite", opening: .openExisting)
      try connection.transaction(.exclusive) { () throws(SQLiteError) in
        try other.transaction { () throws(SQLiteError) in }
      }
    },
    Misuse("a transaction that cannot write any more", .busy, "database is locked") {
      connection, folder in
      let other = try Connection(folder + "/a.sqlite", opening: .openExisting)
      try connection.transaction(.deferred) { () throws(SQLiteError) in
        _ = try connection.query("SELECT * FROM words")
        try other.transaction { () throws(SQLiteError) in
          try connection.execute("DELETE FROM words")
        }
      }
    },
    Misuse("a commit that fails", .constraintForeignKey, "FOREIGN KEY constraint failed") {
      connection, _ in
      try connection.set(.foreignKeys, to: true)
      try connection.execute(
        "CREATE TABLE t (a REFERENCES words (id) DEFERRABLE INITIALLY DEFERRED)")
      try connection.transaction { () throws(SQLiteError) in
        try connection.execute("INSERT INTO t VALUES (99)")
      }
    },
    Misuse("a transaction while rows are read", gives: "2") { connection, _ in
      var count = 0
      try connection.forEachRow(of: "SELECT id FROM words") { _ in
        try connection.transaction(.deferred) { count += 1 }
      }
      return count
    },
    Misuse("a transaction within a read that is rolled back", gives: "[1, 2]") { connection, _ in
      var ids: [Int] = []
      try connection.forEachRow(of: "SELECT id FROM words") { row in
        ids.append(try row[0])
        try? connection.transaction {
          try connection.execute("DELETE FROM words")
          throw CancellationError()
        }
      }
      return ids
    },
    Misuse("a result that is thrown away", gives: "Optional(3)") { connection, _ in
      try connection.transaction { () throws -> Int? in 3 } as Any
    },
    Misuse("what is asked within one that is over", gives: "false 1 0") { connection, _ in
      var found = ""
      try? connection.transaction {
        try connection.execute("DELETE FROM words WHERE id = 1")
        try connection.execute("ROLLBACK")
        found = "\(try connection.isInTransaction) \(try connection.changes) 0"
      }
      return found
    },
  ]

  @Test(arguments: cases) func `a transaction that ends unexpectedly is reported`(misuse: Misuse)
    throws
  {
    let outcome = try misuse.happen()
    #expect(misuse.expects(outcome), "\(outcome)")
    #expect(outcome.state == "usable")
  }
}
