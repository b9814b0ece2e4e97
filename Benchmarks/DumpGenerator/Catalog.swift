/// The tables of an artificial catalog.
///
/// Referenced data is in memory; the rest is generated while writing.
struct Catalog {
  private let themes: ThemeTable
  private let colors: ColorTable
  private let categories: PartCategoryTable
  private let parts: PartTable
  private let relationships: PartRelationshipTable
  private let elements: ElementTable
  private let sets: SetTable
  private let minifigs: MinifigTable
  private let inventories: InventoryTable
  private let inventoryParts: InventoryPartTable
  private let inventorySets: InventorySetTable
  private let inventoryMinifigs: InventoryMinifigTable

  init(sizes: TableSizes, seed: UInt64, era: Era) {
    func random(_ table: Table) -> RandomSource { RandomSource(seed: seed, table: table) }
    themes = ThemeTable(count: sizes.themes, random: random(.themes))
    colors = ColorTable(count: sizes.colors, era: era, random: random(.colors))
    categories = PartCategoryTable(count: sizes.partCategories)
    parts = PartTable(
      count: sizes.parts, categories: categories, random: random(.parts))
    relationships = PartRelationshipTable(
      count: sizes.partRelationships, parts: parts, random: random(.partRelationships))
    elements = ElementTable(
      count: sizes.elements, parts: parts, colors: colors, random: random(.elements))
    sets = SetTable(count: sizes.sets, themes: themes, era: era, random: random(.sets))
    minifigs = MinifigTable(count: sizes.minifigs, random: random(.minifigs))
    inventories = InventoryTable(
      sets: sets, minifigs: minifigs, furtherVersions: sizes.furtherVersions,
      random: random(.inventories))
    inventoryParts = InventoryPartTable(
      count: sizes.inventoryParts, inventories: inventories, parts: parts, colors: colors,
      random: random(.inventoryParts))
    inventorySets = InventorySetTable(
      count: sizes.inventorySets, inventories: inventories, sets: sets,
      random: random(.inventorySets))
    inventoryMinifigs = InventoryMinifigTable(
      count: sizes.inventoryMinifigs, inventories: inventories, minifigs: minifigs,
      random: random(.inventoryMinifigs))
  }

  /// Writes the header and all rows of a table.
  func write(_ table: Table, to rows: inout RowWriter) throws(DumpError) {
    for column in table.columns(in: rows.era) { rows.add(column) }
    try rows.endRow()
    switch table {
    case .themes: try themes.write(to: &rows)
    case .colors: try colors.write(to: &rows)
    case .partCategories: try categories.write(to: &rows)
    case .parts: try parts.write(to: &rows)
    case .partRelationships: try relationships.write(to: &rows)
    case .elements: try elements.write(to: &rows)
    case .sets: try sets.write(to: &rows)
    case .minifigs: try minifigs.write(to: &rows)
    case .inventories: try inventories.write(to: &rows)
    case .inventoryParts: try inventoryParts.write(to: &rows)
    case .inventorySets: try inventorySets.write(to: &rows)
    case .inventoryMinifigs: try inventoryMinifigs.write(to: &rows)
    }
  }
}
