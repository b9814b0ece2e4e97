public import FoundationEssentials
public import SQLiteSwiftly
public import SQLiteSwiftlyData

/// This module makes `localizedDescription` return the description of an error; otherwise
/// Foundation reports only the name and number of its type.
extension SQLiteError: LocalizedError {
  /// The error's description.
  public var errorDescription: String? { description }
}

extension DataAccessError: LocalizedError {
  /// The error's description.
  public var errorDescription: String? { description }
}
