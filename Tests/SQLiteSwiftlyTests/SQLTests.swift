import SQLiteSwiftly
import Testing

struct SQLTests {
  @Test func `interpolated values are bound, never text`() throws {
    let connection = try Connection.inMemory()
    let evil = "'); DROP TABLE t; --"
    let (number, missing): (Int64, Int?) = (.min, nil)
    let query: SQL =
      "SELECT \(evil), \(number), \(true), \(1.5), \([1, 0] as [UInt8]), \(missing), \(7)"
    #expect(query.text == "SELECT ?, ?, ?, ?, ?, ?, ?")
    #expect(
      try connection.query(SQL(query)) == [
        [.text(evil), .integer(.min), .integer(1), .real(1.5), .blob([1, 0]), .null, .integer(7)]
      ])
  }

  @Test func `SQL goes into SQL with its values`() throws {
    let connection = try Connection.inMemory()
    let inner: SQL = "SELECT \(2) AS b"
    let outer: SQL = "SELECT \(1), b, \(3) FROM (\(sql: inner))"
    #expect(outer.text == "SELECT ?, b, ? FROM (SELECT ? AS b)")
    #expect(outer.values == [.integer(1), .integer(3), .integer(2)])
    #expect(try connection.query("SELECT \(sql: "\(1)"), \(2)").count == 1)
  }

  static let names: [(String, String)] = [
    ("part", "\"part\""),
    ("", "\"\""),
    ("order", "\"order\""),
    ("a\"b", "\"a\"\"b\""),
    ("a\"\u{301}b", "\"a\"\"\u{301}b\""),
    ("\"; DROP TABLE t", "\"\"\"; DROP TABLE t\""),
    ("it's [a] `name`", "\"it's [a] `name`\""),
    ("\u{1F9F1}e\u{301}\u{FEFF}", "\"\u{1F9F1}e\u{301}\u{FEFF}\""),
  ]

  @Test(arguments: names)
  func `a name is quoted by its bytes`(name: String, expected: String) throws {
    let query: SQL = "CREATE TABLE t (\(identifier: name) INTEGER)"
    #expect(Array(query.text.utf8) == Array("CREATE TABLE t (\(expected) INTEGER)".utf8))
    let connection = try Connection.inMemory()
    try connection.execute(query)
    let found = try connection.texts("SELECT name FROM pragma_table_info('t')")
    #expect(found.map { $0.map { Array($0.utf8) } } == [Array(name.utf8)])
  }

  @Test(arguments: [
    ("it's", "'it''s'"), ("'\u{301}", "'''\u{301}'"), ("\"", "'\"'"), ("", "''"),
  ])
  func `text is quoted by its bytes`(text: String, expected: String) throws {
    #expect(Array(quoted(text: text).utf8) == Array(expected.utf8))
    let found = try Connection.inMemory().value(of: SQL(generated: "SELECT " + expected))
    #expect(found == .text(text))
  }

  @Test(
    arguments: [
      "SELECT 1", "SELECT 1;", "  SELECT 1 ;\n;\t ", "SELECT 1; -- a note", "-- a note\nSELECT 1",
      "SELECT 1; /* a note; */",
    ] as [SQL])
  func `one statement may have blanks and comments around it`(query: SQL) throws {
    #expect(try Connection.inMemory().query(query) == [[.integer(1)]])
  }

  @Test(
    arguments: [
      (" ", "the SQL contains no statement"),
      (" ;-- nothing", "the SQL contains no statement"),
      ("SELECT 1; SELECT 2", "the SQL contains more than one statement; use execute(script:)"),
      ("SELECT 1;;SELECT 2", "the SQL contains more than one statement; use execute(script:)"),
      ("SELECT 1; no SQL", "the SQL contains more than one statement; use execute(script:)"),
      ("SELECT 1;\0 SELECT 2", "the SQL contains a NUL character"),
      ("SELECT 'a\0'", "the SQL contains a NUL character"),
    ] as [(SQL, String)])
  func `X-10 text that is not one statement is refused`(query: SQL, message: String) throws {
    let connection = try Connection.inMemory(after: "CREATE TABLE t AS SELECT 1")
    let error = try failure { try connection.execute(query) }
    #expect(error.code == .misuse && error.message == message && error.sql == query.text)
  }
}

struct QuotedNameTests {
  @Test(
    arguments: [
      "SELECT \(identifier: "nmae") FROM t", "SELECT \"nmae\" FROM t",
      "CREATE TABLE u (a CHECK (a <> \"nmae\"))", "UPDATE t SET name = \"nmae\"",
    ] as [SQL])
  func `an unknown name is not read as text`(sql: SQL) throws {
    let connection = try Connection.inMemory(after: "CREATE TABLE t (name)")
    try expectFailure("no such column: nmae") { _ = try connection.query(sql) }
  }
}
