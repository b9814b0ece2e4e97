import SQLiteSwiftly
import Testing

/// A way to pass values to a statement's parameters, and its result.
struct ParameterCase: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let sql: SQL
  let parameters: SQLParameters
  /// The row that is inserted, or how it is refused.
  let outcome: Result<[SQLiteValue], Refused>

  struct Refused: Error {
    let code: SQLiteError.ResultCode
    let message: String
  }

  init(
    _ name: String, _ sql: SQL, _ parameters: SQLParameters, inserts row: [SQLiteValue]
  ) {
    (testDescription, self.sql, self.parameters) = (name, sql, parameters)
    outcome = .success(row)
  }

  init(
    _ name: String, _ sql: SQL, _ parameters: SQLParameters, fails message: String,
    _ code: SQLiteError.ResultCode = .range
  ) {
    (testDescription, self.sql, self.parameters) = (name, sql, parameters)
    outcome = .failure(Refused(code: code, message: message))
  }
}

struct ParameterTests {
  /// A duplicate name that the compiler does not detect.
  static let name = "a"
  static let twofold = "values both interpolated into the SQL and passed as parameters"

  static var cases: [ParameterCase] {
    [
      ParameterCase(
        "all by position", "INSERT INTO t VALUES (?, ?)", [1, "x"], inserts: [1, "x"]),
      ParameterCase(
        "all by bare name", "INSERT INTO t VALUES (:a, @b)", ["b": "x", "a": 1], inserts: [1, "x"]),
      ParameterCase(
        "all by exact name", "INSERT INTO t VALUES (@a, $b)", ["@a": 1, "$b": "x"],
        inserts: [1, "x"]),
      ParameterCase(
        "named ones by position", "INSERT INTO t VALUES ($b, :a)", [1, "x"], inserts: [1, "x"]),
      ParameterCase(
        "nil", "INSERT INTO t VALUES (?, ?)", [.null, .null], inserts: [.null, .null]),
      ParameterCase(
        "nil by name", "INSERT INTO t VALUES (:a, :b)", ["a": .null, "b": 2], inserts: [.null, 2]),
      ParameterCase(
        "nothing", "INSERT INTO t VALUES (?, ?)", .none,
        fails: "2 parameters but 0 values: parameter 1 has no value"),
      ParameterCase(
        "no names", "INSERT INTO t VALUES (:a, :b)", [:],
        fails: "2 parameters but 0 values: parameter 1 (:a) has no value"),
      ParameterCase(
        "a value too few", "INSERT INTO t VALUES (?, $b)", [1],
        fails: "2 parameters but 1 value: parameter 2 ($b) has no value"),
      ParameterCase(
        "a value too many", "INSERT INTO t VALUES (?, ?)", [1, 2, 3],
        fails: "2 parameters but 3 values: 1 extra value"),
      ParameterCase(
        "a value for a statement without parameters", "INSERT INTO t VALUES (1, '?')", [1],
        fails: "0 parameters but 1 value: 1 extra value"),
      ParameterCase(
        "a missing name", "INSERT INTO t VALUES (:a, @b)", ["a": 1],
        fails: "parameter 2 (@b) has no value"),
      ParameterCase(
        "a name for one that has none", "INSERT INTO t VALUES (:a, ?)", ["a": 1],
        fails: "parameter 2 has no value"),
      ParameterCase(
        "an unknown name", "INSERT INTO t VALUES (:a, :b)", ["a": 1, "B": 2],
        fails: #"no parameter is named "B" (named parameters: :a, :b)"#),
      ParameterCase(
        "another kind of name", "INSERT INTO t VALUES (:a, :b)", [":a": 1, "@b": 2],
        fails: #"no parameter is named "@b" (named parameters: :a, :b)"#),
      ParameterCase(
        "a name too many", "INSERT INTO t VALUES (:a, :b)", ["a": 1, "b": 2, "c": 3],
        fails: #"no parameter is named "c" (named parameters: :a, :b)"#),
      ParameterCase(
        "an empty name", "INSERT INTO t VALUES (:a, ?)", ["a": 1, "": 2],
        fails: #"no parameter is named "" (named parameters: :a)"#),
      ParameterCase(
        "a name that goes on after a NUL", "INSERT INTO t VALUES (:a, :b)", ["a": 1, "b\0": 2],
        fails: "no parameter is named \"b\0\" (named parameters: :a, :b)"),
      ParameterCase(
        "a name that is used twice", "INSERT INTO t VALUES (:a, :a)", ["a": 1], inserts: [1, 1]),
      ParameterCase(
        "a name that is used twice, by position", "INSERT INTO t VALUES (:a, :a)", [1],
        inserts: [1, 1]),
      ParameterCase(
        "a name that is used twice, with two values", "INSERT INTO t VALUES (:a, :a)", [1, 2],
        fails: "1 parameter but 2 values: 1 extra value"),
      ParameterCase("numbers", "INSERT INTO t VALUES (?2, ?1)", [1, 2], inserts: [2, 1]),
      ParameterCase(
        "numbers by name", "INSERT INTO t VALUES (?2, ?1)", ["?1": 1, "2": 2], inserts: [2, 1]),
      ParameterCase(
        "a number that is used twice", "INSERT INTO t VALUES (?1, ?1)", ["x"], inserts: ["x", "x"]),
      ParameterCase(
        "numbers with a gap", "INSERT INTO t VALUES (?1, ?3)", [1, 2, 3], inserts: [1, 3]),
      ParameterCase(
        "numbers with a gap and no value for it", "INSERT INTO t VALUES (?1, ?3)", [1, 3],
        fails: "3 parameters but 2 values: parameter 3 (?3) has no value"),
      ParameterCase(
        "numbers with a gap, by name", "INSERT INTO t VALUES (?1, ?3)", ["?1": 1, "?3": 3],
        fails: "parameter 2 has no value"),
      ParameterCase(
        "a bare name of two parameters", "INSERT INTO t VALUES (:a, @a)", ["a": 1, ":a": 2],
        fails: #""a" matches several parameters; write the name as in the SQL"#),
      ParameterCase(
        "exact names that differ in their signs", "INSERT INTO t VALUES (:a, @a)",
        ["@a": 1, ":a": 2], inserts: [2, 1]),
      ParameterCase(
        "a name that is given twice", "INSERT INTO t VALUES (:a, :b)", ["a": 1, "b": 2, "a": 3],
        fails: "parameter 1 (:a) has two values"),
      ParameterCase(
        "a name that is given twice to the initializer", "INSERT INTO t VALUES (:a, :b)",
        SQLParameters(["a": 1, "b": 2, Self.name: 3]),
        fails: "parameter 1 (:a) has two values"),
      ParameterCase(
        "a name that is given twice, in two ways", "INSERT INTO t VALUES (:a, :b)",
        ["a": 1, "b": 2, ":a": 3], fails: "parameter 1 (:a) has two values"),
      ParameterCase(
        "interpolated values", "INSERT INTO t VALUES (\(1), \("x"))", .none, inserts: [1, "x"]),
      ParameterCase(
        "an interpolated value and one by name", "INSERT INTO t VALUES (\(1), :b)", ["b": 2],
        fails: twofold, .misuse),
      ParameterCase(
        "an interpolated value and one by position", "INSERT INTO t VALUES (\(1), ?)", [2],
        fails: twofold, .misuse),
      ParameterCase(
        "an interpolated value and one that is missing", "INSERT INTO t VALUES (\(1), :b)", .none,
        fails: "2 parameters but 1 value: parameter 2 (:b) has no value"),
      ParameterCase(
        "an interpolated value in quotes", "INSERT INTO t VALUES (1, '\(2)')", .none,
        fails: "0 parameters but 1 value: 1 extra value"),
      ParameterCase(
        "an interpolated value without a form", "INSERT INTO t VALUES (1, \(UInt64.max))", .none,
        fails: "a value of type UInt64 does not fit into SQLite's 64-bit integers"),
    ]
  }

  @Test(
    "SK-21 SW-54 SW-55 SW-58 every parameter gets one value when SQL is executed", arguments: cases)
  func executed(given: ParameterCase) throws {
    try expect(given) { connection in try connection.execute(given.sql, given.parameters) }
  }

  @Test("SW-54 SW-55 SW-58 every parameter gets one value when SQL is queried", arguments: cases)
  func queried(given: ParameterCase) throws {
    try expect(given) { connection in
      let rows = try connection.query(given.sql, given.parameters)
      #expect(rows == [])
    }
  }

  @Test(
    "SW-54 SW-55 SW-58 SW-60 every parameter gets one value in each run of a prepared statement",
    arguments: cases)
  func prepared(given: ParameterCase) throws {
    try expect(given) { connection in
      var statement = try connection.prepare(given.sql)
      // A refused run leaves no value that the next one could use.
      for _ in 0..<2 { try? statement.run(given.parameters) }
      try connection.execute("DELETE FROM t")
      try statement.run(given.parameters)
    }
  }

  private func expect(_ given: ParameterCase, _ body: (Connection) throws -> Void) throws {
    let connection = try Connection.inMemory(after: "CREATE TABLE t (a, b)")
    switch given.outcome {
    case .success(let row):
      try body(connection)
      #expect(try connection.query("SELECT * FROM t") == [row])
    case .failure(let refused):
      let error = try failure { try body(connection) }
      #expect(error.code == refused.code && error.message == refused.message)
      #expect(try connection.query("SELECT * FROM t") == [])
    }
    try connection.execute("INSERT INTO t VALUES (?, ?)", [7, 8])
    #expect(try connection.query("SELECT * FROM t").last == [7, 8])
  }
}

/// The same for inserts, whose parameters are the columns of a description.
struct InsertParameterTests {
  enum Values: Sendable {
    case positional([SQLiteValue])
    case named([String: SQLiteValue])
  }

  static let cases: [(String, Values, ParameterCase.Refused?)] = [
    ("all by position", .positional([1, "x"]), nil),
    ("all by name", .named(["word": "x", "id": 1]), nil),
    ("nil", .positional([1, .null]), nil),
    ("nil by name", .named(["id": 1, "word": .null]), nil),
    (
      "nothing", .positional([]),
      refused("expected 2 values for words (columns: id, word), found 0")
    ),
    (
      "no names", .named([:]),
      refused("column id of words has no value; to leave it out, list it in leavingOut")
    ),
    (
      "a value too few", .positional([1]),
      refused("expected 2 values for words (columns: id, word), found 1")
    ),
    (
      "a value too many", .positional([1, "x", 2]),
      refused("expected 2 values for words (columns: id, word), found 3")
    ),
    (
      "a missing name", .named(["id": 1]),
      refused("column word of words has no value; to leave it out, list it in leavingOut")
    ),
    (
      "an unknown name", .named(["id": 1, "name": "x"]),
      refused("words has no column name (columns: id, word)")
    ),
    ("a name in capitals", .named(["id": 1, "WORD": "x"]), nil),
    (
      "a parameter's name", .named(["id": 1, ":word": "x"]),
      refused(#"words has no column ":word" (columns: id, word)"#)
    ),
    (
      "names too many", .named(["id": 1, "word": "x", "z": 2, "y": .null]),
      refused("words has no column y, z (columns: id, word)")
    ),
  ]

  private static func refused(_ message: String) -> ParameterCase.Refused {
    ParameterCase.Refused(code: .range, message: message)
  }

  @Test("SW-55 SW-58 SW-73 an insert requires one value for each column", arguments: cases)
  func inserts(name: String, values: Values, refused: ParameterCase.Refused?) throws {
    let connection = try Connection.inMemory(with: words)
    var insert = try connection.prepareInsertIntoTable(describedBy: words)
    if let refused {
      let error = try failure { try run(&insert, values) }
      #expect(error.code == refused.code && error.message == refused.message)
      #expect(error.sql == #"INSERT INTO "words" ("id", "word") VALUES (:id, :word)"#)
      #expect(try connection.rows(of: "words") == [])
    } else {
      try run(&insert, values)
      #expect(try connection.rows(of: "words") == [[1, name.hasPrefix("nil") ? .null : "x"]])
    }
    try insert.insert([2, .null])
    #expect(try connection.rows(of: "words").last == [2, .null])
  }

  private func run(_ insert: inout InsertStatement, _ values: Values) throws(SQLiteError) {
    switch values {
    case .positional(let values): try insert.insert(values)
    case .named(let values): try insert.insert(values)
    }
  }
}
