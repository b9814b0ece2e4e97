import SQLiteSwiftly
import Testing

/// Columns of a row by their names.
struct RowNameTests {
  /// The values that a closure reads from the single row of a query.
  private func row<Value>(
    _ sql: SQL, _ connection: Connection? = nil, _ read: (borrowing Row) throws -> Value
  ) throws -> Value {
    var values: [Value] = []
    try (connection ?? .inMemory()).forEachRow(of: sql) { values.append(try read($0)) }
    #expect(values.count == 1)
    return try #require(values.first)
  }

  @Test func `a column is found by its name, in capitals or not, and by its number`() throws {
    try row("SELECT 1 AS Part_Num, 'Tyre' AS name, NULL AS material, 2.5 AS \"\", X'01' AS \"a b\"")
    {
      row throws in
      for name in ["Part_Num", "part_num", "PART_NUM", "pArT_nUm"] {
        #expect(try row[name] == 1)
      }
      #expect(try row["NAME"] == "Tyre")
      #expect(try row["Material"] as String? == nil)
      #expect(try row[""] == 2.5)
      #expect(try row["A b"] == [1] as [UInt8])
      #expect(try row[0] == 1 as Int8)
      #expect(try row[1] == "Tyre")
      #expect(try row[2] as Bool? == nil)
      #expect(try row[3] == Float(2.5))
      #expect(try row[4] == [1] as [UInt8])
    }
  }

  @Test func `NULL is nil wherever an optional is expected, and an error elsewhere`() throws {
    func passed(_ text: String?) -> String? { text }
    func returned(_ row: borrowing Row) throws -> String? { try row["a"] }
    try row("SELECT NULL AS a, 'x' AS b") { row throws in
      let text: String? = try row["a"]
      var names = ["k": "old"]
      names["k"] = try row["a"]
      let list: [String?] = [try row["a"], try row["b"]]
      let tuple: (String?, String?) = (try row[0], try row[1])
      #expect(text == nil && names.isEmpty && list == [nil, "x"] && tuple == (nil, "x"))
      #expect(try row["a"] ?? "none" == "none")
      #expect(try passed(row["a"]) == nil)
      #expect(try returned(row) == nil)
      if let text: String = try row["a"] { Issue.record("\(text) is NULL") }
      guard let b: String = try row["b"] else { throw CellDecoder.Failure.noColumn(1) }
      #expect(b == "x")
    }
    for (mode, name) in [(DecodingMode.lenient, "a"), (.strict, "A")] {
      let error = try failure {
        try Asked.$name.withValue(name) {
          _ = try Connection.inMemory().query("SELECT NULL AS a", as: Asked.self, decoding: mode)
        }
      }
      #expect(error.code == .mismatch)
      #expect(error.message == "column 0 (a): expected a value, found NULL; read it as an optional")
    }
  }

  /// How the reading of a column fails.
  private func fault(_ row: borrowing Row, _ column: String) throws -> String {
    do {
      _ = try row[column] as Int?
      Issue.record("there is no one column \(column)")
      return ""
    } catch {
      #expect(error.code == .range)
      #expect(error.sql != nil)
      return error.message
    }
  }

  @Test func `an unknown or ambiguous name is an error`() throws {
    try row("SELECT 1 AS a, 2 AS b, 3 AS A, 4 AS \"c d\"") { row throws in
      #expect(try fault(row, "x") == "no column `x` in the result (columns: a, b, A, c d)")
      #expect(try fault(row, "") == "no column `` in the result (columns: a, b, A, c d)")
      #expect(try fault(row, "b\0") == "no column `b\0` in the result (columns: a, b, A, c d)")
      for name in ["a", "A"] {
        #expect(try fault(row, name) == "2 columns are named `\(name)`; rename them with AS")
      }
      #expect(try row["b"] == 2)
      #expect(try row[0] == 1)
      #expect(try row[2] == 3)
    }
  }

  @Test func `names beyond ASCII are compared by bytes`() throws {
    let (composed, decomposed, kelvin) = ("\u{e9}", "e\u{301}", "\u{212a}")
    try row(
      """
      SELECT 1 AS \(identifier: composed), 2 AS \(identifier: decomposed), 3 AS \(identifier: kelvin),
        4 AS K, 5 AS \(identifier: "\u{c9}"), 6 AS \(identifier: "a\u{e9}B")
      """
    ) { row throws in
      // In each order, since requested names are remembered.
      for _ in 0..<2 {
        #expect(try row[composed] == 1)
        #expect(try row[decomposed] == 2)
        #expect(try row["k"] == 4)
        #expect(try row[kelvin] == 3)
        #expect(try row["K"] == 4)
        #expect(try row["\u{c9}"] == 5)
        #expect(try row["A\u{e9}b"] == 6)
        _ = try fault(row, "A\u{c9}b")
        _ = try fault(row, "ae\u{301}b")
        _ = try fault(row, "e")
      }
    }
    try row("SELECT 1 AS k, 2 AS \(identifier: composed)") { row throws in
      _ = try fault(row, kelvin)
      #expect(try row["K"] == 1)
      _ = try fault(row, kelvin)
      #expect(try row[composed] == 2)
      _ = try fault(row, decomposed)
    }
  }

  @Test(arguments: 0..<20)
  func `names may be requested in any order, with wrong ones in between`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let count = 12
    let list = (0..<count).map { "\(Int64($0)) AS \(identifier: "Column\($0)")" as SQL }
    let connection = try Connection.inMemory()
    var statement = try connection.prepare(
      "WITH n (n) AS (VALUES (1), (2), (3)) SELECT \(sql: list.joined(separator: ", ")) FROM n")
    for _ in 0..<2 {
      var rows = statement.rows()
      while let row = try rows.next() {
        for _ in 0..<40 {
          let column = Int.random(in: 0..<count + 3, using: &generator)
          let name = ["Column", "column", "COLUMN"][Int.random(in: 0..<3, using: &generator)]
          if column < count {
            #expect(try row["\(name)\(column)"] == column)
          } else {
            _ = try fault(row, "\(name)\(column)")
          }
        }
      }
    }
  }

  @Test func `more spellings than the cache holds are found`() throws {
    let letters = Array("abcdefgh")
    try row("SELECT 7 AS abcdefgh, 8 AS other") { row throws in
      for _ in 0..<2 {
        for spelling in 0..<256 {
          let name = letters.indices.map { index in
            spelling >> index & 1 == 0 ? String(letters[index]) : letters[index].uppercased()
          }.joined()
          #expect(try row[name] == 7)
          #expect(try row["other"] == 8)
        }
      }
    }
  }

  @Test(arguments: [Int.max, .max - 1, -1, .min, 1, 1 << 32, 1 << 31])
  func `a number of no column is an error`(column: Int) throws {
    var statement = try Connection.inMemory().prepare("SELECT 5")
    for mode in [DecodingMode.lenient, .strict] {
      try expectFailure(.range, "no column \(column) in the row (it has 1 column)") {
        try Asked.$column.withValue(column) {
          _ = try statement.query(as: Asked.self, decoding: mode)
        }
      }
    }
  }

  /// Reads a column by name, which must have a value, or else by number.
  private struct Asked: RowDecodable {
    @TaskLocal static var name: String?
    @TaskLocal static var column = 0

    init(row: borrowing Row) throws(SQLiteError) {
      if let name = Self.name {
        _ = try row[name] as Int8
      } else {
        _ = try row[Self.column] as Int8?
      }
    }
  }

  @Test func `a prepared statement finds the columns of each run`() throws {
    let connection = try Connection.inMemory(
      after: "CREATE TABLE t (a, b)", "INSERT INTO t VALUES (1, 2)")
    var statement = try connection.prepare("SELECT * FROM t")
    func ab(_ statement: inout PreparedStatement) throws -> [Int] {
      var rows = statement.rows()
      guard let row = try rows.next() else { return [] }
      return [try row["a"], try row["b"]]
    }
    #expect(try ab(&statement) == [1, 2])
    try connection.execute("ALTER TABLE t RENAME COLUMN a TO c")
    try connection.execute("ALTER TABLE t RENAME COLUMN b TO a")
    try connection.execute("ALTER TABLE t RENAME COLUMN c TO b")
    #expect(try ab(&statement) == [2, 1])
    try connection.execute("ALTER TABLE t DROP COLUMN b")
    #expect(
      try failure { _ = try ab(&statement) }.message == "no column `b` in the result (columns: a)")
  }
}
