import CSQLite

/// The steps that a database has taken, with their names.
///
/// The version alone cannot tell two steps of one number apart, each of which was written on a branch of its own.
package struct NamedSteps {
  package static let table = "sqliteswiftly_migrations"

  let version: Int32
  /// The names up to that version, in the order of the steps; the last ones are missing if a program has taken
  /// them that stores none.
  private let names: [(version: Int32, name: String)]

  init(_ connection: Connection) throws(SQLiteError) {
    version = try connection.value(of: .userVersion)
    let isThere = try connection.value(
      of: "SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = \(Self.table)")
    guard isThere != nil else {
      names = []
      return
    }
    names = try connection.query(
      """
      SELECT version, name FROM main.\(identifier: Self.table)
      WHERE version <= \(version) ORDER BY version
      """, as: (Int32, String).self
    ).map { (version: $0, name: $1) }
  }

  /// Makes sure that a step is the one that was taken, and that no other was taken between it and the one before
  /// it in the list; before the first, a database may have taken others.
  func check(_ migration: Migration, after previous: Int32?) throws(SQLiteError) {
    let between = (previous ?? migration.version)..<migration.version
    if let unknown = names.first(where: { between.contains($0.version) && $0.version != previous })
    {
      throw SQLiteError(
        .misuse,
        "the database has taken a step to \(unknown.version) (\(unknown.name)) before, which is not "
          + "in the list")
    }
    if let name = name(of: migration) {
      guard haveSameBytes(name, migration.name) else {
        throw SQLiteError(
          .misuse, "the database has taken another step to \(migration.version) (\(name))")
      }
    } else if let last = names.last?.version, last > migration.version {
      throw SQLiteError(
        .misuse, "the database has taken a step to \(last), and never this one before it")
    }
  }

  func name(of migration: Migration) -> String? {
    names.first { $0.version == migration.version }?.name
  }
}

extension Connection {
  /// Stores the name of a step that was taken, unless the database can only be read.
  func storeName(of migration: Migration) throws(SQLiteError) {
    guard unsafe sqlite3_db_readonly(try openHandle(), "main") == 0 else { return }
    try execute(
      """
      CREATE TABLE IF NOT EXISTS main.\(identifier: NamedSteps.table) (
        version INTEGER PRIMARY KEY, name TEXT NOT NULL
      ) STRICT
      """)
    try execute(
      """
      INSERT OR REPLACE INTO main.\(identifier: NamedSteps.table)
      VALUES (\(migration.version), \(migration.name))
      """)
  }
}
