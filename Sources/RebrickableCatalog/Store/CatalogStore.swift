import Glibc
import Schema
public import SQLiteSwiftly
public import SQLiteSwiftlyData
import Text

/// A catalog that `ingest` wrote, opened for reading, with common queries.
///
/// A store keeps reading the file that it has opened. After a new catalog is published, open a new store: see
/// <doc:Updates>. Like its connection, a store is for one thread at a time.
///
/// ```swift
/// let catalog = try CatalogStore(path)
/// let parts = try catalog.parts(ofSet: "6024-1")
/// let count = parts.map(\.quantity).reduce(0, +)
/// let castle = try catalog.sets.find("6024-1")
/// ```
///
/// For a set, part, color or theme that the catalog does not have, queries return an empty array or nil. A query that
/// fails throws `CatalogError.reading`.
public struct CatalogStore {
  /// The connection, for your own queries.
  public let connection: Connection
  /// The store of all table helpers.
  public let store: DataStore

  /// Opens the catalog at `path`.
  ///
  /// - Throws: `CatalogError`, with different cases for a missing file, a file that is not a database, the database
  ///   of another application, and another schema version.
  public init(_ path: String) throws(CatalogError) {
    let application: Int32
    let version: Int32
    (connection, application, version) = try mapError(as: { CatalogError(opening: path, $0) }) {
      () throws(SQLiteError) in
      let connection = try Connection(path, opening: .readOnly)
      return try (
        connection, connection.value(of: .applicationID), connection.value(of: .userVersion)
      )
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

  func rows<Value: RowDecodable>(
    _ query: SQL, _ parameters: SQLParameters = .none
  ) throws(CatalogError) -> [Value] {
    // In strict mode, the default, a number that SQLite has rounded is an error.
    try mapError(connection.query(query, parameters, as: Value.self), as: CatalogError.reading)
  }

  func row<Value: RowDecodable>(_ query: SQL) throws(CatalogError) -> Value? {
    let rows: [Value] = try rows(query)
    return rows.first
  }
}

/// The helpers of the tables.
///
/// ```swift
/// let red = try catalog.colors.find(4)
/// let castles = try catalog.sets.find(where: ["theme_id": 186, "year": 1998])
/// try catalog.inventoryParts.forEach(where: ["is_spare": true]) { spares += $0.quantity }
/// ```
///
/// An unknown column is an error, and so is any write.
extension CatalogStore {
  /// The helper of `themes`.
  public var themes: RebrickableCatalog.Theme.Helper { .init(store: store) }
  /// The helper of `colors`.
  public var colors: RebrickableCatalog.Color.Helper { .init(store: store) }
  /// The helper of `part_categories`.
  public var partCategories: RebrickableCatalog.PartCategory.Helper { .init(store: store) }
  /// The helper of `parts`.
  public var parts: RebrickableCatalog.Part.Helper { .init(store: store) }
  /// The helper of `part_relationships`.
  public var partRelationships: RebrickableCatalog.PartRelationship.Helper { .init(store: store) }
  /// The helper of `elements`.
  public var elements: RebrickableCatalog.Element.Helper { .init(store: store) }
  /// The helper of `sets`.
  public var sets: RebrickableCatalog.LegoSet.Helper { .init(store: store) }
  /// The helper of `minifigs`.
  public var minifigs: RebrickableCatalog.Minifig.Helper { .init(store: store) }
  /// The helper of `inventories`.
  public var inventories: RebrickableCatalog.Inventory.Helper { .init(store: store) }
  /// The helper of `inventory_parts`.
  public var inventoryParts: RebrickableCatalog.InventoryPart.Helper { .init(store: store) }
  /// The helper of `inventory_sets`.
  public var inventorySets: RebrickableCatalog.InventorySet.Helper { .init(store: store) }
  /// The helper of `inventory_minifigs`.
  public var inventoryMinifigs: RebrickableCatalog.InventoryMinifig.Helper { .init(store: store) }

  /// Searches parts, sets, minifigs and themes by name and number.
  ///
  /// ```swift
  /// let found = try catalog.search("bandit amb", limit: 5).map(\.key)
  /// ```
  ///
  /// This is the question `search-by-name` of the cookbook; <doc:Searching> has its rules. No character has a special
  /// meaning; for the query syntax of FTS5, query the view `search`.
  ///
  /// - Parameters:
  ///   - text: what a person typed; only its first 200 characters and eight words count.
  ///   - limit: the maximum number of results.
  /// - Returns: The results, best first; empty for a text without words.
  /// - Throws: `CatalogError.noSearch` if the catalog was loaded without the search; `CatalogError.reading`.
  public func search(
    _ text: String, limit: Int = 20
  ) throws(CatalogError) -> [RebrickableCatalog.SearchResult] {
    let hasSearch: Int? = try row(
      "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'search_words'")
    guard hasSearch != nil else { throw .noSearch }
    let words = String(text.map { $0 == "\0" ? " " : $0 })
    let query = Self.query.replacing("LIMIT 20", with: "LIMIT \(max(limit, 0))")
    return try rows(SQL(generated: query), ["text": words])
  }

  /// The cookbook's query.
  ///
  /// It quotes each word for FTS5, so no text is an error; its `substr` ends a text at a NUL. At most 200 characters, eight
  /// words, and 600 results of FTS5 count, which bounds the time.
  private static let query: String = {
    let question = RebrickableCatalog.cookbook.first { $0.name == "search-by-name" }
    return question?.sql.text ?? ""
  }()
}

extension RebrickableCatalog {
  /// A search result.
  public struct SearchResult: RowDecodable, Hashable, Sendable {
    /// The kind of result.
    public var kind: Kind
    /// Its number or id.
    public var key: String
    /// Its name.
    public var name: String
    /// The name or an excerpt, with the matching words in brackets.
    public var snippet: String
    /// The color of a part that an element number or the name of a color asked for; nil otherwise.
    public var color: String?

    /// The kind of a search result; unknown ones are preserved.
    public struct Kind: RawRepresentable, Hashable, Sendable, QueryDecodableValue {
      /// The word in the database.
      public let rawValue: String

      /// Creates a kind from its word.
      public init(rawValue: String) { self.rawValue = rawValue }

      /// A part, by its number.
      public static let part = Self(rawValue: "part")
      /// A set, by its number.
      public static let set = Self(rawValue: "set")
      /// A minifig, by its number.
      public static let minifig = Self(rawValue: "minifig")
      /// A theme, by its id.
      public static let theme = Self(rawValue: "theme")
    }

    /// Reads a row.
    public init(row: borrowing Row) throws(SQLiteError) {
      kind = try row["kind"]
      key = try row["key"]
      name = try row["name"]
      snippet = try row["snippet"]
      color = try row["color"]
    }
  }
}

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
public enum CatalogError: Error, Equatable, Sendable, CustomStringConvertible {
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

  init(opening path: String, _ cause: SQLiteError) {
    self =
      switch cause.code {
      case .notADatabase: .notADatabase(path: path, cause: cause)
      case .cannotOpen where unsafe access(path, F_OK) != 0 && errno == ENOENT:
        .noFile(path: path)
      default: .cannotOpen(path: path, cause: cause)
      }
  }

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
