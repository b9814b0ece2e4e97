import Schema
import Glibc
public import SQLiteSwiftly
public import SQLiteSwiftlyData

/// A catalog that `ingest` wrote, opened for reading, and the questions that are asked of it most.
///
/// It stays with the file that it has opened: of the catalog that takes its place the next night a new store
/// is made. Like its connection it is used by one thread at a time.
///
/// ```swift
/// let catalog = try CatalogStore(path)
/// let parts = try catalog.parts(ofSet: "6024-1")
/// let count = parts.map(\.quantity).reduce(0, +)
/// let castle = try catalog.sets.find("6024-1")
/// ```
///
/// What is asked about a set, part, color or theme that the catalog does not have is answered by nothing: an
/// empty array, or nil.
public struct CatalogStore {
  /// The connection, for queries of a program's own.
  public let connection: Connection
  /// The store that the helpers of the tables share.
  public let store: DataStore

  /// Opens the catalog at `path`.
  ///
  /// ```swift
  /// let catalog = try CatalogStore(path)
  /// let technic = try catalog.themes.find(where: ["name": "Technic"])
  /// ```
  ///
  /// - Throws: `CatalogError` that tells a path where nothing is, a file that is no database, one of another
  ///   application, and a catalog of another version of the schema from each other.
  public init(_ path: String) throws(CatalogError) {
    let application: Int32
    let version: Int32
    do throws(SQLiteError) {
      connection = try Connection(path, opening: .readOnly)
      application = try connection.value(of: .applicationID)
      version = try connection.value(of: .userVersion)
    } catch {
      throw CatalogError(opening: path, error)
    }
    let schema = RebrickableCatalog.schema
    guard application == schema.applicationID else {
      throw .otherApplication(path: path, found: application, expected: schema.applicationID)
    }
    guard version == schema.version else {
      throw .otherVersion(path: path, found: version, expected: schema.version)
    }
    store = DataStore(connection)
  }

  func rows<Value: RowDecodable>(_ query: SQL) throws(CatalogError) -> [Value] {
    do throws(SQLiteError) {
      // Strict, since a number that SQLite has made a rounded one would be wrong without warning.
      return try connection.query(query, as: Value.self, .strict)
    } catch {
      throw .reading(error)
    }
  }

  func row<Value: RowDecodable>(_ query: SQL) throws(CatalogError) -> Value? {
    let rows: [Value] = try rows(query)
    return rows.first
  }
}

func isThere(_ path: String) -> Bool {
  unsafe access(path, F_OK) == 0 || errno != ENOENT
}
