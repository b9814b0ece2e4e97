/// How many rows each table of a dump set gets.
struct TableSizes: Sendable {
  var themes: Int
  var colors: Int
  var partCategories: Int
  var parts: Int
  var partRelationships: Int
  var elements: Int
  var sets: Int
  var minifigs: Int
  /// Inventories beyond the first of each set and minifig.
  var furtherVersions: Int
  var inventoryParts: Int
  var inventorySets: Int
  var inventoryMinifigs: Int

  /// Every set and every minifig has an inventory, and some sets have several.
  var inventories: Int { sets + minifigs + furtherVersions }
}

extension TableSizes {
  /// Sizes in the proportions of the real catalog, which has 1.5 million rows of inventory_parts.
  ///
  /// A small set keeps enough parents to be a catalog still. Themes, colors and categories stop
  /// growing at their real number.
  init(inventoryParts: Int) {
    func scaled(_ full: Int, atLeast least: Int) -> Int {
      max(least, full * inventoryParts / 1_500_000)
    }
    self.init(
      themes: min(480, scaled(480, atLeast: 60)),
      colors: min(270, scaled(270, atLeast: 100)),
      partCategories: PartCategoryTable.names.count,
      parts: scaled(60_000, atLeast: 200),
      partRelationships: scaled(34_000, atLeast: 120),
      elements: scaled(105_000, atLeast: 300),
      sets: scaled(25_000, atLeast: 120),
      minifigs: scaled(16_000, atLeast: 80),
      furtherVersions: scaled(3_000, atLeast: 14),
      inventoryParts: inventoryParts,
      inventorySets: scaled(5_000, atLeast: 30),
      inventoryMinifigs: scaled(24_000, atLeast: 80))
  }

  /// A few rows per table, enough for every trap: the base of the broken fixtures.
  static let tiny = TableSizes(
    themes: 6, colors: 9, partCategories: 5, parts: 16, partRelationships: 6, elements: 8, sets: 9,
    minifigs: 4, furtherVersions: 3, inventoryParts: 24, inventorySets: 3, inventoryMinifigs: 4)
}
