import SQLiteSwiftly
import Testing

/// SQL that makes no sense, or too much of it.
struct MisuseSQLTests {
  private static func text(_ text: String) -> SQL { SQL(BuiltScript(text: text)) }

  private static func repeated(_ piece: String, _ count: Int) -> String {
    String(repeating: piece, count: count)
  }

  static let cases: [Misuse] = [
    Misuse("empty SQL", gives: "nothing") { connection, _ in
      try connection.execute("")
      try connection.execute(script: "")
      try connection.forEachRow(of: "") { _ in throw CancellationError() }
      let nothing = try connection.query("").isEmpty && connection.query("", as: Int.self).isEmpty
      let none = try connection.value(of: "") == nil && connection.first("", as: Int.self) == nil
      return nothing && none ? "nothing" : "something"
    },
    Misuse("empty SQL with a value", .misuse, "no statement") { connection, _ in
      try connection.execute("", [1])
    },
    Misuse("empty SQL that is prepared", .misuse, "no statement") { connection, _ in
      _ = try connection.prepare("")
    },
    Misuse("blanks", .misuse, "no statement") { connection, _ in
      try connection.execute("  \n")
    },
    Misuse("a comment", .misuse, "no statement") { connection, _ in
      try connection.execute("-- SELECT 1")
    },
    Misuse("a semicolon", .misuse, "no statement") { connection, _ in
      _ = try connection.query(";")
    },
    Misuse("two statements", .misuse, "more than one statement") { connection, _ in
      try connection.execute("DELETE FROM words; DELETE FROM words")
    },
    Misuse("a statement and nonsense", .misuse, "more than one statement") { connection, _ in
      try connection.execute("DELETE FROM words; nonsense")
    },
    Misuse("a NUL", .misuse, "the SQL contains a NUL character") { connection, _ in
      _ = try connection.query("SELECT 1\0, 2")
    },
    Misuse("a NUL in a name", .misuse, "the SQL contains a NUL character") { connection, _ in
      _ = try connection.query("SELECT * FROM \(identifier: "words\0")")
    },
    Misuse("a name of nothing", .error, "no such table: ") { connection, _ in
      _ = try connection.query("SELECT * FROM \(identifier: "")")
    },
    Misuse("a name of quotes", .error, #"no such table: """#) { connection, _ in
      _ = try connection.query("SELECT * FROM \(identifier: #""""#)")
    },
    Misuse("nonsense", .error, "syntax error") { connection, _ in
      try connection.execute("make it so")
    },
    Misuse("half a statement", .error, "incomplete input") { connection, _ in
      try connection.execute("DELETE FROM")
    },
    Misuse("a text in double quotes", .error, "no such column: x") { connection, _ in
      _ = try connection.query(#"SELECT "x""#)
    },
    Misuse("deep parentheses", .error, "parser stack overflow") { connection, _ in
      _ = try connection.query(text("SELECT " + repeated("(", 500) + "1" + repeated(")", 500)))
    },
    Misuse("a deep expression", .error, "Expression tree is too large") { connection, _ in
      _ = try connection.query(text("SELECT 1" + repeated("+1", 5000)))
    },
    Misuse("many terms", .error, "too many terms in compound SELECT") { connection, _ in
      _ = try connection.query(text("SELECT 1" + repeated(" UNION SELECT 1", 600)))
    },
    Misuse("many columns", .error, "too many columns in result set") { connection, _ in
      _ = try connection.query(text("SELECT 1" + repeated(",1", 3000)))
    },
    Misuse("many tables", .error, "at most 64 tables in a join") { connection, _ in
      _ = try connection.query(text("SELECT 1 FROM words" + repeated(", words", 70)))
    },
    Misuse("many databases", .error, "too many attached databases") { connection, _ in
      for number in 0..<20 {
        try connection.execute("ATTACH ':memory:' AS \(identifier: "d\(number)")")
      }
    },
    Misuse("the rows of a change", .misuse, "returns rows") { connection, _ in
      try connection.execute("DELETE FROM words RETURNING id")
    },
    Misuse("a query that is executed", .misuse, "returns rows") { connection, _ in
      try connection.execute("SELECT 1")
    },
    Misuse("the first row of a change", gives: "nil") { connection, _ in
      try connection.value(of: "CREATE TABLE t (a)") as Any
    },
    Misuse("a model of a change", gives: "[]") { connection, _ in
      try connection.query("DELETE FROM words WHERE id = 9", as: Int.self)
    },
    Misuse("an overflow", .error, "integer overflow") { connection, _ in
      _ = try connection.query("SELECT abs(\(Int64.min))")
    },
    Misuse("a blob that is too big", .tooBig, "too big") { connection, _ in
      _ = try connection.query("SELECT zeroblob(2147483647)")
    },
    Misuse("a recursion without an end that nobody reads", gives: "1") { connection, _ in
      try connection.first(
        "WITH RECURSIVE n(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM n) SELECT a FROM n",
        as: Int.self) ?? 0
    },
    Misuse("trigger recursion", .error, "too many levels of trigger recursion") { connection, _ in
      try connection.execute(
        script: """
          PRAGMA recursive_triggers = ON;
          CREATE TRIGGER r AFTER UPDATE ON words BEGIN UPDATE words SET word = 'x'; END;
          UPDATE words SET word = 'y';
          """)
    },
    Misuse("SQL that is joined of nothing", gives: "[]") { connection, _ in
      try connection.query(([] as [SQL]).joined(separator: " AND "))
    },
    Misuse("a list without values", gives: "[[SQLiteSwiftly.SQLiteValue.integer(0)]]") {
      connection, _ in
      try connection.query("SELECT 1 IN (\([] as [Int]))")
    },
    Misuse("a list of too many values", .error, "too many SQL variables") { connection, _ in
      _ = try connection.query("SELECT 1 IN (\([Int](0..<300_000)))")
    },
    Misuse("a query builder of other values than parameters", .range, "2 parameters but 1 value") {
      connection, _ in
      _ = try connection.query(SQL(BuiltScript(text: "SELECT ?, ?", values: [1])))
    },
    Misuse("the rows of a bulk insert that is not there", gives: "0") { connection, _ in
      try connection.bulkInsert(intoTable: words) { try $0.append(3, "x") }
      return try connection.first("SELECT count(*) FROM sqlite_rows_2", as: Int.self) ?? -1
    },
    Misuse("a code that no one knows", gives: "SQLITE_OK_-2147483648") { _, _ in
      SQLiteError.ResultCode(rawValue: .min)
    },
    Misuse("an error of nothing", gives: " (SQLITE_OK, 0) in: ") { _, _ in
      SQLiteError(.ok, "", sql: "")
    },
    Misuse("what the library is", gives: "true") { _, _ in
      SQLiteLibrary.isThreadSafe && SQLiteLibrary.versionNumber > 0
        && !SQLiteLibrary.version.isEmpty && !SQLiteLibrary.sourceID.isEmpty
        && !SQLiteLibrary.compileOptions.isEmpty
    },
  ]

  @Test(arguments: cases) func `invalid SQL is reported`(misuse: Misuse) throws {
    let outcome = try misuse.happen()
    #expect(misuse.expects(outcome), "\(outcome)")
    #expect(outcome.state == "usable")
  }
}
