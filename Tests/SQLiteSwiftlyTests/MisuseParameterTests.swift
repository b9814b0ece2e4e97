import SQLiteSwiftly
import Testing

/// Values that no parameter has, and parameters that no value has.
struct MisuseParameterTests {
  /// A way of giving values to a query, which SQLite's or this library's words refuse.
  private static func query(
    _ name: String, _ sql: SQL, _ parameters: SQLParameters,
    _ part: String, _ code: SQLiteError.ResultCode = .range
  ) -> Misuse {
    Misuse(name, code, part) { connection, _ in _ = try connection.query(sql, parameters) }
  }

  /// Not seen by the compiler to be there twice.
  private static let a = "a"

  static let cases: [Misuse] = [
    query("no values", "SELECT ?", .none, "parameter 1 has no value"),
    query("too few values", "SELECT ?, ?", [1], "parameter 2 has no value"),
    query("too many values", "SELECT ?", [1, 2], "1 extra value"),
    query("a value for nothing", "SELECT 1", [nil], "1 extra value"),
    query("a name for nothing", "SELECT 1", ["a": 1], #"no parameter is named "a""#),
    query("a name for a place", "SELECT ?", ["a": 1], #"no parameter is named "a""#),
    query("another name", "SELECT :b", ["a": 1], #"no parameter is named "a""#),
    query("a name in another case", "SELECT :a", ["A": 1], #"no parameter is named "A""#),
    query("an empty name", "SELECT :a", ["": 1], #"no parameter is named """#),
    query("a name that is a sign", "SELECT :a", [":": 1], #"no parameter is named ":""#),
    query("a name with a NUL", "SELECT :a", ["a\0": 1], "no parameter is named"),
    query("a long name", "SELECT :a", [String(repeating: "a", count: 99_999): 1], "no parameter"),
    query("a name of many scalars", "SELECT :a", ["\u{1F9F1}e\u{301}": 1], "no parameter"),
    query(
      "a name without a value", "SELECT :a, :b", ["a": 1], "parameter 2 (:b) has no value"),
    query("a name twice", "SELECT :a, :b", ["a": 1, "a": 2], "(:a) has two values"),
    query("a name twice, once with its sign", "SELECT :a", ["a": 1, ":a": 1], "two values"),
    query("a name of two signs", "SELECT :a, @a", ["a": 1, ":a": 1], "matches several parameters"),
    query(
      "pairs with a name twice", "SELECT :a", SQLParameters(["a": 1, a: 2]),
      "has two values"),
    query(
      "a sequence with a name twice", "SELECT :a",
      SQLParameters([(key: "a", value: 1), (key: "a", value: 2)]), "has two values"),
    query(
      "a number that is too high for a parameter", "SELECT ?9999999", [1],
      "variable number must be between", .error),
    query("the parameter of number 0", "SELECT ?0", [1], "variable number must be", .error),
    query(
      "a number of many digits", "SELECT ?99999999999999999999", [1],
      "variable number must be between", .error),
    query("a gap of parameters", "SELECT ?32766", [1], "but 1 value: parameter 2 has no value"),
    query(
      "a gap of parameters, by number", "SELECT ?7", ["7": 1], "parameter 1 has no value"),
    query(
      "many values for few", "SELECT ?", SQLParameters(Array(0..<100_000)),
      "but 100000 values: 99999 extra values"),
    query("interpolated and given", "SELECT \(1), ?", [2], "values both interpolated", .misuse),
    query("interpolated and not given", "SELECT \(1), ?", .none, "parameter 2 has no value"),
    query("interpolated into a text", "SELECT '\(1)'", .none, "1 extra value"),
    query("an interpolated number beyond 64 bits", "SELECT \(UInt64.max)", .none, "does not fit"),
    query("such a number in a list", "SELECT 1 IN (\([1, UInt64.max]))", .none, "does not fit"),
    query("such a number by position", "SELECT ?", [UInt64.max], "does not fit into"),
    query("such a number by name", "SELECT :a", ["a": UInt128.max], "does not fit into"),
    query(
      "such a number below", "SELECT ?", [Int128.min], "a value of type Int128 does not fit"),
    query(
      "such a number in a sequence", "SELECT ?", SQLParameters([UInt64.max]), "does not fit into"),
    query(
      "such a number in a dictionary", "SELECT :a", SQLParameters(["a": UInt64.max]), "does not fit"
    ),
    Misuse("such a number in a pack", .range, "does not fit into") { connection, _ in
      var statement = try connection.prepare("UPDATE words SET word = ?, id = ?")
      try statement.run("x", UInt.max)
    },
    Misuse("a pack of no values", .range, "parameter 1 has no value") { connection, _ in
      var statement = try connection.prepare("UPDATE words SET word = ?")
      try statement.run()
    },
    Misuse("a pack that is too long", .range, "1 extra value") { connection, _ in
      var statement = try connection.prepare("UPDATE words SET word = ?")
      try statement.run("x", "y")
    },
    Misuse("a pack for a cursor", .range, "1 extra value") { connection, _ in
      var statement = try connection.prepare("SELECT ?")
      var rows = statement.rows(1, 2)
      _ = try rows.next()
    },
    Misuse("a type that throws what it likes", .ok, "no form today") { connection, _ in
      _ = try connection.query("SELECT ?", [Formless()])
    },
    Misuse("a statement after values that were refused", gives: "[1, 2]") { connection, _ in
      var statement = try connection.prepare("SELECT ?")
      let first = try statement.query([1], as: Int.self)
      for wrong in [SQLParameters.none, [1, 2], ["a": 1], [UInt64.max]] {
        _ = try? statement.query(wrong)
      }
      return first + (try statement.query([2], as: Int.self))
    },
    Misuse("values that are not numbers", gives: "null real -inf") { connection, _ in
      try connection.first(
        "SELECT typeof(?1) || ' ' || typeof(?2) || ' ' || lower(?3)",
        [Double.nan, Double.infinity, -Double.infinity], as: String.self) ?? ""
    },
    Misuse("a text with NULs", gives: "[97, 0, 0]") { connection, _ in
      try connection.first("SELECT ?", ["a\0\0"], as: [UInt8].self, decoding: .lenient) ?? []
    },
    Misuse("all parameters there are", gives: "32766") { connection, _ in
      let values = SQLParameters([Int](repeating: 1, count: 32_766))
      let places = [SQL](repeating: "(?)", count: 32_766).joined(separator: ", ")
      return try connection.first(
        "SELECT sum(column1) FROM (VALUES \(sql: places))", values, as: Int.self)
        ?? 0
    },
    Misuse("the parameters of a statement with a gap", gives: "32766") { connection, _ in
      let statement = try connection.prepare("SELECT ?32766")
      return statement.parameterNames.count == statement.parameterCount
        ? statement.parameterCount : -1
    },
  ]

  private struct Formless: SQLiteValueConvertible {
    var sqliteValue: SQLiteValue {
      get throws(SQLiteError) { throw SQLiteError(.ok, "no form today") }
    }
  }

  @Test(arguments: cases) func `invalid values are reported`(misuse: Misuse) throws {
    let outcome = try misuse.happen()
    #expect(misuse.expects(outcome), "\(outcome)")
    #expect(outcome.state == "usable")
  }
}
