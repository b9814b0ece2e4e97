extension Connection {
  /// Brings the database to the version of the last migration.
  ///
  /// Each step is one immediate transaction: what the step does, a check of all foreign keys, and the
  /// new version with the step's name. A step that fails changes nothing, and the ones before it stay. Foreign keys are
  /// not enforced while a step runs, so that tables can be recreated
  /// (<https://www.sqlite.org/lang_altertable.html#otheralter>). Several processes may do this at the
  /// same time: each step is taken once.
  ///
  /// ```swift
  /// let applied = try connection.migrate([
  ///   Migration(to: 1, "parts", "CREATE TABLE parts (part_num TEXT PRIMARY KEY, name TEXT)"),
  ///   Migration(to: 2, "materials", "ALTER TABLE parts ADD COLUMN material TEXT"),
  /// ])
  /// ```
  ///
  /// - Parameters:
  ///   - migrations: the steps, in the order of their versions; all that there ever were.
  ///   - log: is called for each step that was taken, right after it.
  /// - Returns: The steps that were taken; none if the database has the last version.
  /// - Throws: `SQLiteError` that names the step which failed; with `misuse` within a transaction, for
  ///   steps that are not in order, for a database that is newer than the last migration, and for one that
  ///   has taken other steps than those of the list. If foreign keys were enforced and cannot be again, the
  ///   message says so as well.
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
        // The log may have begun one, in which a step would not be kept.
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
      throw SQLiteError(.misuse, "A migration is a transaction of its own, and one is open")
    }
  }

  private func checkOrder(_ migrations: [Migration]) throws(SQLiteError) {
    var last: Int32 = 0
    var name = ""
    for migration in migrations {
      guard migration.version > last else {
        throw SQLiteError(
          .misuse,
          "\(migration.label) cannot come after version \(last)\(name): versions begin at 1 and rise"
        )
      }
      last = migration.version
      name = " (\(migration.name))"
    }
    let version = try value(of: .userVersion)
    guard version <= last else {
      throw SQLiteError(
        .misuse, "The database has version \(version), and the last migration leads to \(last)")
    }
  }

  /// Takes a step, or returns nil if the database has taken it.
  private func apply(
    _ migration: Migration, after previous: Int32?
  ) throws(SQLiteError) -> AppliedMigration? {
    let start = ContinuousClock.now
    do throws(SQLiteError) {
      let isApplied = try transaction { () throws(SQLiteError) in
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
      guard isApplied else { return nil }
    } catch {
      throw SQLiteError(
        error.extendedCode, "\(migration.label): \(error.message)", sql: error.sql)
    }
    return AppliedMigration(
      version: migration.version, name: migration.name, duration: .now - start)
  }

  private func checkForeignKeys() throws(SQLiteError) {
    guard let violation = try foreignKeyViolations(limit: 1).first else { return }
    let row = violation.rowid.map { "row \($0)" } ?? "a row"
    throw SQLiteError(
      .constraintForeignKey,
      "\(row) of \(violation.table) has no parent in \(violation.parent)")
  }

  /// Runs `body` while foreign keys are not enforced, which cannot be changed within a transaction.
  private func withoutForeignKeys(
    _ body: () throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    guard try value(of: .foreignKeys) else { return try body() }
    do throws(SQLiteError) {
      // SQLite may do it and fail then, as at a cancellation.
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

  /// Enforces foreign keys again, whatever has happened, or throws an error that says that they are
  /// not.
  private func enforceForeignKeys() throws(SQLiteError) {
    do throws(SQLiteError) {
      try ignoringCancellation { () throws(SQLiteError) in try set(.foreignKeys, to: true) }
    } catch {
      throw SQLiteError(
        error.extendedCode, "foreign keys are not enforced any more: \(error.message)",
        sql: error.sql)
    }
  }
}

extension Migration {
  fileprivate var label: String { "migration to \(version) (\(name))" }
}
