import SQLiteSwiftly
import Testing

/// The ways in which Swift's values become parameters.
struct ParameterFormTests {
  private enum Material: String, SQLiteValueConvertible { case rubber = "Rubber" }
  private struct Flags: OptionSet, SQLiteValueConvertible { let rawValue: UInt8 }

  // The values come from variables, of which the compiler sees only the types.
  private let name = "Tyre"
  private let year = 1999
  private let none = Int?.none
  private let some = Int?.some(7)
  private let bytes: [UInt8] = [1, 2]

  /// The values that SQLite receives, in a statement with as many parameters.
  private func bound(_ parameters: SQLParameters, count: Int) throws -> [SQLiteValue] {
    let marks = (1...count).map { _ in "?" as SQL }.joined(separator: ", ")
    return try Connection.inMemory().query("SELECT \(sql: marks)", parameters)[0]
  }

  @Test func `a literal has values of all types, by position`() throws {
    let values: SQLParameters = [
      name, year, nil, 1.5, true, .null, .integer(3), .text("x"), .real(2), .blob([3]), none, some,
      bytes, Material.rubber, Flags(rawValue: 5), Float(0.5), Int128(-8), UInt128(9), UInt8(1),
      "\(name)s", year + 1, false, -3, SQLiteValue.text("y"), name.isEmpty ? nil : name,
    ]
    #expect(
      try bound(values, count: 25) == [
        "Tyre", 1999, .null, 1.5, 1, .null, 3, "x", 2.0, .blob([3]), .null, 7,
        .blob([1, 2]), "Rubber", 5, 0.5, -8, 9, 1,
        "Tyres", 2000, 0, -3, "y", "Tyre",
      ])
  }

  @Test func `a literal has values of all types, by name`() throws {
    let row = try Connection.inMemory().query(
      "SELECT :a, @b, $c, :d, :e, :f",
      ["f": bytes, "a": name, "b": nil, "c": none, "d": .real(2), ":e": Material.rubber])
    #expect(row == [["Tyre", .null, .null, 2.0, "Rubber", .blob([1, 2])]])
  }

  @Test func `a literal with one list in it has one blob`() throws {
    #expect(try bound([[1, 2]], count: 1) == [.blob([1, 2])])
    #expect(try bound([bytes], count: 1) == [.blob([1, 2])])
  }

  @Test func `lists of one type are used by position`() throws {
    let texts: [String?] = ["Tyre", nil]
    #expect(try bound(SQLParameters(texts), count: 2) == ["Tyre", .null])
    #expect(try bound(SQLParameters([3, 4]), count: 2) == [3, 4])
    #expect(try bound(SQLParameters(texts.reversed()), count: 2) == [.null, "Tyre"])
    #expect(try bound(SQLParameters((3...5).lazy.map { $0 * 2 }), count: 3) == [6, 8, 10])
    #expect(try bound(SQLParameters(Set([true])), count: 1) == [1])
    #expect(try bound(SQLParameters([SQLiteValue.null, "x"]), count: 2) == [.null, "x"])
    #expect(try bound(SQLParameters([bytes, []]), count: 2) == [.blob([1, 2]), .blob([])])
  }

  @Test func `lists of any types are used by position`() throws {
    let values: [any SQLiteValueConvertible] = [name, year, bytes]
    let optionals: [(any SQLiteValueConvertible)?] = [name, nil, none, Material.rubber]
    #expect(try bound(SQLParameters(values), count: 3) == ["Tyre", 1999, .blob([1, 2])])
    #expect(try bound(SQLParameters(optionals), count: 4) == ["Tyre", .null, .null, "Rubber"])
  }

  private func named(_ parameters: SQLParameters) throws -> [SQLiteValue] {
    try Connection.inMemory().query("SELECT :a, :b", parameters)[0]
  }

  @Test func `dictionaries and pairs are used by name`() throws {
    let numbers = ["b": 2, "a": 1]
    let texts: [String: String?] = ["a": "x", "b": nil]
    let values: [String: SQLiteValue] = ["a": 1, "b": .blob([1])]
    let pairs: KeyValuePairs = ["b": 1.5, "a": 2]
    let list = [(key: "a", value: true), (key: "b", value: false)]
    #expect(try named(SQLParameters(numbers)) == [1, 2])
    #expect(try named(SQLParameters(numbers.filter { _ in true })) == [1, 2])
    #expect(try named(SQLParameters(texts)) == ["x", .null])
    #expect(try named(SQLParameters(values)) == [1, .blob([1])])
    #expect(try named(SQLParameters(pairs)) == [2.0, 1.5])
    #expect(try named(SQLParameters(list)) == [1, 0])
    #expect(try named(SQLParameters(["a": name, "b": none])) == ["Tyre", .null])
  }

  @Test func `dictionaries of any types are used by name`() throws {
    let values: [String: any SQLiteValueConvertible] = ["a": name, "b": 1]
    let optionals: [String: (any SQLiteValueConvertible)?] = ["a": nil, "b": bytes]
    #expect(try named(SQLParameters(values)) == ["Tyre", 1])
    #expect(try named(SQLParameters(optionals)) == [.null, .blob([1, 2])])
  }

  @Test func `duplicate names never end the process`() throws {
    let again = "a"
    let given: [SQLParameters] = [
      ["a": name, again: name], SQLParameters(["a": name, again: nil]),
      SQLParameters([(key: "a", value: 1), (key: "a", value: 1)]), [":a": 1, "a": nil],
    ]
    for parameters in given {
      try expectFailure(.range, "parameter 1 (:a) has two values") { _ = try named(parameters) }
    }
  }

  @Test func `a value without a form is the error of the run, and the statement continues`() throws
  {
    let big = UInt64.max
    let connection = try Connection.inMemory(after: "CREATE TABLE t (a)")
    var insert = try connection.prepare("INSERT INTO t VALUES (:a)")
    let given: [SQLParameters] = [
      [big], ["a": big], SQLParameters([big]), SQLParameters(["a": big]), [Int128.max], [UInt.max],
      [UInt128(big)], [Int128(Int64.min) - 1], SQLParameters(["x": big, "y": 1] as KeyValuePairs),
    ]
    for parameters in given {
      let error = try failure { try insert.run(parameters) }
      #expect(error.code == .range)
      #expect(error.message.hasSuffix(" does not fit into SQLite's 64-bit integers"))
    }
    #expect(
      try failure { try insert.run(big) }.message.hasPrefix("a value of type UInt64 does not fit"))
    try insert.run([Int128(Int64.min)])
    try insert.run(UInt128(Int64.max))
    #expect(try connection.query("SELECT a FROM t") == [[.integer(.min)], [.integer(.max)]])
  }

  @Test func `literals of values may be truth values`() throws {
    let row: [SQLiteValue] = [true, false, 1, 1.0, "1", .null]
    #expect(try bound(SQLParameters(row), count: 6) == [1, 0, 1, 1.0, "1", .null])
  }
}
