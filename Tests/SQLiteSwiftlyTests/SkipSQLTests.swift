import SQLiteSwiftly
import Testing

/// The examples of SkipSQL's documentation, written with this library.
struct SkipSQLTests {
  @Test func `SK-1 SK-2 SK-3 SK-4 SK-5 SK-6 SK-7 its first example runs, and runs again`() throws {
    try withFolder { folder in
      let path = folder + "/db.sqlite"
      for run in 1...2 {
        // SQLContext(path: dbpath, flags: [.create, .readWrite])
        let connection = try Connection(path, opening: .openOrCreate)
        defer { try? connection.close() }
        try connection.execute("CREATE TABLE IF NOT EXISTS SOME_TABLE (STRING TEXT)")
        try connection.execute("INSERT INTO SOME_TABLE (STRING) VALUES ('ABC')")
        let rows: [[SQLiteValue]] = try connection.query("SELECT STRING FROM SOME_TABLE")
        #expect(rows.count == run && rows[0][0] == .text("ABC"))
        #expect(try openFiles(below: folder) == [path])
      }
      #expect(try openFiles(below: folder) == [])
    }
  }

  @Test func `SK-6 a row has its columns in the order of the SELECT`() throws {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE t (a, b, c)")
    try connection.execute("INSERT INTO t (c, a, b) VALUES (3, 1, 2), (6, 4, 5)")
    #expect(
      try connection.query("SELECT c, b, a FROM t ORDER BY a DESC") == [[6, 5, 4], [3, 2, 1]])
    #expect(try connection.query("SELECT a FROM t WHERE a > 9") == [])
  }

  @Test func `SK-8 SK-9 SK-10 a database in memory is alone, and gone when it is closed`() throws {
    let (first, second) = (try Connection.inMemory(), try Connection.inMemory())
    try first.execute("CREATE TABLE t AS SELECT 1")
    #expect(try first.value(of: "SELECT file FROM pragma_database_list") == "")
    #expect(try second.query("SELECT name FROM sqlite_schema") == [])
    try first.close()
    let third = try Connection.inMemory()
    #expect(try third.query("SELECT name FROM sqlite_schema") == [])
  }

  @Test func `SK-11 a database in memory calculates`() throws {
    let rows = try Connection.inMemory().query("SELECT 1, 2 + 3, 4 * 5")
    #expect(rows == [[.integer(1), .integer(5), .integer(20)]])
  }

  @Test func `SK-12 a database in memory sorts`() throws {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TEMPORARY TABLE scratch (word TEXT)")
    var insert = try connection.prepare("INSERT INTO scratch VALUES (?)")
    for word in ["pear", "Apple", "fig", "apple"] { try insert.run([.text(word)]) }
    #expect(
      try connection.texts("SELECT word FROM scratch ORDER BY word COLLATE NOCASE, word")
        == ["Apple", "apple", "fig", "pear"])
  }

  @Test func `SK-13 SK-15 SK-16 SK-17 SK-18 SK-19 SK-20 a statement is kept for a thousand rows`()
    throws
  {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE TABLE_NAME (NUM INTEGER, STR TEXT)")
    var prepared: [String] = []
    connection.traceHandler = { event in
      if case .prepared(let sql) = event { prepared.append(sql) }
    }
    var insert = try connection.prepare("INSERT INTO TABLE_NAME (NUM, STR) VALUES (?, ?)")
    try connection.transaction { () throws(SQLiteError) in
      for number in 1...1000 {
        try insert.run([.integer(Int64(number)), .text("Row \(number)")])
      }
    }
    let insertions = prepared.filter { $0.hasPrefix("INSERT") }
    #expect(insertions == ["INSERT INTO TABLE_NAME (NUM, STR) VALUES (?, ?)"])
    #expect(prepared.count == 3, "the insert, the beginning and the end of the transaction")
    insert.close()
    let count = try connection.query("SELECT count(*) FROM TABLE_NAME").first?.first?.integerValue
    #expect(count == 1000)
    let rows = try connection.query("SELECT NUM, STR FROM TABLE_NAME ORDER BY NUM")
    #expect(rows == (1...1000).map { [.integer($0), .text("Row \($0)")] })
    try connection.close()
  }

  @Test func `SK-14 of a thousand rows none is kept when one fails`() throws {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE t (a INTEGER PRIMARY KEY)")
    var insert = try connection.prepare("INSERT INTO t VALUES (?)")
    let error = try failure {
      try connection.transaction { () throws(SQLiteError) in
        for number in 1...1000 { try insert.run([.integer(Int64(number % 1000))]) }
        try insert.run([1])
      }
    }
    #expect(error.message == "UNIQUE constraint failed: t.a")
    #expect(try connection.rows(of: "t") == [])
    try connection.transaction { () throws(SQLiteError) in try insert.run([1]) }
    #expect(try connection.rows(of: "t") == [[1]])
  }

  @Test func `SK-17 a parameter that was not bound is an error`() throws {
    let connection = try Connection.inMemory()
    var statement = try connection.prepare("SELECT ?, ?")
    #expect(try statement.query(["a", 2]) == [["a", 2]])
    #expect(try failure { _ = try statement.query() }.code == .range)
    #expect(try failure { _ = try statement.query(["a"]) }.code == .range)
  }

  @Test func `SK-20 the accessors are reached by optional chaining`() throws {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE DB_SCHEMA_VERSION (ID INTEGER PRIMARY KEY, VERSION)")
    let query: SQL = "SELECT VERSION FROM DB_SCHEMA_VERSION"
    #expect(try connection.query(query).first?.first?.integerValue == nil)
    try connection.execute("INSERT OR IGNORE INTO DB_SCHEMA_VERSION VALUES (0, 0)")
    #expect(try connection.query(query).first?.first?.integerValue == 0)
  }

  @Test func `SK-21 values are bound in their order in one call`() throws {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE DB_SCHEMA_VERSION (ID INTEGER PRIMARY KEY, VERSION)")
    try connection.execute("INSERT INTO DB_SCHEMA_VERSION VALUES (0, 0), (1, 0)")
    try connection.execute(
      "UPDATE DB_SCHEMA_VERSION SET VERSION = ? WHERE ID = ?", [.integer(7), .integer(0)])
    #expect(try connection.rows(of: "DB_SCHEMA_VERSION") == [[0, 7], [1, 0]])
    let version: Int64 = 8
    try connection.execute("UPDATE DB_SCHEMA_VERSION SET VERSION = \(version) WHERE ID = \(1)")
    #expect(try connection.rows(of: "DB_SCHEMA_VERSION") == [[0, 7], [1, 8]])
  }

  @Test func `SK-33 the version of the library can be checked before use`() throws {
    let version = SQLiteLibrary.version.split(separator: ".").compactMap { Int($0) }
    try #require(version.count >= 2)
    #expect(version.lexicographicallyPrecedes([4]) && !version.lexicographicallyPrecedes([3, 38]))
  }

  @Test func `SK-34 a missing feature of the library is an error`() throws {
    let connection = try Connection.inMemory()
    #expect(try connection.value(of: #"SELECT '{"a": 7}' ->> 'a'"#) == 7)
    for query in ["SELECT json_of_tomorrow('{}')", "SELECT a FROM tomorrow('{}')"] as [SQL] {
      let error = try failure { _ = try connection.query(query) }
      #expect(error.code == .error && error.sql == query.text)
      #expect(error.message.hasPrefix("no such "))
    }
    let error = try failure { _ = try connection.value(of: "SELECT json_of_tomorrow('{}')") }
    #expect(error.message == "no such function: json_of_tomorrow")
  }
}
