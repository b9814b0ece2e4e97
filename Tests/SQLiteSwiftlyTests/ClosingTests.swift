import SQLiteSwiftly
import SQLiteSwiftlyData
import Schema
import Testing

struct ClosingTests {
  /// Checks that `connection` cannot be closed, and stays in use.
  private func expectBusy(_ connection: Connection) throws {
    try expectFailure(.busy) { try connection.close() }
    #expect(try connection.value(of: "SELECT 1") == 1)
  }

  @Test func `X-6 a connection is busy until its last statement is freed`() throws {
    try withFolder { folder in
      let path = folder + "/a.sqlite"
      let connection = try Connection(path, opening: .createNew)
      try connection.createTable(describedBy: words)
      let select = try connection.prepare("SELECT word FROM words")
      var insert = try connection.prepareInsertIntoTable(describedBy: words)
      try expectBusy(connection)
      select.close()
      try expectBusy(connection)
      try insert.insert([1, "one"])
      _ = consume insert
      try connection.close()
      #expect(try openFiles(below: folder) == [])
      let reopened = try Connection(path, opening: .readOnly)
      #expect(try reopened.rows(of: "words") == [[1, "one"]])
    }
  }

  @Test func `X-6 SK-19 a failed or abandoned statement can be freed`() throws {
    let connection = try Connection.inMemory(with: words)
    var failing = try connection.prepare("INSERT INTO words VALUES (1, 'one')")
    try failing.run()
    #expect(try failure { try failing.run() }.code == .constraint)
    var halfRead = try connection.prepare("VALUES (1), (2)")
    do {
      var rows = halfRead.rows()
      _ = try rows.next()
      try expectBusy(connection)
    }
    halfRead.close()
    failing.close()
    try connection.close()
  }

  @Test func `X-6 closing again has no effect, and nothing else works`() throws {
    let connection = try Connection.inMemory()
    for _ in 0..<3 { try connection.close() }
    try expectFailure(.misuse, "the connection is closed") { _ = try connection.query("SELECT 1") }
    try connection.close()
  }

  @Test func `X-6 closing undoes a transaction that is open`() throws {
    try withFolder { folder in
      let path = folder + "/a.sqlite"
      let connection = try Connection(path, opening: .createNew)
      try connection.createTable(describedBy: words)
      try connection.execute("BEGIN")
      try connection.execute("INSERT INTO words VALUES (1, 'one')")
      try connection.close()
      #expect(try openFiles(below: folder) == [])
      #expect(try contents(of: folder).keys.sorted() == ["a.sqlite"])
      #expect(try Connection(path, opening: .readOnly).rows(of: "words") == [])
    }
  }

  @Test func `X-6 closing inside a query is refused, and the query continues`() throws {
    let connection = try Connection.inMemory()
    var values: [Int64?] = []
    try connection.forEachRow(of: "VALUES (1), (2), (3)") { row in
      values.append(try row.integer(at: 0))
      try expectBusy(connection)
    }
    #expect(values == [1, 2, 3])
    try connection.close()
  }

  @Test func `X-6 SK-3 each closed connection closes its file`() throws {
    try withFolder { folder in
      let path = folder + "/a.sqlite"
      for opening in [Connection.Opening.createNew, .openExisting, .openOrCreate, .readOnly] {
        let connection = try Connection(path, opening: opening)
        defer { try? connection.close() }
        #expect(try openFiles(below: folder) == [path])
        try connection.close()
        #expect(try openFiles(below: folder) == [])
      }
    }
  }

  /// Every call of a closed connection.
  static let closedCalls: [(String, @Sendable (Connection) throws -> Void)] = [
    ("a batch insert", { _ = try BatchInsertStatement(into: words, on: $0) }),
    ("changes", { _ = try $0.changes }), ("isInTransaction", { _ = try $0.isInTransaction }),
    ("lastInsertedRowID", { _ = try $0.lastInsertedRowID }),
    ("execute", { try $0.execute("DELETE FROM words") }),
    ("execute script", { try $0.execute(script: "DELETE FROM words") }),
    ("prepare", { _ = try $0.prepare("SELECT 1") }), ("query", { _ = try $0.query("SELECT 1") }),
    ("query as", { _ = try $0.query("SELECT 1", as: Int.self) }),
    ("query as a tuple", { _ = try $0.query("SELECT 1, 2", as: (Int, Int).self) }),
    ("query decoding", { _ = try $0.query("SELECT 1") { try $0.decode(Int.self) } }),
    ("query described", { _ = try $0.query("SELECT 1", describedBy: words) }),
    ("readAllRows", { _ = try $0.readAllRows(fromTable: words) }),
    ("first", { _ = try $0.first("SELECT 1", as: Int.self) }),
    ("value", { _ = try $0.value(of: "SELECT 1") }),
    ("forEachRow", { try $0.forEachRow(of: "SELECT 1") { _ in } }),
    ("transaction", { try $0.transaction(.deferred) {} }),
    (
      "interruptingOnCancellation",
      { try $0.interruptingOnCancellation { () throws(SQLiteError) in } }
    ),
    ("createTable", { try $0.createTable(describedBy: words) }),
    ("createIndexes", { try $0.createIndexes(describedBy: words) }),
    ("prepareInsert", { _ = try $0.prepareInsertIntoTable(describedBy: words) }),
    ("bulkInsert", { try $0.bulkInsert(intoTable: words) { try $0.append(1, "x") } }),
    ("schema", { _ = try $0.schema(ofTable: "words") }),
    ("differences from a table", { _ = try $0.differences(fromTable: words) }),
    (
      "differences",
      { _ = try $0.differences(from: SchemaDescription(tables: [], applicationID: 0, version: 0)) }
    ),
    ("faults", { _ = try $0.faults(.full) }),
    ("foreignKeyViolations", { _ = try $0.foreignKeyViolations() }),
    ("migrate", { try $0.migrate([]) }), ("pragma", { _ = try $0.value(of: .cacheSize) }),
    ("read-only pragma", { _ = try $0.value(of: .pageCount) }),
    ("set a pragma", { try $0.set(.foreignKeys, to: true) }),
    ("back up", { try $0.backUp(into: .inMemory()) }),
    ("back up from another", { try Connection.inMemory().backUp(into: $0) }),
  ]

  @Test(arguments: closedCalls) func `a closed connection refuses every call`(
    name: String, call: @Sendable (Connection) throws -> Void
  ) throws {
    let connection = try Connection.inMemory(with: words)
    try connection.close()
    let error = try failure { try call(connection) }
    #expect(error.code == .misuse && error.message.hasSuffix("the connection is closed"))
    connection.interrupter.interrupt()
    try connection.close()
  }
}
