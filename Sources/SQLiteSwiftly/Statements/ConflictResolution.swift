/// What an insert does with a row whose primary key is there already
/// (<https://www.sqlite.org/lang_upsert.html>).
///
/// Other conflicts, such as those of a unique key, are errors in each case.
///
/// ```swift
/// var upsert = try connection.prepareInsertIntoTable(describedBy: themes, onConflict: .update)
/// try upsert.insert(1, "Technic", .null)
/// try upsert.insert(1, "Technic, renamed", .null)
/// ```
public enum ConflictResolution: Hashable, Sendable {
  /// The insert fails with `constraint`.
  case fail
  /// The row that is there stays as it is.
  case keep
  /// The row that is there gets the new values of all other columns. It is the same row: its rowid stays,
  /// and rows that refer to it are left alone.
  case update
}
