import SQLiteSwiftly
import Testing

/// Statements and cursors that are used in any order.
struct MisuseStatementTests {
  private static let three: SQL = "SELECT column1 FROM (VALUES (1), (2), (3))"

  static let cases: [Misuse] = [
    Misuse("a query that is run", .misuse, "returns rows") { connection, _ in
      var statement = try connection.prepare(three)
      try statement.run()
    },
    Misuse("rows of a statement without any", gives: "[]") { connection, _ in
      var statement = try connection.prepare("UPDATE words SET word = 'x'")
      return try statement.query()
    },
    Misuse("values of a statement without rows", gives: "[]") { connection, _ in
      var statement = try connection.prepare("UPDATE words SET word = 'x'")
      return try statement.query(as: Int.self)
    },
    Misuse("a described result of a statement without rows", .misuse, "returns no rows") {
      connection, _ in
      var statement = try connection.prepare("UPDATE words SET word = 'x'")
      _ = try statement.query(describedBy: words)
    },
    Misuse("a cursor after its end", gives: "true") { connection, _ in
      var statement = try connection.prepare(three)
      var rows = statement.rows()
      var count = 0
      while try rows.next() != nil { count += 1 }
      for _ in 0..<5 where try rows.next() != nil { count += 1 }
      return count == 3
    },
    Misuse("a cursor after its error", gives: "true") { connection, _ in
      var statement = try connection.prepare("SELECT abs(\(Int64.min))")
      var rows = statement.rows()
      var errors = 0
      for _ in 0..<3 {
        do { if try rows.next() != nil { return false } } catch { errors += 1 }
      }
      return errors == 1
    },
    Misuse("a cursor that is never read", gives: "3") { connection, _ in
      var statement = try connection.prepare(three)
      do { _ = statement.rows() }
      do { _ = statement.rows([1, 2, 3]) }
      return try statement.query().count
    },
    Misuse("many cursors, each of one row", gives: "100") { connection, _ in
      var statement = try connection.prepare(three)
      var sum = 0
      for _ in 0..<100 {
        var rows = statement.rows()
        if let row = try rows.next() { sum += try row[0] }
      }
      return sum
    },
    Misuse("a statement on a table that is gone", .error, "no such table: words") {
      connection, _ in
      var statement = try connection.prepare("SELECT * FROM words")
      try connection.transaction {
        try connection.execute("DROP TABLE words")
        _ = try statement.query()
      }
    },
    Misuse("a statement on a table that came back", gives: "[]") { connection, _ in
      var statement = try connection.prepare("SELECT * FROM words")
      try connection.execute("DROP TABLE words")
      _ = try? statement.query()
      try connection.execute("CREATE TABLE words (other)")
      return try statement.query()
    },
    Misuse("the names of columns of a table that is gone", gives: #"["id", "word"]"#) {
      connection, _ in
      let statement = try connection.prepare("SELECT * FROM words")
      try connection.execute("DROP TABLE words")
      return statement.columnNames
    },
    Misuse("a statement after its connection was given up", gives: "3") { _, folder in
      var statement = try Connection(folder + "/a.sqlite", opening: .readOnly).prepare(three)
      return try statement.query().count
    },
    Misuse("a table that is dropped while it is read", .locked, "table is locked") {
      connection, _ in
      try connection.forEachRow(of: "SELECT * FROM words") { _ throws(SQLiteError) in
        try connection.execute("DROP TABLE words")
      }
    },
    Misuse("rows that are deleted while they are read", gives: "1") { connection, _ in
      var count = 0
      try connection.forEachRow(of: "SELECT * FROM words") { _ in
        count += 1
        try connection.execute("DELETE FROM words")
      }
      return count
    },
    Misuse("a rollback while rows are read", gives: "2") { connection, _ in
      var count = 0
      try connection.execute("BEGIN")
      try connection.forEachRow(of: "SELECT * FROM words") { _ in
        count += 1
        if count == 1 { try connection.execute("ROLLBACK") }
      }
      return count
    },
    Misuse("a rollback of the table that is read", .abortRollback, "abort") { connection, _ in
      try connection.execute("BEGIN")
      try connection.execute("CREATE TABLE t AS SELECT * FROM words")
      try connection.forEachRow(of: "SELECT * FROM t") { _ throws(SQLiteError) in
        try connection.execute("ROLLBACK")
      }
    },
    Misuse("a query within a query, many deep", gives: "256") { connection, _ in
      var count = 0
      func descend(_ depth: Int) throws {
        try connection.forEachRow(of: "SELECT * FROM words") { _ in
          if depth == 0 { count += 1 } else { try descend(depth - 1) }
        }
      }
      try descend(7)
      return count
    },
    Misuse("a statement that is made of one with values", gives: "[[], []]") { connection, _ in
      var statement = try connection.prepare("DELETE FROM words WHERE id = \(1)")
      try statement.run()
      return [try statement.query(), try statement.query(SQLParameters([] as [SQLiteValue]))]
    },
    Misuse("a conversion that runs statements", gives: "[1, 2]") { connection, _ in
      try connection.query("SELECT id FROM words ORDER BY id") { row throws(SQLiteError) in
        try connection.execute("UPDATE words SET word = word || 'x'")
        return try row.decode(Int.self) ?? 0
      }
    },
    Misuse("a tuple of more than the columns", .range, "no column 1 in the row (it has 1 column)") {
      connection, _ in
      _ = try connection.query("SELECT id FROM words", as: (Int, Int).self)
    },
    Misuse(
      "a first value of another kind", .mismatch, "column 0 (word): expected an integer, found text"
    ) {
      connection, _ in
      _ = try connection.first("SELECT word FROM words", as: Int.self)
    },
    Misuse("the text of a statement with comments", gives: "/* a */ SELECT 1 -- b") {
      connection, _ in
      try connection.prepare("/* a */ SELECT 1 -- b").text
    },
    Misuse("a statement that writes and is left half way", gives: "2") { connection, _ in
      try? connection.transaction {
        var statement = try connection.prepare("DELETE FROM words RETURNING id")
        var rows = statement.rows()
        _ = try rows.next()
        throw CancellationError()
      }
      return try connection.first("SELECT count(*) FROM words", as: Int.self) ?? 0
    },
  ]

  @Test(arguments: cases) func `misused statements report an error or do no harm`(
    misuse: Misuse
  ) throws {
    let outcome = try misuse.happen()
    #expect(misuse.expects(outcome), "\(outcome)")
    #expect(outcome.state == "usable")
  }
}
