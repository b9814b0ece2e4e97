import SQLiteSwiftly
import SQLiteSwiftlyData
import Synchronization
import Testing

/// An object that a closure keeps alive.
private final class Held: Sendable {}

struct CollationTests {
  private static let orders: [(sql: SQL, rows: [[SQLiteValue]])] = [
    ("SELECT a FROM t ORDER BY a COLLATE by_length, a", [[""], ["z"], ["ab"], ["ö"], ["abc"]]),
    ("SELECT a FROM t WHERE a = 'xy' COLLATE by_length ORDER BY a", [["ab"], ["ö"]]),
    ("SELECT max(b) FROM t", [["abc"]]),
    ("SELECT count(DISTINCT b) FROM t", [[4]]),
    (
      "SELECT b, count(*) FROM t GROUP BY b ORDER BY b",
      [["", 1], ["z", 1], ["ab", 2], ["abc", 1]]
    ),
    ("SELECT b FROM t WHERE b > 'z' ORDER BY b, a", [["ab"], ["ö"], ["abc"]]),
  ]

  /// Orders by the bytes of a text, so that "ö" is as long as "ab".
  private static func connection(encoding: SQL) throws -> Connection {
    let connection = try Connection.inMemory(after: encoding)
    try connection.addCollation("by_length") { $0.utf8.count < $1.utf8.count }
    try connection.execute("CREATE TABLE t (a TEXT, b TEXT COLLATE by_length)")
    for text in ["ab", "z", "", "abc", "ö"] {
      try connection.execute("INSERT INTO t VALUES (\(text), \(text))")
    }
    return connection
  }

  @Test(arguments: orders) func `texts have the order of a closure`(
    sql: SQL, rows: [[SQLiteValue]]
  ) throws {
    for encoding: SQL in ["PRAGMA encoding = 'UTF-8'", "PRAGMA encoding = 'UTF-16be'"] {
      let connection = try Self.connection(encoding: encoding)
      #expect(try connection.query(sql) == rows)
      try connection.execute("CREATE INDEX i ON t (b)")
      #expect(try connection.query(sql) == rows)
      #expect(try connection.faults(.full) == [])
    }
  }

  @Test func `a text that is not UTF-8 has replaced characters`() throws {
    let connection = try Connection.inMemory()
    let seen = Mutex<Set<String>>([])
    try connection.addCollation("seen") { left, right in
      seen.withLock { $0.formUnion([left, right]) }
      return left < right
    }
    for bytes: SQL in ["x'61FF'", "x'C3'", "x'EDA080'", "x'610062'", "x''"] {
      _ = try connection.query("SELECT CAST(\(sql: bytes) AS TEXT) = 'b' COLLATE seen")
    }
    #expect(
      seen.withLock { $0 } == [
        "b", "a\u{FFFD}", "\u{FFFD}", "\u{FFFD}\u{FFFD}\u{FFFD}", "a\0b", "",
      ])
  }

  @Test(arguments: ["binary", "NoCase", "RTRIM"]) func `a built-in collation is kept`(
    name: String
  ) throws {
    let connection = try Connection.inMemory()
    try expectFailure(.misuse, "the built-in collation \(name) cannot be replaced") {
      try connection.addCollation(name) { $0 < $1 }
    }
  }

  /// Adds a function, an aggregate or a collation that holds an object.
  enum Addition: CaseIterable {
    case function, variadic, aggregate, collation

    fileprivate func add(to connection: Connection, holding object: Held) throws {
      switch self {
      case .function:
        try connection.addFunction("x") { (_: Int) in
          withExtendedLifetime(object) { 1 }
        }
      case .variadic:
        try connection.addFunction("x") { (_: [SQLiteValue]) in withExtendedLifetime(object) { 1 } }
      case .aggregate:
        try connection.addAggregate("x", initial: object) { (_, _: Int) in
        } finish: { _ in
          1
        }
      case .collation:
        try connection.addCollation("x") { left, right in
          withExtendedLifetime(object) { left < right }
        }
      }
    }

    var use: SQL {
      self == .collation
        ? "SELECT value FROM json_each('[1,2]') ORDER BY value || '' COLLATE x"
        : "SELECT x(value) FROM json_each('[1,2]') GROUP BY value"
    }
  }

  @Test(arguments: Addition.allCases) func `a closure is released when replaced or closed`(
    addition: Addition
  ) throws {
    let connection = try Connection.inMemory()
    weak var first: Held?
    weak var second: Held?
    weak var refused: Held?
    do {
      let object = Held()
      first = object
      try addition.add(to: connection, holding: object)
    }
    #expect(first != nil)
    do {
      var statement = try connection.prepare(addition.use)
      var rows = statement.rows()
      #expect(try rows.next()?.columnCount == 1)
      let object = Held()
      refused = object
      // Code of the old closure may be running.
      #expect(
        try failure { try addition.add(to: connection, holding: object) }.code == .busy)
    }
    #expect(first != nil && refused == nil)
    do {
      let object = Held()
      second = object
      try addition.add(to: connection, holding: object)
    }
    #expect(first == nil && second != nil)
    #expect(try connection.query(addition.use).count == 2)
    try connection.close()
    #expect(second == nil)
    let object = Held()
    try expectFailure(.misuse, "the connection is closed") {
      try addition.add(to: connection, holding: object)
    }
  }

  @Test(arguments: Addition.allCases) func `a closure is released with its connection`(
    addition: Addition
  ) throws {
    weak var weakObject: Held?
    do {
      let (connection, object) = (try Connection.inMemory(), Held())
      weakObject = object
      try addition.add(to: connection, holding: object)
      #expect(try connection.query(addition.use).count == 2)
    }
    #expect(weakObject == nil)
  }

  @Test func `a kept statement calls the function that was added last`() async throws {
    let pool = try ConnectionPool.inMemory(readers: 1)
    try await pool.read { connection in
      #expect(try connection.query("SELECT max(1, 2)") == [[2]])
      try connection.addFunction("max") { (a: Int, b: Int) in 10 * a + b }
      #expect(try connection.query("SELECT max(1, 2)") == [[12]])
      try connection.addFunction("max") { (a: Int, b: Int) in 0 }
      #expect(try connection.query("SELECT max(1, 2)") == [[0]])
    }
  }

  @Test func `no closure can use its connection`() throws {
    // Only with such a trick, since a closure that is Sendable cannot capture a connection.
    struct Trick: @unchecked Sendable { let connection: Connection }
    let connection = try Connection.inMemory()
    let trick = Trick(connection: connection)
    let uses: [@Sendable () throws -> Void] = [
      { _ = try trick.connection.query("SELECT 1") }, { try trick.connection.close() },
      { try trick.connection.addFunction("g") { 1 } }, { _ = try trick.connection.changes },
      { try trick.connection.transaction {} },
    ]
    let messages = Mutex<[String]>([])
    for use in uses {
      let note: @Sendable () -> Void = {
        do { try use() } catch {
          messages.withLock { $0.append((error as? SQLiteError)?.message ?? "\(error)") }
        }
      }
      try connection.addFunction("f") { (a: Int) in
        note()
        return a
      }
      try connection.addAggregate("g", initial: note()) { (_, _: Int) in
        note()
      } finish: {
        note()
        return 1
      }
      try connection.addCollation("c") { left, right in
        note()
        return left < right
      }
      #expect(try connection.query("SELECT f(1), g(1), 'a' < 'b' COLLATE c") == [[1, 1, 1]])
    }
    #expect(
      messages.withLock { $0 }
        == Array(
          repeating: "the connection cannot be used in its own function or collation", count: 25))
    // The error may be passed on.
    try connection.addFunction("f") { (a: Int) in try trick.connection.changes }
    try expectFailure(.misuse, "the connection cannot be used in its own function or collation") {
      _ = try connection.query("SELECT f(1)")
    }
    // These closures keep the connection open otherwise.
    try connection.close()
  }
}
