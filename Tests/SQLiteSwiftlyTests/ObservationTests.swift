import SQLiteSwiftly
import SQLiteSwiftlyData
import Testing

/// The changes of tables that a pool reports.
struct ObservationTests {
  private static let schema: SQL = """
    CREATE TABLE Parents (id INTEGER PRIMARY KEY);
    CREATE TABLE children (id TEXT PRIMARY KEY, parent INTEGER REFERENCES Parents ON DELETE CASCADE)
      WITHOUT ROWID;
    CREATE TABLE log (a);
    CREATE TRIGGER logged AFTER INSERT ON children BEGIN INSERT INTO log VALUES (new.id); END;
    CREATE VIEW names AS SELECT id FROM children;
    INSERT INTO Parents VALUES (1), (2);
    """

  private func withFamilies(_ body: (ConnectionPool) async throws -> Void) async throws {
    let pool = try ConnectionPool.inMemory(readers: 1) { connection throws(SQLiteError) in
      try connection.set(.foreignKeys, to: true)
    }
    try await pool.write { try $0.execute(script: Self.schema) }
    try await body(pool)
  }

  private static let writes: [(SQL, Set<String>)] = [
    ("INSERT INTO log VALUES (1)", ["log"]), ("DELETE FROM log", ["log"]),
    ("UPDATE log SET a = 2", ["log"]),
    ("REPLACE INTO parents VALUES (1)", ["Parents", "children"]),
    ("INSERT INTO children VALUES ('a', 1)", ["children", "log"]),
    ("DELETE FROM parents WHERE id = 1", ["Parents", "children"]),
    ("ALTER TABLE log RENAME TO notes", []), ("DROP TABLE log", []), ("CREATE TABLE x (a)", []),
    ("CREATE TEMP TABLE x (a)", []),
  ]

  @Test(arguments: writes) func `the tables of a write`(
    write: SQL, tables: Set<String>
  ) async throws {
    try await withFamilies { pool in
      let changes = pool.changes()
      try await pool.write { try $0.execute(write) }
      #expect(await changes.next() == tables)
      try await pool.writeWithoutTransaction { try $0.execute("INSERT INTO parents VALUES (9)") }
      #expect(await changes.next() == ["Parents"])
    }
  }

  @Test func `writes are reported together, reads and what was undone not at all`() async throws {
    try await withFamilies { pool in
      let (all, some) = (pool.changes(), pool.changes(of: ["PARENTS"]))
      struct Failure: Error {}
      _ = try? await pool.write { connection in
        try connection.execute("INSERT INTO children VALUES ('a', 1)")
        throw Failure()
      }
      for number in 3...9 {
        _ = try await pool.read { try $0.query("SELECT * FROM children") }
        try await pool.write { try $0.execute("INSERT INTO parents VALUES (\(number))") }
        try await pool.write { try $0.execute("INSERT INTO log VALUES (1)") }
      }
      #expect(await all.next() == ["Parents", "log"])
      #expect(await some.next() == ["Parents"])
      // Without a transaction, the first statement remains.
      _ = try? await pool.writeWithoutTransaction { connection in
        try connection.execute("INSERT INTO log VALUES (2)")
        throw Failure()
      }
      #expect(await all.next() == ["log"])
      try await pool.close()
      #expect(await all.next() == nil)
      #expect(await some.next() == nil)
      #expect(await pool.changes().next() == nil)
    }
  }

  @Test func `a canceled consumer ends`() async throws {
    try await withFamilies { pool in
      let changes = pool.changes()
      let task = Task { await changes.next() }
      task.cancel()
      #expect(await task.value == nil)
      try await pool.write { try $0.execute("INSERT INTO log VALUES (1)") }
      #expect(await changes.next() == ["log"])
    }
  }

  @Test(
    arguments: [
      "SELECT count(*) FROM children", "SELECT count(id) FROM names",
      "SELECT (SELECT count(*) FROM (SELECT parent FROM children))",
    ] as [SQL])
  func `a query runs again when its tables change`(query: SQL) async throws {
    try await withFamilies { pool in
      var counts = pool.observe { try $0.first(query, as: Int.self) ?? -1 }.makeAsyncIterator()
      #expect(try await counts.next() == 0)
      try await pool.write { try $0.execute("INSERT INTO parents VALUES (3)") }
      for number in 1...5 {
        // A slow consumer gets the last of several.
        for part in 0..<number {
          try await pool.write {
            try $0.execute("INSERT INTO children VALUES (\("\(number)-\(part)"), 1)")
          }
        }
        #expect(try await counts.next() == number * (number + 1) / 2)
      }
      try await pool.write { try $0.execute("DELETE FROM parents WHERE id = 1") }
      #expect(try await counts.next() == 0)
      try await pool.write { connection in
        try connection.execute(
          script: "DROP VIEW names; CREATE VIEW names AS SELECT a AS id FROM log;")
      }
      #expect(try await counts.next() == (query.text.contains("names") ? 15 : 0))
      try await pool.close()
      #expect(try await counts.next() == nil)
    }
  }

  @Test(.timeLimit(.minutes(10)))
  func `no write is lost while a query begins to be observed`() async throws {
    try await withFamilies { pool in
      let last = 300
      async let writing: Void = {
        for number in 1...last {
          try await pool.write { try $0.execute("INSERT INTO log VALUES (\(number))") }
        }
      }()
      let counts = try await withThrowingTaskGroup { tasks in
        for _ in 1...8 {
          tasks.addTask {
            var seen: Int?
            for try await count in pool.observe({ connection in
              try connection.first("SELECT count(*) FROM log", as: Int.self)
            }) {
              seen = count
              if count == last { break }
            }
            return seen
          }
        }
        return try await tasks.reduce(into: []) { $0.append($1) }
      }
      try await writing
      #expect(counts == Array(repeating: last, count: 8))
    }
  }

  @Test func `the authorizer of the configuration remains`() async throws {
    let pool = try ConnectionPool.inMemory(readers: 1) { connection in
      connection.authorizer = { action in
        if case .function(let name) = action.operation, name == "random" { return .deny }
        return .allow
      }
    }
    let changes = pool.changes()
    let query: @Sendable (Connection) throws -> Int? = { connection in
      try connection.first("SELECT random()", as: Int.self)
    }
    var results = pool.observe(query).makeAsyncIterator()
    for _ in 1...2 {
      await #expect(throws: SQLiteError.self) { try await results.next() }
      await #expect(throws: SQLiteError.self) { try await pool.write(query) }
      await #expect(throws: SQLiteError.self) { try await pool.read(query) }
    }
    try await pool.write { try $0.execute("CREATE TABLE t (a)") }
    #expect(await changes.next() == [])
  }
}
