import SQLiteSwiftly

/// The version alone cannot distinguish two migrations with the same number from different branches.
struct NamedSteps {
  let version: Int32
  /// The names up to that version, in order; the last ones are missing if another program without
  /// names has migrated the database.
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

extension Connection {
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
