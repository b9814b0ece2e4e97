import SQLiteSwiftly
import SQLiteSwiftlyData
import Testing

/// The table of the examples, and a column more with each version.
private let steps =
  [Migration(to: 1, "make demo", "CREATE TABLE demo (id INTEGER PRIMARY KEY, column1 TEXT)")]
  + (2...7).map { version in
    Migration(to: Int32(version), "add column\(version)") { connection throws(SQLiteError) in
      try connection.execute("ALTER TABLE demo ADD COLUMN \(identifier: "column\(version)") TEXT")
    }
  }

private let failing = Migration(
  to: 8, "fail half way", "CREATE TABLE half (a)", "INSERT INTO half VALUES (1)",
  "INSERT INTO nowhere VALUES (1)")

struct MigrationTests {
  private func version(_ connection: Connection) throws -> SQLiteValue? {
    try connection.value(of: "PRAGMA user_version")
  }

  private func columns(_ connection: Connection) throws -> [String?] {
    try connection.texts("SELECT name FROM pragma_table_info('demo')")
  }

  private let allColumns = ["id", "column1"] + (2...7).map { "column\($0)" }

  @Test("SK-26 SK-28 each migration increments the version and keeps the data", arguments: 0...7)
  func migrateFrom(start: Int) throws {
    let connection = try Connection.inMemory()
    try connection.migrate(Array(steps.prefix(start)))
    #expect(try version(connection) == .integer(Int64(start)))
    if start > 0 { try connection.execute("INSERT INTO demo (column1) VALUES ('kept')") }
    let applied = try connection.migrate(steps)
    #expect(applied.map(\.version) == (1...7).dropFirst(start).map { Int32($0) })
    #expect(try version(connection) == 7)
    #expect(try columns(connection) == allColumns)
    let rows = try connection.query("SELECT id, column1, column7 FROM demo")
    #expect(rows == (start > 0 ? [[1, "kept", .null]] : []))
  }

  @Test func `SK-25 an applied migration is not applied again`() throws {
    let connection = try Connection.inMemory(after: "CREATE TABLE runs (version)")
    let migrations = (1...3).map { version in
      Migration(to: Int32(version), "count") { connection throws(SQLiteError) in
        try connection.execute("INSERT INTO runs VALUES (\(version))")
      }
    }
    #expect(try connection.migrate(migrations).count == 3)
    #expect(try connection.migrate(migrations).isEmpty)
    #expect(try connection.query("SELECT version FROM runs") == [[1], [2], [3]])
  }

  @Test("SK-27 a failed migration is undone entirely, and earlier ones remain", arguments: 0...7)
  func failingStep(start: Int) throws {
    let connection = try Connection.inMemory()
    try connection.migrate(Array(steps.prefix(start)))
    let error = try failure { try connection.migrate(steps + [failing]) }
    #expect(error.message == "migration to 8 (fail half way): no such table: nowhere")
    #expect(error.sql == "INSERT INTO nowhere VALUES (1)")
    #expect(try version(connection) == 7)
    #expect(try columns(connection) == allColumns)
    #expect(try connection.texts("SELECT name FROM sqlite_schema WHERE name = 'half'") == [])
    #expect(try !connection.isInTransaction)
  }

  @Test func `SK-29 each migration is logged with its duration`() throws {
    let connection = try Connection.inMemory()
    var log: [AppliedMigration] = []
    let applied = try connection.migrate(steps) { log.append($0) }
    #expect(log == applied)
    #expect(log.map(\.name) == ["make demo"] + (2...7).map { "add column\($0)" })
    #expect(log.allSatisfy { $0.duration > .zero })
  }

  @Test func `a migration that leaves an orphan is undone, and keys are enforced again`() throws {
    let connection = try Connection.inMemory(after: "PRAGMA foreign_keys = ON")
    let orphan = Migration(to: 2, "lose a parent", "DELETE FROM parent WHERE id = 1")
    try expectFailure(
      extended: .constraintForeignKey,
      "migration to 2 (lose a parent): row 1 of child (parent) has no parent in parent"
    ) {
      try connection.migrate([
        Migration(
          to: 1, "make", "CREATE TABLE parent (id INTEGER PRIMARY KEY)",
          "CREATE TABLE child (parent INTEGER REFERENCES parent (id))",
          "INSERT INTO parent VALUES (1)", "INSERT INTO child VALUES (1)"), orphan,
      ])
    }
    #expect(try version(connection) == 1)
    #expect(try connection.value(of: "SELECT count(*) FROM parent") == 1)
    #expect(try connection.value(of: "PRAGMA foreign_keys") == 1)
  }

  private static let notEnforced =
    "foreign keys are no longer enforced: pragma foreign_keys was set to 1, but is 0"

  /// Keeps enforcement off: it cannot be switched on within a transaction.
  @Test("the error reports that keys cannot be enforced again", arguments: [true, false])
  func notEnforcedAgain(stepFollows: Bool) throws {
    let connection = try Connection.inMemory()
    try connection.set(.foreignKeys, to: true)
    let error = try failure {
      try connection.migrate(Array(steps.prefix(stepFollows ? 2 : 1))) { _ in
        do { try connection.execute("BEGIN") } catch { Issue.record(error) }
      }
    }
    #expect(error.code == (stepFollows ? .misuse : .error))
    #expect(
      error.message
        == (stepFollows ? "a migration cannot run within a transaction; " : "")
        + Self.notEnforced)
    #expect(try version(connection) == 1)
    try connection.execute("ROLLBACK")
    #expect(try !connection.value(of: .foreignKeys))
  }

  @Test func `a migration that closes the connection reports both errors`() throws {
    let connection = try Connection.inMemory()
    try connection.set(.foreignKeys, to: true)
    try expectFailure(
      "migration to 1 (close): the connection is closed; "
        + "foreign keys are no longer enforced: the connection is closed"
    ) {
      try connection.migrate([
        Migration(to: 1, "close") { connection throws(SQLiteError) in try connection.close() }
      ])
    }
  }

  @Test(
    "keys are enforced again after a cancellation",
    arguments: [
      "PRAGMA foreign_keys = 0", "CREATE TABLE a (b)", "COMMIT", "PRAGMA foreign_keys = 1",
    ])
  func cancelled(at statement: String) async throws {
    let task = Task {
      let connection = try Connection.inMemory()
      try connection.set(.foreignKeys, to: true)
      connection.traceHandler = { event in
        guard event == .prepared(sql: statement) else { return }
        unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
      }
      var code: SQLiteError.ResultCode?
      var isEnforced = false
      do throws(SQLiteError) {
        try connection.interruptingOnCancellation { () throws(SQLiteError) in
          _ = try connection.migrate([Migration(to: 1, "make", "CREATE TABLE a (b)")])
        }
      } catch {
        code = error.code
        #expect(!error.message.contains("not enforced"), "\(error)")
      }
      isEnforced = try connection.value(of: .foreignKeys)
      let version = try connection.value(of: .userVersion)
      return (code, isEnforced, version)
    }
    let (code, isEnforced, version) = try await task.value
    #expect(isEnforced)
    let isDone = statement == "PRAGMA foreign_keys = 1"
    #expect(version == (isDone ? 1 : 0))
    #expect(code == (isDone ? nil : .interrupted))
  }

  @Test func `a table can be recreated under the name that others refer to`() throws {
    let connection = try Connection.inMemory(after: "PRAGMA foreign_keys = ON")
    let applied = try connection.migrate([
      Migration(
        to: 1, "make", "CREATE TABLE parent (id INTEGER PRIMARY KEY)",
        "CREATE TABLE child (parent INTEGER REFERENCES parent (id) ON DELETE CASCADE)",
        "INSERT INTO parent VALUES (1)", "INSERT INTO child VALUES (1)"),
      Migration(
        to: 2, "make anew", "CREATE TABLE new (id INTEGER PRIMARY KEY, name TEXT)",
        "INSERT INTO new (id) SELECT id FROM parent", "DROP TABLE parent",
        "ALTER TABLE new RENAME TO parent"),
    ])
    #expect(applied.count == 2)
    #expect(try connection.value(of: "SELECT count(*) FROM child") == 1)
    #expect(try connection.foreignKeyViolations() == [])
  }

  @Test(arguments: [([1, 1], 1), ([2, 1], 1), ([0], 0), ([-1], -1)] as [([Int32], Int32)])
  func `versions must increase from 1`(versions: [Int32], wrong: Int32) throws {
    let connection = try Connection.inMemory()
    let migrations = versions.map { Migration(to: $0, "nothing", "CREATE TABLE t (a)") }
    let error = try failure { _ = try connection.migrate(migrations) }
    #expect(error.code == .misuse && error.message.hasPrefix("migration to \(wrong) (nothing)"))
    #expect(try connection.query("SELECT name FROM sqlite_schema") == [])
  }

  @Test func `a migration applied by another connection is not applied again`() throws {
    try withFile { path in
      let first = try Connection(path, opening: .createNew)
      let second = try Connection(path, opening: .openExisting)
      var applied: [AppliedMigration] = []
      let meanwhile = Migration(to: 1, "make demo") { _ throws(SQLiteError) in
        Issue.record("taken twice")
      }
      // The second one looks at the version, and then the first one is faster.
      try second.migrate([]) { _ in }
      try first.migrate(Array(steps.prefix(1)))
      applied = try second.migrate([meanwhile])
      #expect(applied.isEmpty)
    }
  }
}

/// The migrations that a program writes by hand, with a table for the version.
struct HandMadeMigrationTests {
  private func migrate(_ connection: Connection, to latest: Int64) throws -> Int {
    try connection.execute(
      "CREATE TABLE IF NOT EXISTS db_version (id INTEGER PRIMARY KEY, version INTEGER)")
    try connection.execute("INSERT OR IGNORE INTO db_version (id, version) VALUES (0, 0)")
    var version =
      try connection.query("SELECT version FROM db_version").first?.first?.integerValue ?? 0
    var steps = 0
    func step(_ next: Int64, _ statement: SQL) throws {
      guard version < next, next <= latest else { return }
      try connection.execute(statement)
      try connection.execute("UPDATE db_version SET version = ?", [.integer(next)])
      version = next
      steps += 1
    }
    try step(1, "CREATE TABLE demo (id INTEGER PRIMARY KEY)")
    try step(2, "ALTER TABLE demo ADD COLUMN name TEXT")
    return steps
  }

  @Test func `SK-22 SK-23 SK-24 migrations can be written by hand`() throws {
    let connection = try Connection.inMemory()
    #expect(try migrate(connection, to: 1) == 1)
    #expect(try migrate(connection, to: 2) == 1)
    #expect(try migrate(connection, to: 2) == 0)
    #expect(try connection.query("SELECT id, version FROM db_version") == [[0, 2]])
  }
}
