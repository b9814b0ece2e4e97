import SQLiteSwiftly
import Testing

/// A way of giving values to the parameters of a statement, and what comes of it.
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
  /// What the compiler does not see to be a name that stands there twice.
  static let name = "a"
  static let twofold = "Values were interpolated into the SQL, and others given"

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
        fails: "The statement has 2 parameters, and was given 0 values: parameter 1 has none"),
      ParameterCase(
        "no names", "INSERT INTO t VALUES (:a, :b)", [:],
        fails: "The statement has 2 parameters, and was given 0 values: parameter 1 (:a) has none"),
      ParameterCase(
        "a value too few", "INSERT INTO t VALUES (?, $b)", [1],
        fails: "The statement has 2 parameters, and was given 1 value: parameter 2 ($b) has none"),
      ParameterCase(
        "a value too many", "INSERT INTO t VALUES (?, ?)", [1, 2, 3],
        fails: "The statement has 2 parameters, and was given 3 values: value 3 is one too many"),
      ParameterCase(
        "a value for a statement without parameters", "INSERT INTO t VALUES (1, '?')", [1],
        fails: "The statement has 0 parameters, and was given 1 value: value 1 is one too many"),
      ParameterCase(
        "a missing name", "INSERT INTO t VALUES (:a, @b)", ["a": 1],
        fails: "parameter 2 (@b) was given no value"),
      ParameterCase(
        "a name for one that has none", "INSERT INTO t VALUES (:a, ?)", ["a": 1],
        fails: "parameter 2 was given no value"),
      ParameterCase(
        "an unknown name", "INSERT INTO t VALUES (:a, :b)", ["a": 1, "B": 2],
        fails: #"A value was given for "B", but no parameter has that name"#),
      ParameterCase(
        "another kind of name", "INSERT INTO t VALUES (:a, :b)", [":a": 1, "@b": 2],
        fails: #"A value was given for "@b", but no parameter has that name"#),
      ParameterCase(
        "a name too many", "INSERT INTO t VALUES (:a, :b)", ["a": 1, "b": 2, "c": 3],
        fails: #"A value was given for "c", but no parameter has that name"#),
      ParameterCase(
        "an empty name", "INSERT INTO t VALUES (:a, ?)", ["a": 1, "": 2],
        fails: #"A value was given for "", but no parameter has that name"#),
      ParameterCase(
        "a name that goes on after a NUL", "INSERT INTO t VALUES (:a, :b)", ["a": 1, "b\0": 2],
        fails: "A value was given for \"b\0\", but no parameter has that name"),
      ParameterCase(
        "a name that is used twice", "INSERT INTO t VALUES (:a, :a)", ["a": 1], inserts: [1, 1]),
      ParameterCase(
        "a name that is used twice, by position", "INSERT INTO t VALUES (:a, :a)", [1],
        inserts: [1, 1]),
      ParameterCase(
        "a name that is used twice, with two values", "INSERT INTO t VALUES (:a, :a)", [1, 2],
        fails: "The statement has 1 parameter, and was given 2 values: value 2 is one too many"),
      ParameterCase("numbers", "INSERT INTO t VALUES (?2, ?1)", [1, 2], inserts: [2, 1]),
      ParameterCase(
        "numbers by name", "INSERT INTO t VALUES (?2, ?1)", ["?1": 1, "2": 2], inserts: [2, 1]),
      ParameterCase(
        "a number that is used twice", "INSERT INTO t VALUES (?1, ?1)", ["x"], inserts: ["x", "x"]),
      ParameterCase(
        "numbers with a gap", "INSERT INTO t VALUES (?1, ?3)", [1, 2, 3], inserts: [1, 3]),
      ParameterCase(
        "numbers with a gap and no value for it", "INSERT INTO t VALUES (?1, ?3)", [1, 3],
        fails: "The statement has 3 parameters, and was given 2 values: parameter 3 (?3) has none"),
      ParameterCase(
        "numbers with a gap, by name", "INSERT INTO t VALUES (?1, ?3)", ["?1": 1, "?3": 3],
        fails: "parameter 2 was given no value"),
      ParameterCase(
        "a bare name of two parameters", "INSERT INTO t VALUES (:a, @a)", ["a": 1, ":a": 2],
        fails: #""a" may be one of several parameters; write it as in the SQL"#),
      ParameterCase(
        "exact names that differ in their signs", "INSERT INTO t VALUES (:a, @a)",
        ["@a": 1, ":a": 2], inserts: [2, 1]),
      ParameterCase(
        "a name that is given twice", "INSERT INTO t VALUES (:a, :b)", ["a": 1, "b": 2, "a": 3],
        fails: "parameter 1 (:a) was given two values"),
      ParameterCase(
        "a name that is given twice to the initializer", "INSERT INTO t VALUES (:a, :b)",
        SQLParameters(["a": 1, "b": 2, Self.name: 3]),
        fails: "parameter 1 (:a) was given two values"),
      ParameterCase(
        "a name that is given twice, in two ways", "INSERT INTO t VALUES (:a, :b)",
        ["a": 1, "b": 2, ":a": 3], fails: "parameter 1 (:a) was given two values"),
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
        fails: "The statement has 2 parameters, and was given 1 value: parameter 2 (:b) has none"),
      ParameterCase(
        "an interpolated value in quotes", "INSERT INTO t VALUES (1, '\(2)')", .none,
        fails: "The statement has 0 parameters, and was given 1 value: value 1 is one too many"),
      ParameterCase(
        "an interpolated value without a form", "INSERT INTO t VALUES (1, \(UInt64.max))", .none,
        fails: "a value of type UInt64 is beyond the integers of SQLite, which have 64 bits"),
    ]
  }

  @Test("SW-54 SW-55 SW-58 every parameter gets one value when SQL is executed", arguments: cases)
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
      // A run that is refused leaves no value behind which the next one might take for its own.
      for _ in 0..<2 { try? statement.run(given.parameters) }
      try connection.execute("DELETE FROM t")
      try statement.run(given.parameters)
    }
  }

  private func expect(_ given: ParameterCase, _ body: (Connection) throws -> Void) throws {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE t (a, b)")
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
    ("nothing", .positional([]), refused("the columns id, word of words were given 0 values")),
    ("no names", .named([:]), refused("column id of words was given no value")),
    (
      "a value too few", .positional([1]),
      refused("the columns id, word of words were given 1 value")
    ),
    (
      "a value too many", .positional([1, "x", 2]),
      refused("the columns id, word of words were given 3 values")
    ),
    ("a missing name", .named(["id": 1]), refused("column word of words was given no value")),
    (
      "an unknown name", .named(["id": 1, "name": "x"]),
      refused("column word of words was given no value")
    ),
    ("a name in capitals", .named(["id": 1, "WORD": "x"]), nil),
    (
      "a parameter's name", .named(["id": 1, ":word": "x"]),
      refused("column word of words was given no value")
    ),
    (
      "names too many", .named(["id": 1, "word": "x", "z": 2, "y": .null]),
      refused("words has no column y, z")
    ),
  ]

  private static func refused(_ message: String) -> ParameterCase.Refused {
    ParameterCase.Refused(code: .range, message: message)
  }

  @Test("SW-55 SW-58 SW-73 an insert takes one value for each column", arguments: cases)
  func inserts(name: String, values: Values, refused: ParameterCase.Refused?) throws {
    let connection = try Connection.inMemory()
    try connection.createTable(describedBy: words)
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
