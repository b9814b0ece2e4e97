public import SQLiteSwiftly

/// An error of a table's helper, with its cause.
///
/// ```swift
/// do throws(DataAccessError) {
///   try teams.insert(Team(city: nil))
/// } catch {
///   guard case .nilInData(let column) = error else { throw error }
///   missing = column
/// }
/// ```
public enum DataAccessError: Error, Equatable, Sendable {
  /// The store has no usable connection, or its tables cannot be created.
  case datastoreConnection(SQLiteError)
  /// A row cannot be inserted.
  case insert(SQLiteError)
  /// A row cannot be deleted, or does not exist.
  case delete(SQLiteError)
  /// Rows cannot be read.
  case search(SQLiteError)
  /// A model has no value for a required column.
  case nilInData(column: String)
}

extension DataAccessError: CustomStringConvertible {
  /// The failed operation and its cause.
  public var description: String {
    switch self {
    case .datastoreConnection(let cause): "cannot use the database: \(cause)"
    case .insert(let cause): "cannot insert: \(cause)"
    case .delete(let cause): "cannot delete: \(cause)"
    case .search(let cause): "cannot read: \(cause)"
    case .nilInData(let column): "no value for the required column \(column)"
    }
  }
}
