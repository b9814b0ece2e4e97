public import SQLiteSwiftly

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
