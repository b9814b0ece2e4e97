import SQLiteSwiftly
import Testing

/// Counts the objects that are alive.
private final class Life: Sendable {
  private static let counts = LockedState<[String: Int]>([:])
  private let name: String

  init(_ name: String) {
    self.name = name
    Self.counts.withLock { $0[name, default: 0] += 1 }
  }

  deinit { Self.counts.withLock { $0[name, default: 0] -= 1 } }

  static func count(_ name: String) -> Int { counts.withLock { $0[name, default: 0] } }
}

struct AggregateTests {
  private static func connection() throws -> Connection {
    let connection = try Connection.inMemory(
      after: "CREATE TABLE parts (name TEXT, color TEXT, weight REAL)",
      """
      INSERT INTO parts VALUES ('Brick', 'red', 2.5), ('Tyre', 'black', 1.0), (NULL, 'red', 1.5),
        ('Brick', 'red', 0.5), ('A long name of a part', 'black', 9.0)
      """)
    try connection.addAggregate("names", isDeterministic: true, initial: [] as [String]) {
      (names: inout [String], name: String?) in
      names.append(name ?? "-")
    } finish: {
      $0.isEmpty ? nil : $0.joined(separator: "+")
    }
    try connection.addAggregate("weighted", initial: 0.0) {
      (sum: inout Double, weight: Double, factor: Int) in
      guard factor < 10 else { throw SQLiteError(.range, "the factor \(factor) is too large") }
      sum += weight * Double(factor)
    } finish: {
      $0
    }
    return connection
  }

  static let results: [(sql: SQL, rows: [[SQLiteValue]])] = [
    ("SELECT names(name) FROM parts WHERE color = 'red'", [["Brick+-+Brick"]]),
    ("SELECT names(DISTINCT name) FROM parts WHERE color = 'red'", [["Brick+-"]]),
    (
      "SELECT names(name) FILTER (WHERE weight > 1), weighted(weight, 2) FROM parts",
      [["Brick+-+A long name of a part", 29.0]]
    ),
    (
      "SELECT color, names(name), weighted(weight, 1) FROM parts GROUP BY color ORDER BY color",
      [["black", "Tyre+A long name of a part", 10.0], ["red", "Brick+-+Brick", 4.5]]
    ),
    ("SELECT names(name), weighted(weight, 1) FROM parts WHERE color = 'blue'", [[.null, 0.0]]),
    ("SELECT color, names(name) FROM parts WHERE color = 'blue' GROUP BY color", []),
    (
      "SELECT names(name) FROM (SELECT names(name) AS name FROM parts GROUP BY color)",
      [["Tyre+A long name of a part+Brick+-+Brick"]]
    ),
  ]

  @Test(arguments: results) func `an aggregate has a state for each group`(
    sql: SQL, rows: [[SQLiteValue]]
  ) throws {
    let connection = try Self.connection()
    for _ in 0..<2 { #expect(try connection.query(sql) == rows) }
  }

  static let refusals: [(sql: SQL, code: SQLiteError.ResultCode, message: String)] = [
    ("SELECT weighted(weight, 10) FROM parts", .range, "the factor 10 is too large"),
    (
      "SELECT weighted(name, 1) FROM parts", .mismatch,
      "argument 1 of weighted(): expected a real, found text"
    ),
    (
      "SELECT weighted(weight) FROM parts", .error,
      "wrong number of arguments to function weighted()"
    ),
    (
      "SELECT weighted(weight, 1) OVER () FROM parts", .error,
      "weighted() may not be used as a window function"
    ),
    (
      "SELECT names(name) FROM parts WHERE names(name) = ''", .error, "misuse of aggregate: names()"
    ),
  ]

  @Test(arguments: refusals) func `a wrong use is an error`(
    sql: SQL, code: SQLiteError.ResultCode, message: String
  ) throws {
    let connection = try Self.connection()
    try expectFailure(code, message) { _ = try connection.query(sql) }
    #expect(try connection.value(of: "SELECT weighted(weight, 1) FROM parts") == 14.5)
  }

  @Test func `a view can only call an aggregate that is deterministic`() throws {
    let connection = try Self.connection()
    try connection.execute("CREATE VIEW safe AS SELECT names(name) FROM parts")
    try connection.execute("CREATE VIEW unsafe AS SELECT weighted(weight, 1) FROM parts")
    #expect(try connection.rows(of: "safe").count == 1)
    try expectFailure(.error, "unsafe use of weighted()") {
      _ = try connection.rows(of: "unsafe")
    }
  }

  /// The ways in which a statement with two groups can end, after its first row.
  enum Ending: CaseIterable { case finished, abandoned, errorInStep, errorInInitial, errorAtEnd }

  @Test(arguments: Ending.allCases) func `the states are freed`(ending: Ending) throws {
    let name = "\(ending)"
    let connection = try Self.connection()
    try connection.addAggregate("lives", initial: try life(name, if: ending != .errorInInitial)) {
      (_: inout Life, weight: Double) in
      if ending == .errorInStep, weight == 9 { throw SQLiteError(.range, "too heavy") }
    } finish: { _ in
      if ending == .errorAtEnd { throw SQLiteError(.range, "no end") }
      return Life.count(name)
    }
    let sql: SQL = "SELECT lives(weight), color FROM parts GROUP BY color ORDER BY color DESC"
    switch ending {
    case .finished:
      #expect(try connection.query(sql) == [[1, "red"], [1, "black"]])
    case .abandoned:
      var statement = try connection.prepare(
        "SELECT value, lives(1.0) FROM json_each('[1,2]') GROUP BY value")
      var rows = statement.rows()
      let row = try rows.next()?.values
      #expect(row == [1, 1])
    case .errorInStep, .errorInInitial, .errorAtEnd:
      #expect(try failure { _ = try connection.query(sql) }.code == .range)
    }
    #expect(Life.count(name) == 0)
    try connection.close()
  }

  @Test func `a state whose statement is abandoned within its group is freed`() throws {
    let connection = try Self.connection()
    let interrupter = connection.interrupter
    try connection.addAggregate("kept", initial: Life("within")) { (_: inout Life, row: Int) in
      if row == 3 { interrupter.interrupt() }
    } finish: { _ in
      1
    }
    let error = try failure {
      _ = try connection.query(
        """
        WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers)
        SELECT kept(n) FROM numbers
        """)
    }
    #expect(error.code == .interrupted)
    #expect(Life.count("within") == 0)
  }

  private func life(_ name: String, if isPossible: Bool) throws -> Life {
    guard isPossible else { throw SQLiteError(.range, "no life") }
    return Life(name)
  }
}
