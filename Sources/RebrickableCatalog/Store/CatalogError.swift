public import SQLiteSwiftly

/// An error of opening or querying a catalog.
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
  /// There is no file at the path.
  case noFile(path: String)
  /// The file is not a SQLite database.
  case notADatabase(path: String, cause: SQLiteError)
  /// The file cannot be opened or read.
  case cannotOpen(path: String, cause: SQLiteError)
  /// The database has another application ID; 0 is SQLite's default.
  case otherApplication(path: String, found: Int32, expected: Int32)
  /// The catalog has another schema version.
  case otherVersion(path: String, found: Int32, expected: Int32)
  /// The catalog was loaded without the search.
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
  /// The error, the expectation, and the remedy.
  public var description: String {
    switch self {
    case .noFile(let path):
      "\(path): no such file; expected a catalog that ingest wrote"
    case .notADatabase(let path, _):
      "\(path): not a SQLite database; expected a catalog that ingest wrote"
    case .cannotOpen(let path, let cause): "\(path): cannot open the catalog: \(cause)"
    case .otherApplication(let path, let found, let expected):
      "\(path): application ID \(found), not \(expected); expected a catalog that ingest wrote"
    case .otherVersion(let path, let found, let expected):
      "\(path): schema version \(found), not \(expected); "
        + (found < expected
          ? "load the source files again with this version of ingest"
          : "build the program with that version of RebrickableCatalog")
    case .noSearch:
      "the catalog has no search; load the source files again without --no-search"
    case .reading(let cause): "cannot read the catalog: \(cause)"
    }
  }
}
