import Foundation
import SQLiteSwiftly
import SQLiteSwiftlyData
import Testing

struct FunctionTests {
  private enum Size: String, QueryDecodableValue, SQLiteValueConvertible { case small, large }

  private struct Reason: Error, CustomStringConvertible { let description: String }

  /// Functions of each type of argument, `all` of any.
  private static func connection() throws -> Connection {
    let connection = try Connection.inMemory()
    try connection.addFunction("of_integer") { (value: Int) in value }
    try connection.addFunction("of_byte") { (value: UInt8) in value }
    try connection.addFunction("of_real") { (value: Double) in value }
    try connection.addFunction("of_text") { (value: String) in value }
    try connection.addFunction("of_bytes") { (value: [UInt8]) in value }
    try connection.addFunction("of_size") { (value: Size) in value }
    try connection.addFunction("of_optional") { (value: String?) in value }
    try connection.addFunction("of_three") { (a: Int, b: String?, c: Double) in
      "\(a) \(b ?? "nil") \(c)"
    }
    try connection.addFunction("of_none") { 7 }
    try connection.addFunction("last") { (values: [SQLiteValue]) in values.last ?? "none" }
    return connection
  }

  static let results: [(sql: SQL, value: SQLiteValue)] = [
    ("of_integer(-9223372036854775808)", .integer(.min)),
    ("of_integer(1 = 1)", 1),
    ("OF_Byte(255)", 255),
    ("of_real(1.5)", 1.5),
    ("of_real(-9e999)", .real(-.infinity)),
    ("of_text('Größe')", "Größe"),
    ("of_text('')", ""),
    ("of_text('a' || char(0) || 'b')", "a\0b"),
    (
      "of_text(substr('a longer text than is stored in place', 3))",
      "longer text than is stored in place"
    ),
    ("of_bytes(x'00FF')", .blob([0, 0xff])),
    ("of_bytes(x'')", .blob([])),
    ("of_bytes(zeroblob(3))", .blob([0, 0, 0])),
    ("of_size('small')", "small"),
    ("of_optional(NULL)", .null),
    ("of_optional('')", ""),
    ("of_text(json_array(1))", "[1]"),
    ("of_three(1, NULL, 2.0)", "1 nil 2.0"),
    ("of_three(1, 'b', of_real(2.5))", "1 b 2.5"),
    ("of_none()", 7),
    ("last()", "none"),
    ("last(1, NULL)", .null),
    ("last(1, 2)", 2),
    ("last(1.5)", 1.5),
    ("last('ü')", "ü"),
    ("last('')", ""),
    ("last(x'')", .blob([])),
    ("last(x'01')", .blob([1])),
  ]

  @Test(arguments: results) func `a function is called with values of SQL`(
    sql: SQL, value: SQLiteValue
  ) throws {
    for encoding: SQL in ["PRAGMA encoding = 'UTF-8'", "PRAGMA encoding = 'UTF-16le'"] {
      let connection = try Self.connection()
      try connection.execute(encoding)
      #expect(try connection.value(of: "SELECT \(sql: sql)") == value)
    }
  }

  @Test func `a text that is not UTF-8 has replaced characters`() throws {
    #expect(
      try Self.connection().query(
        "SELECT of_text(CAST(x'61FF' AS TEXT)), last(CAST(x'C3' AS TEXT))")
        == [["a\u{FFFD}", "\u{FFFD}"]])
  }

  static let refusals: [(sql: SQL, message: String)] = [
    ("of_integer('1')", "argument 1 of of_integer(): expected an integer, found text"),
    ("of_integer(1.0)", "argument 1 of of_integer(): expected an integer, found a real"),
    ("of_real(1)", "argument 1 of of_real(): expected a real, found an integer"),
    ("of_text(x'61')", "argument 1 of of_text(): expected text, found a blob"),
    ("of_bytes('a')", "argument 1 of of_bytes(): expected a blob, found text"),
    ("of_optional(1)", "argument 1 of of_optional(): expected text, found an integer"),
    (
      "of_text(NULL)",
      "argument 1 of of_text(): expected a value, found NULL; read it as an optional"
    ),
    (
      "of_byte(256)", "argument 1 of of_byte(): expected an unsigned integer of 8 bits"
    ),
    ("of_size('huge')", "argument 1 of of_size(): expected a case of Size"),
    ("of_three(1, 2, 3.0)", "argument 2 of of_three(): expected text, found an integer"),
    ("of_three(1, NULL, x'')", "argument 3 of of_three(): expected a real, found a blob"),
  ]

  @Test(arguments: refusals) func `an argument of another type is an error`(
    sql: SQL, message: String
  ) throws {
    let connection = try Self.connection()
    try expectFailure(.mismatch, message) { _ = try connection.query("SELECT \(sql: sql)") }
    // The statement can be run again.
    #expect(try connection.value(of: "SELECT of_none()") == 7)
  }

  @Test func `the number of arguments is that of the closure`() throws {
    let connection = try Self.connection()
    try expectFailure(.error, "wrong number of arguments to function of_three()") {
      _ = try connection.query("SELECT of_three(1)")
    }
    try connection.addFunction("of_three") { (a: Int) in a }
    #expect(
      try connection.query("SELECT of_three(1), of_three(1, NULL, 1.0)") == [[1, "1 nil 1.0"]])
  }

  static let errors:
    [(error: any Error & Sendable, code: SQLiteError.ResultCode, message: String)] =
      [
        (Reason(description: "out of bricks"), .error, "out of bricks"),
        (CancellationError(), .error, "CancellationError()"),
        (Reason(description: ""), .error, ""),
        (Reason(description: "a\0ü"), .error, "a\u{FFFD}ü"),
        (
          Reason(description: String(repeating: "ü", count: 3000)), .error,
          String(repeating: "ü", count: 2000)
        ),
        (
          SQLiteError(.constraintCheck, "too heavy", sql: "SELECT 1"), .constraintCheck, "too heavy"
        ),
        (SQLiteError(.mismatch, "no"), .mismatch, "no"),
        (SQLiteError(.misuse, "no"), .misuse, "no"),
        (SQLiteError(.range, "no"), .range, "no"),
      ]
      + [
        .ok, .row, .done, .interrupted, .inputOutput, .full, .outOfMemory, .schemaChanged, .busy,
        .corrupt,
        SQLiteError.ResultCode(rawValue: -237), SQLiteError.ResultCode(rawValue: 4711),
      ].map { (SQLiteError($0, "no"), .error, "no") }

  @Test(arguments: errors) func `an error of the closure is that of the statement`(
    error: any Error & Sendable, code: SQLiteError.ResultCode, message: String
  ) throws {
    let connection = try Connection.inMemory(after: "CREATE TABLE t (a)")
    try connection.addFunction("fail") { (_: Int) -> Int in throw error }
    try connection.addAggregate("fail_in_step", initial: 0) { (_, _: Int) in
      throw error
    } finish: {
      $0
    }
    try connection.addAggregate("fail_at_end", initial: 0) { (_, _: Int) in
    } finish: { (_) -> Int in
      throw error
    }
    try connection.transaction {
      try connection.execute("INSERT INTO t VALUES (1)")
      for function in ["fail", "fail_in_step", "fail_at_end"] {
        let sql: SQL = "INSERT INTO t SELECT \(identifier: function)(1)"
        let failure = try failure { try connection.execute(sql) }
        #expect(failure.extendedCode == code && failure.message == message)
        #expect(failure.sql == #"INSERT INTO t SELECT "\#(function)"(1)"#)
      }
      // No error rolls the transaction back.
      #expect(try connection.isInTransaction)
    }
    #expect(try connection.rows(of: "t") == [[1]])
  }

  @Test func `a result that does not fit is an error`() throws {
    let connection = try Connection.inMemory()
    try connection.addFunction("number") { (text: String) in UInt64(text) }
    try connection.addFunction("bytes") { (count: Int) in [UInt8](repeating: 0, count: count) }
    #expect(try connection.value(of: "SELECT number('9223372036854775807')") == .integer(.max))
    try expectFailure(
      .range, "a value of type UInt64 does not fit into SQLite's 64-bit integers"
    ) { _ = try connection.query("SELECT number('9223372036854775808')") }
    try connection.limitLength(to: 1000)
    #expect(try connection.value(of: "SELECT length(bytes(1000))") == 1000)
    try expectFailure(.tooBig, "string or blob too big") {
      _ = try connection.query("SELECT bytes(1001)")
    }
  }

  /// Definitions that call a function, which only a deterministic one may serve.
  static let definitions: [SQL] = [
    "CREATE INDEX i ON t (twice(a))", "CREATE INDEX i ON t (a) WHERE twice(a) > 1",
    "CREATE TABLE u (a, b AS (twice(a)))",
  ]
  /// Definitions that can call a function, and the statements that then do so.
  static let uses: [(definition: SQL, use: SQL)] = [
    ("CREATE VIEW v AS SELECT twice(a) FROM t", "SELECT * FROM v"),
    (
      "CREATE TRIGGER g AFTER INSERT ON t BEGIN UPDATE t SET a = twice(a); END",
      "INSERT INTO t VALUES (1)"
    ),
    ("CREATE TABLE u (a, b DEFAULT (twice(1)))", "INSERT INTO u (a) VALUES (1)"),
  ]

  @Test func `the schema can only call a deterministic function`() throws {
    for isDeterministic in [true, false] {
      for definition in Self.definitions.map({ ($0, "SELECT 1" as SQL) }) + Self.uses {
        let connection = try Connection.inMemory(
          after: "CREATE TABLE t (a)", "INSERT INTO t VALUES (1)")
        try connection.addFunction("twice", isDeterministic: isDeterministic) { (a: Int) in 2 * a }
        #expect(try connection.value(of: "SELECT twice(a) FROM t") == 2)
        let outcome = Result {
          try connection.execute(definition.0)
          _ = try connection.prepare(definition.1)
        }
        if isDeterministic {
          #expect(throws: Never.self, "\(definition.0)") { try outcome.get() }
        } else {
          let message = try failure { try outcome.get() }.message
          #expect(
            message.hasPrefix("unsafe use of twice()")
              || message.hasPrefix("non-deterministic functions prohibited"), "\(definition.0)")
        }
      }
    }
  }

  @Test func `a check calls a function`() throws {
    let connection = try Connection.inMemory()
    try connection.addFunction("is_even", isDeterministic: true) { (a: Int) in a % 2 == 0 }
    try connection.execute("CREATE TABLE t (a CHECK (is_even(a)))")
    try connection.execute("INSERT INTO t VALUES (2)")
    try expectFailure(extended: .constraintCheck) {
      try connection.execute("INSERT INTO t VALUES (3)")
    }
  }

  @Test func `an index of a function is used and kept`() throws {
    try withFile { path in
      let connection = try Connection(path, opening: .createNew)
      try connection.addFunction("folded", isDeterministic: true) { (a: String) in a.lowercased() }
      try connection.execute("CREATE TABLE t (a TEXT)")
      try connection.execute("CREATE UNIQUE INDEX i ON t (folded(a))")
      try connection.execute("INSERT INTO t VALUES ('Ärger'), ('Zug')")
      let plan = try connection.query("EXPLAIN QUERY PLAN SELECT a FROM t WHERE folded(a) = 'x'")
      #expect(plan.map { $0[3] } == ["SEARCH t USING INDEX i (<expr>=?)"])
      #expect(try connection.query("SELECT a FROM t WHERE folded(a) = 'ärger'") == [["Ärger"]])
      try expectFailure(extended: .constraintUnique) {
        try connection.execute("INSERT INTO t VALUES ('ÄRGER')")
      }
      #expect(try connection.faults(.full) == [])
      try connection.close()
      // A connection without the function cannot write the index.
      let other = try Connection(path, opening: .openExisting)
      try expectFailure(.error, "unknown function: folded()") {
        try other.execute("INSERT INTO t VALUES ('b')")
      }
    }
  }

  static let names: [(name: String, isValid: Bool)] = [
    ("", false), ("a\0b", false), (String(repeating: "a", count: 256), false),
    (String(repeating: "ü", count: 128), false), (String(repeating: "a", count: 255), true),
    ("two words", true), ("größe", true), ("upper", true),
  ]

  @Test(arguments: names) func `a name has 1 to 255 bytes`(name: String, isValid: Bool) throws {
    let connection = try Connection.inMemory()
    let calls: [() throws -> Void] = [
      { try connection.addFunction(name) { (a: String) in "own \(a)" } },
      {
        try connection.addAggregate(name, initial: 0) { (_, _: Int, _: Int) in
        } finish: {
          $0
        }
      },
      { try connection.addCollation(name) { $0 < $1 } },
    ]
    for call in calls {
      if isValid {
        try call()
      } else {
        try expectFailure(.misuse, "expected a name of 1 to 255 bytes without NUL", call)
      }
    }
    guard isValid else { return }
    #expect(try connection.value(of: "SELECT \(identifier: name)('a')") == "own a")
    #expect(try connection.value(of: "SELECT \(identifier: name)(1, 2)") == 0)
    _ = try connection.query("SELECT 'a' < 'b' COLLATE \(identifier: name)")
  }

  @Test func `a pool's connections have the functions of its configuration`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let pool = try ConnectionPool(folder.path + "/a.sqlite", opening: .openOrCreate, readers: 2) {
      connection throws(SQLiteError) in
      try connection.addFunction("twice", isDeterministic: true) { (a: Int) in 2 * a }
      try connection.addCollation("reversed") { $0 > $1 }
    }
    try await pool.write { connection in
      try connection.execute("CREATE TABLE t (a, b COLLATE reversed)")
      try connection.execute("INSERT INTO t VALUES (twice(1), 'a'), (twice(2), 'b')")
    }
    let rows = try await pool.read { connection in
      try connection.query("SELECT twice(a), b FROM t ORDER BY b")
    }
    #expect(rows == [[8, "b"], [4, "a"]])
    try await pool.close()
  }
}
