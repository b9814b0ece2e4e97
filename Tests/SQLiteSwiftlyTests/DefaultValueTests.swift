import SQLiteSwiftly
import Testing

/// SQLite's handling of the defaults in column descriptions.
struct DefaultValueTests {
  /// A default, and the type and the text that SQLite shows of it.
  static let cases: [(ColumnDescription, type: String, quote: String)] = [
    (ColumnDescription("c", .integer, defaultValue: .integer(0)), "integer", "0"),
    (ColumnDescription("c", .integer, defaultValue: .integer(-5)), "integer", "-5"),
    (
      ColumnDescription("c", .integer, defaultValue: .integer(.min)), "integer",
      "-9223372036854775808"
    ),
    (
      ColumnDescription("c", .integer, defaultValue: .integer(.max)), "integer",
      "9223372036854775807"
    ),
    (ColumnDescription("c", .boolean, defaultValue: .integer(1)), "integer", "1"),
    (ColumnDescription("c", .real, defaultValue: .integer(1)), "real", "1.0"),
    (ColumnDescription("c", .real, defaultValue: .real(0.1)), "real", "0.1"),
    (ColumnDescription("c", .real, defaultValue: .real(-19.99)), "real", "-19.99"),
    (ColumnDescription("c", .real, defaultValue: .real(.infinity)), "real", "Inf"),
    (ColumnDescription("c", .real, defaultValue: .real(-.infinity)), "real", "-Inf"),
    (ColumnDescription("c", .text, defaultValue: .text("")), "text", "''"),
    (ColumnDescription("c", .text, defaultValue: .text("it's")), "text", "'it''s'"),
    (ColumnDescription("c", .text, defaultValue: .text("')--\"\n")), "text", "''')--\"\n'"),
    (ColumnDescription("c", .text, defaultValue: .text("'\u{301}")), "text", "'''\u{301}'"),
    (ColumnDescription("c", .text, defaultValue: .text("NULL")), "text", "'NULL'"),
    (ColumnDescription("c", .blob, defaultValue: .blob([])), "blob", "X''"),
    (ColumnDescription("c", .blob, defaultValue: .blob([0, 0x27, 0xFF])), "blob", "X'0027FF'"),
    (ColumnDescription("c", .blob, isNullable: true, defaultValue: .null), "null", "NULL"),
    (ColumnDescription("c", .blob, isNullable: true), "null", "NULL"),
  ]

  @Test(arguments: cases)
  func `SQLite inserts the default`(
    column: ColumnDescription, type: String, quote: String
  ) throws {
    let table = TableDescription("t", columns: [column], primaryKey: [])
    let connection = try Connection.inMemory(with: table)
    try connection.execute("INSERT INTO t DEFAULT VALUES")
    let found = try connection.query("SELECT typeof(c), quote(c) FROM t")
    // The shell of another version writes infinity as a number that is too large.
    let quotes = ["Inf": "9.0e+999", "-Inf": "-9.0e+999"]
    #expect(
      found == [[.text(type), .text(quote)]]
        || found == [[.text(type), .text(quotes[quote] ?? quote)]])
    #expect(try connection.differences(fromTable: table) == [])
  }

  @Test(arguments: ["\0", "a\0", "\0b", "a\0\0'b", "\0\u{301}"])
  func `a default may hold a NUL`(text: String) throws {
    let column = ColumnDescription("c", .text, defaultValue: .text(text))
    let table = TableDescription("t", columns: [column], primaryKey: [])
    let connection = try Connection.inMemory(with: table)
    try connection.execute("INSERT INTO t DEFAULT VALUES")
    let digits = text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
    let found = try connection.query("SELECT typeof(c), hex(c), c FROM t")
    #expect(found == [[.text("text"), .text(digits.joined()), .text(text)]])
    #expect(try connection.differences(fromTable: table) == [])
  }

  /// Numbers at the limits of doubles and of decimal notation.
  static let edges: [Double] = [
    0, 1, -1, 0.5, 0.0001, 0.00011, 0.30000000000000004, 1.0 / 3, 99_999_999_999.9999, 1e15, 1e16,
    9_007_199_254_740_991, 9_007_199_254_740_994, 1e22, 1e23, 123_456.789_01, -4.35,
    .leastNonzeroMagnitude, .leastNormalMagnitude, .leastNormalMagnitude.nextDown,
    .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .pi, .ulpOfOne, .leastNonzeroMagnitude * 3,
    9_223_372_036_854_775_808, -9_223_372_036_854_775_808, 8.5e307,
  ]

  @Test(arguments: [1, 2, 3, 4])
  func `a number comes back to the last bit`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var numbers = Self.edges
    while numbers.count < 500 {
      let number = Double(bitPattern: random.next())
      if number.isFinite { numbers.append(number) }
      // Those that are written as decimals.
      numbers.append(Double(Int.random(in: -1_000_000...1_000_000, using: &random)) / 10_000)
    }
    let columns = numbers.enumerated().map { index, number in
      ColumnDescription("c\(index)", .real, defaultValue: .real(number))
    }
    let table = TableDescription("t", columns: columns, primaryKey: [])
    let connection = try Connection.inMemory(with: table)
    try connection.execute("INSERT INTO t DEFAULT VALUES")
    let row = try connection.rows(of: "t")[0]
    for (number, value) in zip(numbers, row) {
      guard case .real(let found) = value else {
        Issue.record("\(number) came back as \(value)")
        continue
      }
      #expect(found.bitPattern == number.bitPattern, "\(number) came back as \(found)")
    }
    #expect(try connection.differences(fromTable: table) == [])
  }

  @Test func `a plain decimal is written as it is`() throws {
    let table = TableDescription(
      "t",
      columns: [
        ColumnDescription("a", .real, defaultValue: .real(0.1)),
        ColumnDescription("b", .real, defaultValue: .real(1.0 / 3)),
        ColumnDescription(
          "c", .text, isNullable: true, domain: .singleLine, defaultValue: .text("x")),
      ], primaryKey: [])
    #expect(
      try table.creation.text == """
        CREATE TABLE "t" (
          "a" REAL NOT NULL DEFAULT (0.1),
          "b" REAL NOT NULL DEFAULT (1.0 * 6004799503160661 / 18014398509481984),
          "c" TEXT DEFAULT ('x') CHECK ("c" <> '' AND instr(CAST("c" AS BLOB), x'0A') = 0)
        ) STRICT
        """)
  }
}
