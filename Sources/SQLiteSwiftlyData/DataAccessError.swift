public import SQLiteSwiftly

/// What can go wrong in the helper of a table, with its cause.
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
  /// A row cannot be deleted, or there is none.
  case delete(SQLiteError)
  /// Rows cannot be read.
  case search(SQLiteError)
  /// An item has no value for a column that requires one.
  case nilInData(column: String)
}

extension DataAccessError: CustomStringConvertible {
  /// What failed, and why.
  public var description: String {
    switch self {
    case .datastoreConnection(let cause): "The database cannot be used: \(cause)"
    case .insert(let cause): "Nothing was inserted: \(cause)"
    case .delete(let cause): "Nothing was deleted: \(cause)"
    case .search(let cause): "Nothing could be read: \(cause)"
    case .nilInData(let column): "There is no value for \(column), which requires one"
    }
  }
}
