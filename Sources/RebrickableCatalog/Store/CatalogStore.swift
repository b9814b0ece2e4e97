import Schema
import Glibc
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

func isThere(_ path: String) -> Bool {
  unsafe access(path, F_OK) == 0 || errno != ENOENT
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
}
