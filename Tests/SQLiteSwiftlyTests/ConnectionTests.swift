import SQLiteSwiftly
import Testing

struct ConnectionTests {
  @Test func `databases in memory are apart and leave no file`() throws {
    let (first, second) = (try Connection.inMemory(), try Connection.inMemory())
    try first.createTable(describedBy: words)
    #expect(try first.rows(of: "words") == [])
    let error = try failure { _ = try second.rows(of: "words") }
    #expect(error.message == "no such table: words")
    #expect(try first.texts("SELECT file FROM pragma_database_list") == [""])
  }

  @Test func `a closed connection refuses every use`() throws {
    let connection = try Connection.inMemory()
    try connection.close()
    try connection.close()
    let uses: [(Connection) throws -> Void] = [
      { try $0.execute("CREATE TABLE t (a)") },
      { _ = try $0.lastInsertedRowID },
      { _ = try $0.prepare("SELECT 1").columnCount },
      { try $0.forEachRow(of: "SELECT 1") { _ in } },
      { _ = try $0.readAllRows(fromTable: words) },
      { _ = try $0.query("SELECT 1") },
      { _ = try $0.value(of: "SELECT 1") },
      { _ = try $0.changes },
      { _ = try $0.isInTransaction },
      { try $0.createTable(describedBy: words) },
      { _ = try $0.prepareInsertIntoTable(describedBy: words) },
      { _ = try BatchInsertStatement(into: words, on: $0) },
      { try $0.transaction {} },
      { _ = try $0.foreignKeyViolations() },
      { _ = try $0.faults(.structure) },
      { _ = try $0.value(of: .userVersion) },
      { _ = try $0.value(of: .pageCount) },
      { try $0.set(.userVersion, to: 1) },
      { try $0.backUp(into: try Connection.inMemory()) },
      { try Connection.inMemory().backUp(into: $0) },
      { try $0.interruptingOnCancellation {} },
    ]
    for use in uses {
      let error = try failure { try use(connection) }
      #expect(error.code == .misuse && error.message == "the connection is closed")
    }
  }

  @Test func `SW-16 a statement keeps its connection alive`() throws {
    try withFolder { folder in
      let path = folder + "/a.sqlite"
      do {
        var insert = try prepared(path)
        #expect(try openFiles(below: folder) == [path])
        try insert.insert([.integer(2), .text("two")])
      }
      #expect(try openFiles(below: folder) == [])
      let connection = try Connection(path, opening: .readOnly)
      #expect(try connection.rows(of: "words") == [[.integer(2), .text("two")]])
    }
  }

  /// Prepares an insert on a connection that has no other owner then.
  private func prepared(_ path: String) throws -> InsertStatement {
    let connection = try Connection(path, opening: .createNew)
    try connection.createTable(describedBy: words)
    return try connection.prepareInsertIntoTable(describedBy: words)
  }

  @Test func `SW-17 a statement runs on its own connection`() throws {
    let (first, second) = (try Connection.inMemory(), try Connection.inMemory())
    for connection in [first, second] { try connection.createTable(describedBy: words) }
    var insert = try first.prepareInsertIntoTable(describedBy: words)
    try insert.insert([.integer(1), .null])
    #expect(try first.rows(of: "words") == [[.integer(1), .null]])
    #expect(try second.rows(of: "words") == [])
  }

  @Test func `SW-11 SW-75 connections and statements leave no file open`() throws {
    try withFolder { folder in
      let path = folder + "/a.sqlite"
      _ = try Connection(path, opening: .createNew)
      for _ in 0..<200 {
        let connection = try Connection(path, opening: .openExisting)
        try connection.execute("CREATE TABLE IF NOT EXISTS t (a)")
        _ = try? connection.execute("no SQL")
      }
      #expect(try openFiles(below: folder) == [])
    }
  }

  @Test func `the changes are those of the last statement`() throws {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE t AS VALUES (1), (2), (3)")
    try connection.execute("UPDATE t SET column1 = 0 WHERE column1 > \(1)")
    #expect(try connection.changes == 2)
  }

  @Test func `a value is the first column of the first row`() throws {
    let connection = try Connection.inMemory()
    #expect(try connection.value(of: "VALUES (1, 2), (3, 4)") == .integer(1))
    #expect(try connection.value(of: "SELECT NULL") == .null)
    #expect(try connection.value(of: "SELECT 1 WHERE 0") == nil)
  }
}
