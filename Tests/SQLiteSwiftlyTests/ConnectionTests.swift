import SQLiteSwiftly
import Testing

struct ConnectionTests {
  @Test func `SK-8 SK-9 SK-10 databases in memory are apart and leave no file`() throws {
    let (first, second) = (try Connection.inMemory(), try Connection.inMemory())
    try first.createTable(describedBy: words)
    #expect(try first.rows(of: "words") == [])
    try expectFailure("no such table: words") { _ = try second.rows(of: "words") }
    #expect(try first.texts("SELECT file FROM pragma_database_list") == [""])
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
