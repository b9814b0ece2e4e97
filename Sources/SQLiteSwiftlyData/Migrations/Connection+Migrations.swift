public import SQLiteSwiftly
import Text

extension Connection {
  /// Migrates the database to the version of the last migration.
  ///
  /// Each migration is one immediate transaction: its statements, a check of all foreign keys, and the new version with
  /// the migration's name. A failed migration changes nothing, and earlier ones remain. Foreign keys are not enforced
  /// meanwhile, so that tables can be recreated (<https://www.sqlite.org/lang_altertable.html#otheralter>). Several
  /// processes may do this at the same time: each migration is applied once.
  ///
  /// ```swift
  /// let applied = try connection.migrate([
  ///   Migration(to: 1, "parts", "CREATE TABLE parts (part_num TEXT PRIMARY KEY, name TEXT)"),
  ///   Migration(to: 2, "materials", "ALTER TABLE parts ADD COLUMN material TEXT"),
  /// ])
  /// ```
  ///
  /// Pass all migrations ever published, in the order of their versions; `log` is called after each
  /// one that was applied.
  ///
  /// - Returns: The applied migrations; empty if the database has the last version.
  /// - Throws: `SQLiteError` that names the failed migration; with `misuse` within a transaction, for migrations out of
  ///   order, for a database newer than the last migration, and for a database with different migrations. If foreign
  ///   keys cannot be enforced again, the message reports that as well.
  @discardableResult
  public func migrate(
    _ migrations: [Migration], log: (AppliedMigration) -> Void = { _ in }
  ) throws(SQLiteError) -> [AppliedMigration] {
    try checkOrder(migrations)
    try checkNoTransaction()
    var applied: [AppliedMigration] = []
    try withoutForeignKeys { () throws(SQLiteError) in
      var previous: Int32?
      for migration in migrations {
        // The log may have begun a transaction, in which a migration would not be committed.
        try checkNoTransaction()
        defer { previous = migration.version }
        guard let step = try apply(migration, after: previous) else { continue }
        applied.append(step)
        log(step)
      }
    }
    return applied
  }

  private func checkNoTransaction() throws(SQLiteError) {
    guard try !isInTransaction else {
      throw SQLiteError(.misuse, "a migration cannot run within a transaction")
    }
  }

  private func checkOrder(_ migrations: [Migration]) throws(SQLiteError) {
    var last: Int32 = 0
    var name = ""
    for migration in migrations {
      guard migration.version > last else {
        throw SQLiteError(
          .misuse,
          "\(migration.label) after version \(last)\(name): versions must increase, from 1"
        )
      }
      last = migration.version
      name = " (\(migration.name))"
    }
    let version = try value(of: .userVersion)
    guard version <= last else {
      throw SQLiteError(
        .misuse, "the database has version \(version), newer than the last migration (\(last))")
    }
  }

  /// Nil if the database has it already.
  private func apply(
    _ migration: Migration, after previous: Int32?
  ) throws(SQLiteError) -> AppliedMigration? {
    let start = ContinuousClock.now
    let isApplied = try mapError(as: { $0.prefixed(by: migration.label) }) {
      () throws(SQLiteError) in
      try transaction { () throws(SQLiteError) in
        let taken = try NamedSteps(self)
        try taken.check(migration, after: previous)
        guard taken.version < migration.version else {
          if taken.name(of: migration) == nil { try storeName(of: migration) }
          return false
        }
        try migration.body(self)
        try checkForeignKeys()
        try set(.userVersion, to: migration.version)
        try storeName(of: migration)
        return true
      }
    }
    guard isApplied else { return nil }
    return AppliedMigration(
      version: migration.version, name: migration.name, duration: .now - start)
  }

  private func checkForeignKeys() throws(SQLiteError) {
    guard let violation = try foreignKeyViolations(limit: 1).first else { return }
    let row = violation.rowid.map { "row \($0)" } ?? "a row"
    throw SQLiteError(
      .constraintForeignKey,
      "\(row) of \(violation.table) \(written(columns: violation.columns)) has no parent in "
        + violation.parent)
  }

  /// Runs `body` without enforcing foreign keys, which cannot be changed within a transaction.
  private func withoutForeignKeys(
    _ body: () throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    guard try value(of: .foreignKeys) else { return try body() }
    do throws(SQLiteError) {
      // SQLite may change the setting and fail afterwards, for example at a cancellation.
      try set(.foreignKeys, to: false)
      try body()
    } catch {
      do throws(SQLiteError) {
        try enforceForeignKeys()
      } catch let other {
        throw SQLiteError(
          error.extendedCode, "\(error.message); \(other.message)", sql: error.sql)
      }
      throw error
    }
    try enforceForeignKeys()
  }

  private func enforceForeignKeys() throws(SQLiteError) {
    try mapError(
      ignoringCancellation { () throws(SQLiteError) in try set(.foreignKeys, to: true) },
      as: { (error: SQLiteError) in error.prefixed(by: "foreign keys are no longer enforced") })
  }
}

extension Migration {
  fileprivate var label: String { "migration to \(version) (\(name))" }
}
