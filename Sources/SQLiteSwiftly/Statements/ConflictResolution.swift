/// The action of an insert if the primary key exists already
/// (<https://www.sqlite.org/lang_upsert.html>).
///
/// Other conflicts, such as those of a unique key, are always errors.
///
/// ```swift
/// var upsert = try connection.prepareInsertIntoTable(describedBy: themes, onConflict: .update)
/// try upsert.insert(1, "Technic", .null)
/// try upsert.insert(1, "Technic, renamed", .null)
/// ```
public enum ConflictResolution: Hashable, Sendable {
  /// The insert fails with `constraint`.
  case fail
  /// The existing row is kept unchanged.
  case keep
  /// All other columns of the existing row are updated. It stays the same row: it keeps its rowid,
  /// and rows that refer to it are not affected.
  case update
}
