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
