public import FoundationEssentials
public import SQLiteSwiftly
public import SQLiteSwiftlyData

/// With this module `localizedDescription` of an error is its description; without it, Foundation has only the
/// name and the number of its type.
///
/// ```swift
/// do {
///   try connection.execute("INSERT INTO events (id) VALUES (\(id))")
/// } catch {
///   report = error.localizedDescription
/// }
/// ```
extension SQLiteError: LocalizedError {
  /// The error's description.
  public var errorDescription: String? { description }
}

extension DataAccessError: LocalizedError {
  /// The error's description.
  public var errorDescription: String? { description }
}
