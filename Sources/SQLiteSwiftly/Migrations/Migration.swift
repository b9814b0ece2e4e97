/// One step from a version of a database to the next.
///
/// ```swift
/// let trimming = Migration(to: 3, "names without blanks") { connection throws(SQLiteError) in
///   try connection.execute("UPDATE parts SET name = trim(name)")
/// }
/// ```
public struct Migration: Sendable {
  /// The version that the database has after it (`PRAGMA user_version`), from 1.
  public let version: Int32
  /// What it does, in a few words, for messages and logs.
  public let name: String
  let body: @Sendable (Connection) throws(SQLiteError) -> Void

  /// Describes a step that runs code.
  public init(
    to version: Int32, _ name: String,
    _ body: @escaping @Sendable (Connection) throws(SQLiteError) -> Void
  ) {
    self.version = version
    self.name = name
    self.body = body
  }

  /// Describes a step that runs statements in sequence.
  public init(to version: Int32, _ name: String, _ statements: SQL...) {
    self.init(to: version, name) { connection throws(SQLiteError) in
      for statement in statements { try connection.execute(statement) }
    }
  }
}

/// A step that was taken.
public struct AppliedMigration: Equatable, Sendable {
  /// The version that the database has after it.
  public let version: Int32
  /// What it did.
  public let name: String
  /// How long it took, its checks and its commit included.
  public let duration: Duration
}
