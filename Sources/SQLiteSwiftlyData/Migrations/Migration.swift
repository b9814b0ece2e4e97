public import SQLiteSwiftly
import Text

/// A migration of a database from one version to the next.
public struct Migration: Sendable {
  /// The version of the database after it (`PRAGMA user_version`), from 1.
  public let version: Int32
  /// Its name in a few words, for messages and logs.
  ///
  /// The database stores the name, and refuses a different migration with the same version.
  public let name: String
  let body: @Sendable (Connection) throws(SQLiteError) -> Void

  /// Describes a migration that runs code.
  ///
  /// ```swift
  /// let capitals = Migration(to: 2, "capitals") { connection throws(SQLiteError) in
  ///   for name in try connection.query("SELECT name FROM colors", as: String.self) {
  ///     try connection.execute("UPDATE colors SET name = \(name.uppercased()) WHERE name = \(name)")
  ///   }
  /// }
  /// ```
  public init(
    to version: Int32, _ name: String,
    _ body: @escaping @Sendable (Connection) throws(SQLiteError) -> Void
  ) {
    self.version = version
    self.name = name
    self.body = body
  }

  /// Describes a migration that runs code which may throw its own errors.
  ///
  /// The error of the migration then has the code `error`, and the description of its own in the message.
  @_disfavoredOverload
  public init(
    to version: Int32, _ name: String,
    _ body: @escaping @Sendable (Connection) throws -> Void
  ) {
    self.init(to: version, name) { connection throws(SQLiteError) in
      do {
        try body(connection)
      } catch let error as SQLiteError {
        throw error
      } catch {
        throw SQLiteError(.error, "\(error)")
      }
    }
  }

  /// Describes a migration that runs statements in sequence.
  ///
  /// ```swift
  /// let colors = Migration(
  ///   to: 1, "colors", "CREATE TABLE colors (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT",
  ///   "INSERT INTO colors VALUES (0, 'Black')")
  /// ```
  public init(to version: Int32, _ name: String, _ statements: SQL...) {
    self.init(to: version, name) { connection throws(SQLiteError) in
      for statement in statements { try connection.execute(statement) }
    }
  }

  fileprivate var label: String { "migration to \(version) (\(name))" }
}

/// A migration that was applied.
public struct AppliedMigration: Equatable, Sendable {
  /// The version of the database after it.
  public let version: Int32
  /// The name of the migration.
  public let name: String
  /// The time that it took, including its checks and commit.
  public let duration: Duration
}

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
  /// Pass all migrations ever published, in the order of their versions; `log` is called after each applied one.
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
        if let violation = try foreignKeyViolations(limit: 1).first {
          let row = violation.rowid.map { "row \($0)" } ?? "a row"
          throw SQLiteError(
            .constraintForeignKey,
            "\(row) of \(violation.table) \(written(columns: violation.columns)) has no parent in "
              + violation.parent)
        }
        try set(.userVersion, to: migration.version)
        try storeName(of: migration)
        return true
      }
    }
    guard isApplied else { return nil }
    return AppliedMigration(
      version: migration.version, name: migration.name, duration: .now - start)
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
        throw SQLiteError(error.extendedCode, "\(error.message); \(other.message)", sql: error.sql)
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

  func storeName(of migration: Migration) throws(SQLiteError) {
    guard try !isReadOnly else { return }
    try execute(
      """
      CREATE TABLE IF NOT EXISTS main.\(identifier: Self.tableOfMigrations) (
        version INTEGER PRIMARY KEY, name TEXT NOT NULL
      ) STRICT
      """)
    try execute(
      """
      INSERT OR REPLACE INTO main.\(identifier: Self.tableOfMigrations)
      VALUES (\(migration.version), \(migration.name))
      """)
  }
}

/// The version alone cannot distinguish two migrations with the same number from different branches.
struct NamedSteps {
  let version: Int32
  /// The names up to that version, in order; the last ones are missing if a program without names has migrated.
  private let names: [(version: Int32, name: String)]

  init(_ connection: Connection) throws(SQLiteError) {
    version = try connection.value(of: .userVersion)
    let isThere = try connection.value(
      of: """
        SELECT 1 FROM main.sqlite_schema
        WHERE type = 'table' AND name = \(Connection.tableOfMigrations)
        """)
    guard isThere != nil else {
      names = []
      return
    }
    names = try connection.query(
      """
      SELECT version, name FROM main.\(identifier: Connection.tableOfMigrations)
      WHERE version <= \(version) ORDER BY version
      """, as: (Int32, String).self
    ).map { (version: $0, name: $1) }
  }

  /// Checks that a migration matches the applied one, and that no other was applied after the
  /// previous one of the list; before the first, a database may have others.
  func check(_ migration: Migration, after previous: Int32?) throws(SQLiteError) {
    let between = (previous ?? migration.version)..<migration.version
    if let unknown = names.first(where: { between.contains($0.version) && $0.version != previous })
    {
      throw SQLiteError(
        .misuse,
        "version \(unknown.version) (\(unknown.name)) was applied before, but is not in the list")
    }
    if let name = name(of: migration) {
      guard haveSameBytes(name, migration.name) else {
        throw SQLiteError(
          .misuse, "version \(migration.version) was applied as a different migration (\(name))")
      }
    } else if let last = names.last?.version, last > migration.version {
      throw SQLiteError(
        .misuse, "version \(last) was applied without this migration; add it as a later version")
    }
  }

  func name(of migration: Migration) -> String? {
    names.first { $0.version == migration.version }?.name
  }
}
