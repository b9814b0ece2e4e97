public import SQLiteSwiftly

/// Why a catalog cannot be opened, or a question cannot be answered.
///
/// ```swift
/// do throws(CatalogError) {
///   _ = try CatalogStore("/nowhere/catalog.sqlite")
/// } catch {
///   guard case .noFile(let path) = error else { throw error }
///   missing = path
/// }
/// ```
public enum CatalogError: Error, Equatable, Sendable {
  /// Nothing is at the path.
  case noFile(path: String)
  /// The file is no database of SQLite's.
  case notADatabase(path: String, cause: SQLiteError)
  /// What is at the path cannot be opened or read.
  case cannotOpen(path: String, cause: SQLiteError)
  /// The database is marked as another application's, or as nobody's if `found` is 0.
  case otherApplication(path: String, found: Int32, expected: Int32)
  /// The catalog is of another version of the schema.
  case otherVersion(path: String, found: Int32, expected: Int32)
  /// The catalog was loaded without the search over its names.
  case noSearch
  /// A query failed.
  case reading(SQLiteError)
}

extension CatalogError {
  init(opening path: String, _ cause: SQLiteError) {
    self =
      switch cause.code {
      case .notADatabase: .notADatabase(path: path, cause: cause)
      case .cannotOpen where !isThere(path): .noFile(path: path)
      default: .cannotOpen(path: path, cause: cause)
      }
  }
}

extension CatalogError: CustomStringConvertible {
  /// What was found, what was expected, and what to do.
  public var description: String {
    switch self {
    case .noFile(let path):
      "\(path): there is no such file, and a catalog was expected; "
        + "give the path of a file that ingest wrote"
    case .notADatabase(let path, _):
      "\(path): this is no database of SQLite's, and a catalog was expected; "
        + "give the path of a file that ingest wrote"
    case .cannotOpen(let path, let cause): "\(path): the catalog cannot be opened: \(cause)"
    case .otherApplication(let path, let found, let expected):
      "\(path): the database has the application id \(found), and a catalog has \(expected); "
        + "give the path of a file that ingest wrote"
    case .otherVersion(let path, let found, let expected):
      "\(path): the catalog has version \(found) of the schema, and version \(expected) was expected; "
        + (found < expected
          ? "load the dumps again, with the ingest of this version"
          : "build the program with the RebrickableCatalog of that version")
    case .noSearch:
      "the catalog has no search over its names; load the dumps again without --no-search"
    case .reading(let cause): "The catalog cannot be read: \(cause)"
    }
  }
}
