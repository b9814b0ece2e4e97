import SQLiteSwiftly
import SQLiteSwiftlyData
import Testing

/// Migrations out of order, and migrations with forbidden statements.
struct MisuseMigrationTests {
  /// A step that runs code.
  private static func step(
    _ name: String, _ code: SQLiteError.ResultCode, _ part: String,
    _ body: @escaping @Sendable (Connection) throws(SQLiteError) -> Void
  ) -> Misuse {
    Misuse(name, code, part) { connection, _ in
      try connection.set(.foreignKeys, to: true)
      try connection.migrate([Migration(to: 1, "step", body)])
    }
  }

  /// Empty steps to some versions.
  private static func versions(_ versions: [Int32]) -> [Migration] {
    versions.map { Migration(to: $0, "to \($0)") }
  }

  static let cases: [Misuse] = [
    Misuse("no steps", gives: "0") { connection, _ in try connection.migrate([]).count },
    Misuse("a step without statements", gives: "[1]") { connection, _ in
      try connection.migrate(versions([1])).map(\.version)
    },
    Misuse("the greatest version", gives: "[2147483647]") { connection, _ in
      try connection.migrate(versions([.max])).map(\.version)
    },
    Misuse("version 0", .misuse, "versions must increase, from 1") { connection, _ in
      try connection.migrate(versions([0]))
    },
    Misuse("the least version", .misuse, "after version 0: versions must") { connection, _ in
      try connection.migrate(versions([.min]))
    },
    Misuse("a version twice", .misuse, "after version 2 (to 2): versions must") { connection, _ in
      try connection.migrate(versions([1, 2, 2]))
    },
    Misuse("versions that fall", .misuse, "after version 3 (to 3): versions must") {
      connection, _ in
      try connection.migrate(versions([3, 1]))
    },
    Misuse("a database that is newer", .misuse, "the database has version 9") { connection, _ in
      try connection.set(.userVersion, to: 9)
      try connection.migrate(versions([1, 2]))
    },
    Misuse("a database of a version below 0", gives: "[1, 2]") { connection, _ in
      try connection.set(.userVersion, to: .min)
      return try connection.migrate(versions([1, 2])).map(\.version)
    },
    Misuse("a migration in a transaction", .misuse, "cannot run within a transaction") {
      connection, _ in
      try connection.transaction { () throws(SQLiteError) in
        _ = try connection.migrate(versions([1]))
      }
    },
    Misuse("a migration in a migration's log", gives: "[1, 2]") { connection, _ in
      var found: [Int32] = []
      try connection.migrate(versions([1, 2])) { step in
        found.append(step.version)
        _ = try? connection.migrate(versions([1, 2]))
      }
      return found + (try connection.value(of: .userVersion) == 2 && found == [1] ? [2] : [])
    },
    Misuse("a log that begins a transaction", .misuse, "cannot run within a transaction") {
      connection, _ in
      try connection.migrate(versions([1, 2])) { _ in try? connection.execute("BEGIN") }
    },
    Misuse("a log that closes the connection", .misuse, "the connection is closed") {
      connection, _ in
      try connection.migrate(versions([1, 2])) { _ in try? connection.close() }
    },
    Misuse("SQL with a fault", .error, "migration to 1 (step): no such table: t") { connection, _ in
      try connection.migrate([Migration(to: 1, "step", "DELETE FROM words", "DELETE FROM t")])
    },
    Misuse("SQL with a value that has no form", .range, "migration to 1 (): ") { connection, _ in
      try connection.migrate([Migration(to: 1, "", "DELETE FROM words WHERE id = \(UInt64.max)")])
    },
    step("a step that commits", .abortRollback, "has already ended") {
      connection throws(SQLiteError) in
      try connection.execute("COMMIT")
    },
    step("a step that rolls back", .abortRollback, "has already ended") {
      connection throws(SQLiteError) in try connection.execute("ROLLBACK")
    },
    step("a step that closes the connection", .misuse, "the connection is closed") {
      connection throws(SQLiteError) in try connection.close()
    },
    step("a step that migrates", .misuse, "cannot run within a transaction") {
      connection throws(SQLiteError) in
      try connection.migrate([Migration(to: 2, "inner")])
    },
    step("a step that breaks a foreign key", .constraintForeignKey, "row 1 of t (a) has no parent")
    {
      connection throws(SQLiteError) in
      try connection.execute(
        script: "CREATE TABLE t (a REFERENCES words (id)); INSERT INTO t VALUES (99)")
    },
    step("a step with a key to no table", .constraintForeignKey, "has no parent in absent") {
      connection throws(SQLiteError) in
      try connection.execute(
        script: "CREATE TABLE t (a REFERENCES absent (id)); INSERT INTO t VALUES (99)")
    },
    step("a step that vacuums", .error, "cannot VACUUM") { connection throws(SQLiteError) in
      try connection.execute("VACUUM")
    },
    step("an error of the step's", .warning, "migration to 1 (step): so what") {
      _ throws(SQLiteError) in throw SQLiteError(.warning, "so what")
    },
    Misuse("foreign keys after a step that failed", gives: "true") { connection, _ in
      try connection.set(.foreignKeys, to: true)
      _ = try? connection.migrate([Migration(to: 1, "step", "nonsense")])
      return try connection.value(of: .foreignKeys)
    },
    Misuse("a migration of a database for reading", .readOnly, "readonly database") { _, folder in
      try Connection(folder + "/a.sqlite", opening: .readOnly).migrate(versions([1]))
    },
  ]

  @Test(arguments: cases) func `an invalid migration is reported`(misuse: Misuse) throws {
    let outcome = try misuse.happen()
    #expect(misuse.expects(outcome), "\(outcome)")
    #expect(outcome.state == "usable")
  }
}
