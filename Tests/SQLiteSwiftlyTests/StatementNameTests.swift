import SQLiteSwiftly
import Testing

/// The names that a statement returns.
struct StatementNameTests {
  @Test func `the columns of a result have the names that SQLite gives them`() throws {
    let connection = try Connection.inMemory(after: "CREATE TABLE t (a, \"b c\")")
    let names: [(SQL, [String])] = [
      ("SELECT * FROM t", ["a", "b c"]), ("SELECT a AS x, a, a FROM t", ["x", "a", "a"]),
      ("SELECT 1 + 1, 'x' AS \"\", 'é' AS é", ["1 + 1", "", "é"]), ("DELETE FROM t", []),
      ("DELETE FROM t RETURNING a AS gone", ["gone"]),
    ]
    for (sql, expected) in names {
      let statement = try connection.prepare(sql)
      #expect(statement.columnNames == expected && statement.columnCount == expected.count)
    }
  }

  @Test func `a change of the schema shows at the next run`() throws {
    let connection = try Connection.inMemory(after: "CREATE TABLE t (a)")
    var statement = try connection.prepare("SELECT * FROM t")
    try connection.execute("ALTER TABLE t ADD COLUMN b")
    _ = try statement.query()
    #expect(statement.columnNames == ["a", "b"])
  }

  @Test func `parameters have the names of the text`() throws {
    let connection = try Connection.inMemory()
    let names: [(SQL, [String?])] = [
      ("SELECT 1", []), ("SELECT ?, ?", [nil, nil]),
      ("SELECT :a, @b, $c, ?, :a, :é", [":a", "@b", "$c", nil, ":é"]),
      ("SELECT ?3, :x", [nil, nil, "?3", ":x"]), ("SELECT \(1), :x", [nil, ":x"]),
    ]
    for (sql, expected) in names {
      let statement = try connection.prepare(sql)
      #expect(statement.parameterNames == expected)
      #expect(statement.parameterCount == expected.count)
    }
  }
}
