import SQLiteSwiftly
import SQLiteSwiftlyData
import Testing

/// What newcomers expect, and once looked for in vain.
struct NewcomerTests {
  private struct OwnError: Error {}

  @Test func `a migration may throw its own errors`() throws {
    let connection = try Connection.inMemory()
    let migration = Migration(to: 1, "teams") { connection in
      try connection.execute("CREATE TABLE teams (name TEXT)")
      throw OwnError()
    }
    let error = try failure { try connection.migrate([migration]) }
    #expect(error.code == .error && error.message == "migration to 1 (teams): OwnError()")
    #expect(try connection.schema(ofTable: "teams") == nil)
    let refused = Migration(to: 1, "teams") { connection in
      try connection.execute("INSERT INTO missing VALUES (1)")
      if try connection.isInTransaction { throw OwnError() }
    }
    let other = try failure { try connection.migrate([refused]) }
    #expect(other.message == "migration to 1 (teams): no such table: missing")
  }

  @Test func `the first value is nil for NULL and for no row, and an optional tells them apart`()
    throws
  {
    let connection = try Connection.inMemory(after: "CREATE TABLE t (a INTEGER)")
    #expect(try connection.first("SELECT sum(a) FROM t", as: Int.self) == nil)
    #expect(try connection.first("SELECT a FROM t", as: Int.self) == nil)
    let ofNull = try connection.first("SELECT sum(a) FROM t", as: Int?.self)
    #expect(ofNull == .some(nil))
    let ofNothing = try connection.first("SELECT a FROM t", as: Int?.self)
    #expect(ofNothing == nil)
    var sum = try connection.prepare("SELECT sum(a) FROM t WHERE a > ?")
    #expect(try sum.first([0], as: Int.self) == nil)
    try connection.execute("INSERT INTO t VALUES (2), (3)")
    #expect(try sum.first([0], as: Int.self) == 5)
    // Not among the values of all rows.
    let error = try failure { _ = try connection.query("SELECT NULL", as: Int.self) }
    #expect(
      error.message == "column 0 (NULL): expected a value, found NULL; read it as an optional")
    let many = try failure { _ = try connection.first("SELECT 1, 2", as: Int.self) }
    #expect(many.message == "column 1 (2): the row has 2 columns, and Int reads 1")
  }

  @Test func `parts of a first tuple`() throws {
    let connection = try Connection.inMemory()
    let pair = try connection.first("SELECT 1, 'one'", as: (Int, String).self)
    #expect(pair?.0 == 1 && pair?.1 == "one")
    let none = try connection.first("SELECT 1, 'one' WHERE 0", as: (Int, String).self)
    #expect(none?.0 == nil)
    let labelled: (id: Int, name: String)? = try connection.first(
      "SELECT 1, 'one'", as: (Int, String).self)
    #expect(labelled?.name == "one")
    let all = try connection.query("SELECT 1, 'one'", as: (Int, String).self)
      .map { (id: $0, name: $1) }
    #expect(all.map(\.name) == ["one"])
  }

  @Test(arguments: ["a", "é", "e\u{301}", "👩‍👩‍👧", "\0"] as [Character])
  func `a character comes back`(character: Character) throws {
    let connection = try Connection.inMemory()
    #expect(try connection.first("SELECT \(character)", as: Character.self) == character)
    #expect(try connection.query("SELECT NULL", as: Character?.self) == [nil])
  }

  @Test(arguments: ["", "ab"]) func `no other text is a character`(text: String) throws {
    let connection = try Connection.inMemory()
    let error = try failure { _ = try connection.first("SELECT \(text) AS c", as: Character.self) }
    #expect(error.message == "column 0 (c): expected one character")
  }

  @Test func `a bulk insert returns what was kept`() throws {
    let connection = try Connection.inMemory()
    let table = TableDescription(
      "t", columns: [ColumnDescription("id", .integer), ColumnDescription("name", .text)],
      primaryKey: ["id"])
    try connection.createTable(describedBy: table)
    func insert(_ ids: ClosedRange<Int>, _ resolution: ConflictResolution) throws -> Int {
      try connection.bulkInsert(intoTable: table, onConflict: resolution) { rows in
        for id in ids { try rows.append(id, "name") }
      }
    }
    #expect(try insert(1...10_000, .fail) == 10_000)
    #expect(try insert(5001...25_000, .keep) == 15_000)
    #expect(try insert(1...30_000, .update) == 30_000)
    #expect(try insert(1...30_000, .keep) == 0)
    #expect(try connection.first("SELECT count(*) FROM t", as: Int.self) == 30_000)
  }

  @Test func `schemas of attached, temporary and view tables`() throws {
    let connection = try Connection.inMemory(
      after: "ATTACH ':memory:' AS other", "CREATE TABLE t (a INTEGER PRIMARY KEY)",
      "CREATE TEMP TABLE t (b TEXT NOT NULL)",
      "CREATE TABLE other.parent (id INTEGER PRIMARY KEY, name TEXT)",
      "CREATE TABLE other.t (c INTEGER REFERENCES parent, d TEXT UNIQUE) STRICT",
      "CREATE INDEX other.ct ON t (c DESC)", "CREATE VIEW v AS SELECT a, a + 1 AS next FROM t")
    #expect(try connection.schema(ofTable: "t")?.columns.map(\.name) == ["a"])
    let temporary = try connection.schema(ofTable: "t", inDatabase: "temp")
    #expect(temporary?.columns.map(\.isNullable) == [false])
    #expect(temporary?.sql == "CREATE TABLE t (b TEXT NOT NULL)")
    let attached = try connection.schema(ofTable: "T", inDatabase: "OTHER")
    #expect(attached?.columns.map(\.name) == ["c", "d"] && attached?.isStrict == true)
    #expect(attached?.uniqueKeys == [["d"]])
    #expect(attached?.foreignKeys.map(\.keyColumns) == [["id"]])
    #expect(attached?.indexes.map(\.terms) == [["c DESC"]])
    let view = try connection.schema(ofView: "V")
    #expect(view?.name == "v" && view?.columns.map(\.name) == ["a", "next"])
    #expect(view?.columns.map(\.type) == ["INTEGER", ""])
    #expect(view?.sql == "CREATE VIEW v AS SELECT a, a + 1 AS next FROM t")
    #expect(try connection.schema(ofTable: "v") == nil)
    #expect(try connection.schema(ofView: "t") == nil)
    let error = try failure { _ = try connection.schema(ofTable: "t", inDatabase: "missing") }
    #expect(error.message.contains("missing"))
  }
}
