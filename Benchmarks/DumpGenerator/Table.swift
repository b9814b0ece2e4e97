/// The tables of the catalog, parents before their children.
enum Table: String, CaseIterable {
  case themes
  case colors
  case partCategories = "part_categories"
  case parts
  case partRelationships = "part_relationships"
  case elements
  case sets
  case minifigs
  case inventories
  case inventoryParts = "inventory_parts"
  case inventorySets = "inventory_sets"
  case inventoryMinifigs = "inventory_minifigs"

  /// The columns of the table's dump, in order.
  func columns(in era: Era) -> [String] {
    let isToday = era == .today
    return switch self {
    case .themes: ["id", "name", "parent_id"]
    case .colors:
      ["id", "name", "rgb", "is_trans"] + (isToday ? ["num_parts", "num_sets", "y1", "y2"] : [])
    case .partCategories: ["id", "name"]
    case .parts:
      ["part_num", "name", "part_cat_id", isToday ? "part_material" : "part_material_id"]
    case .partRelationships: ["rel_type", "child_part_num", "parent_part_num"]
    case .elements: ["element_id", "part_num", "color_id"] + (isToday ? ["design_id"] : [])
    case .sets:
      ["set_num", "name", "year", "theme_id", "num_parts"] + (isToday ? ["img_url"] : [])
    case .minifigs: ["fig_num", "name", "num_parts"] + (isToday ? ["img_url"] : [])
    case .inventories: ["id", "version", "set_num"]
    case .inventoryParts:
      ["inventory_id", "part_num", "color_id", "quantity", "is_spare"]
        + (isToday ? ["img_url"] : [])
    case .inventorySets: ["inventory_id", "set_num", "quantity"]
    case .inventoryMinifigs: ["inventory_id", "fig_num", "quantity"]
    }
  }
}
