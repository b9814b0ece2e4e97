import Foundation
import SQLiteSwiftly
import SQLiteSwiftlyData
import Schema
import Testing

/// Connections that are opened and closed where and when they should not be.
struct MisuseOpeningTests {
  static let openings: [Connection.Opening] = [.createNew, .openExisting, .openOrCreate, .readOnly]

  /// Each way of opening a path, which fails in each.
  private static func opening(
    _ name: String, _ code: SQLiteError.ResultCode, _ part: String,
    _ path: @escaping @Sendable (String) -> String
  ) -> [Misuse] {
    openings.map { opening in
      Misuse("\(name), \(opening)", code, part) { _, folder in
        _ = try Connection(path(folder), opening: opening)
      }
    }
  }

  static let cases: [Misuse] =
    opening("a device", .cannotOpen, "") { _ in "/dev/zero" }
    + opening("a pipe", .cannotOpen, "") { folder in
      unsafe mkfifo(folder + "/pipe", 0o600) == 0 ? folder + "/pipe" : "no pipe"
    }
    + opening("no path", .cannotOpen, "not a valid file path") { _ in "" }
    + opening("a path with a NUL", .cannotOpen, "not a valid file path") { $0 + "/b\0.sqlite" }
    + opening("a folder", .cannotOpen, "") { $0 }
    + opening("a path below a file", .cannotOpen, "") { $0 + "/a.sqlite/b.sqlite" }
    + opening("a path that is too long", .cannotOpen, "") {
      $0 + "/" + String(repeating: "x", count: 5000)
    } + others

  private static let others: [Misuse] = [
    Misuse("a file that is there", .cannotOpen, "File exists") {
      _ = try Connection($1 + "/a.sqlite", opening: .createNew)
    },
    Misuse("a file that is not there", .cannotOpen, "unable to open database file") {
      _ = try Connection($1 + "/b.sqlite", opening: .openExisting)
    },
    Misuse("a name of SQLite's for a database in memory", .cannotOpen, ":memory:") { _, _ in
      _ = try Connection(":memory:", opening: .openExisting)
    },
    Misuse("a time to wait beyond all numbers", gives: "2147483647") { _, folder in
      let seconds = Duration.seconds(Int64.max)
      let connection = try Connection(
        folder + "/a.sqlite", opening: .openExisting, busyTimeout: seconds)
      return try connection.value(of: "PRAGMA busy_timeout")?.integerValue ?? 0
    },
    Misuse("a time to wait below zero", gives: "0") { connection, _ in
      connection.busyTimeout = .seconds(Int64.min)
      return try connection.value(of: "PRAGMA busy_timeout")?.integerValue ?? -1
    },
    Misuse("a time to wait of a closed connection", gives: "5.0 seconds") { connection, _ in
      try connection.close()
      connection.busyTimeout = .seconds(5)
      return connection.busyTimeout
    },
    Misuse("closing three times", gives: "()") { connection, _ in
      for _ in 0..<3 { try connection.close() }
      return ()
    },
    Misuse("closing with a statement", .busy, "unable to close") { connection, _ in
      let statement = try connection.prepare("SELECT 1")
      try connection.close()
      statement.close()
    },
    Misuse("closing while rows are read", .busy, "unable to close") { connection, _ in
      try connection.forEachRow(of: "VALUES (1), (2)") { _ throws(SQLiteError) in
        try connection.close()
      }
    },
    Misuse("closing within a transaction", .misuse, "the connection is closed") { connection, _ in
      try connection.transaction { () throws(SQLiteError) in try connection.close() }
    },
    Misuse("what is left of a transaction that closing ended", gives: "[]") { connection, folder in
      try? connection.transaction {
        try connection.execute("DELETE FROM words")
        try connection.execute("CREATE TABLE t (a)")
        try connection.close()
      }
      let other = try Connection(folder + "/a.sqlite", opening: .openExisting)
      return try other.query("SELECT name FROM sqlite_schema WHERE name = 't'")
    },
    Misuse("a statement of a connection that nobody keeps", gives: "[[1]]") { _, folder in
      var statement = try Connection(folder + "/a.sqlite", opening: .openExisting)
        .prepare("SELECT count(*) - 1 FROM words")
      return try statement.query(as: Int.self).map { [$0] }
    },
    Misuse("a file that was removed meanwhile", gives: "2") { connection, folder in
      let other = try Connection(folder + "/b.sqlite", opening: .createNew)
      try other.execute("CREATE TABLE t AS SELECT 1 AS a UNION SELECT 2")
      try FileManager.default.removeItem(atPath: folder + "/b.sqlite")
      return try other.first("SELECT count(*) FROM t", as: Int.self) ?? 0
    },
  ]

  /// Every call of a closed connection.
  static let closedCalls: [(String, @Sendable (Connection) throws -> Void)] = [
    ("changes", { _ = try $0.changes }), ("isInTransaction", { _ = try $0.isInTransaction }),
    ("lastInsertedRowID", { _ = try $0.lastInsertedRowID }),
    ("execute", { try $0.execute("DELETE FROM words") }),
    ("execute script", { try $0.execute(script: "DELETE FROM words") }),
    ("prepare", { _ = try $0.prepare("SELECT 1") }), ("query", { _ = try $0.query("SELECT 1") }),
    ("query as", { _ = try $0.query("SELECT 1", as: Int.self) }),
    ("query as a tuple", { _ = try $0.query("SELECT 1, 2", as: (Int, Int).self) }),
    ("query decoding", { _ = try $0.query("SELECT 1") { try $0.decode(Int.self) } }),
    ("query described", { _ = try $0.query("SELECT 1", describedBy: words) }),
    ("readAllRows", { _ = try $0.readAllRows(fromTable: words) }),
    ("first", { _ = try $0.first("SELECT 1", as: Int.self) }),
    ("value", { _ = try $0.value(of: "SELECT 1") }),
    ("forEachRow", { try $0.forEachRow(of: "SELECT 1") { _ in } }),
    ("transaction", { try $0.transaction(.deferred) {} }),
    (
      "interruptingOnCancellation",
      { try $0.interruptingOnCancellation { () throws(SQLiteError) in } }
    ),
    ("createTable", { try $0.createTable(describedBy: words) }),
    ("createIndexes", { try $0.createIndexes(describedBy: words) }),
    ("prepareInsert", { _ = try $0.prepareInsertIntoTable(describedBy: words) }),
    ("bulkInsert", { try $0.bulkInsert(intoTable: words) { try $0.append(1, "x") } }),
    ("schema", { _ = try $0.schema(ofTable: "words") }),
    ("differences from a table", { _ = try $0.differences(fromTable: words) }),
    (
      "differences",
      { _ = try $0.differences(from: SchemaDescription(tables: [], applicationID: 0, version: 0)) }
    ),
    ("faults", { _ = try $0.faults(.full) }),
    ("foreignKeyViolations", { _ = try $0.foreignKeyViolations() }),
    ("migrate", { try $0.migrate([]) }), ("pragma", { _ = try $0.value(of: .cacheSize) }),
    ("read-only pragma", { _ = try $0.value(of: .pageCount) }),
    ("set a pragma", { try $0.set(.foreignKeys, to: true) }),
    ("back up", { try $0.backUp(into: .inMemory()) }),
    ("back up from another", { try Connection.inMemory().backUp(into: $0) }),
  ]

  @Test(arguments: cases) func `an invalid path or closing is reported`(misuse: Misuse) throws {
    let outcome = try misuse.happen()
    #expect(misuse.expects(outcome), "\(outcome)")
    #expect(outcome.state == "usable")
  }

  @Test(arguments: closedCalls) func `a closed connection refuses every call`(
    name: String, call: @Sendable (Connection) throws -> Void
  ) throws {
    let connection = try Connection.inMemory()
    try connection.createTable(describedBy: words)
    try connection.close()
    let error = try failure { try call(connection) }
    #expect(error.code == .misuse && error.message.hasSuffix("the connection is closed"))
    connection.interrupter.interrupt()
    try connection.close()
  }
}
