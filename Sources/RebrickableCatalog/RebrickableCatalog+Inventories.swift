public import SQLiteSwiftly

extension RebrickableCatalog {
  /// Sets.
  public static let sets = TableDescription(
    "sets",
    columns: [
      ColumnDescription("set_num", .text, domain: .singleLine),
      ColumnDescription("name", .text, domain: .singleLine),
      ColumnDescription("year", .integer, domain: years),
      ColumnDescription("theme_id", .integer),
      ColumnDescription("num_parts", .integer, domain: .atLeast(-1)),
      ColumnDescription("img_url", .text, isNullable: true),
    ],
    primaryKey: ["set_num"],
    foreignKeys: [ForeignKeyDescription("theme_id", references: "themes", "id")],
    indexes: [["theme_id"]], isWithoutRowid: false)

  /// Minifigs.
  public static let minifigs = TableDescription(
    "minifigs",
    columns: [
      ColumnDescription("fig_num", .text, domain: .singleLine),
      ColumnDescription("name", .text, domain: .singleLine),
      ColumnDescription("num_parts", .integer, domain: .atLeast(0)),
      ColumnDescription("img_url", .text, isNullable: true),
    ],
    primaryKey: ["fig_num"], isWithoutRowid: false)

  /// Inventories: one version each of the contents of a set or of a minifig.
  public static let inventories = TableDescription(
    "inventories",
    columns: [
      ColumnDescription("id", .integer),
      ColumnDescription("version", .integer, domain: .atLeast(0)),
      ColumnDescription("set_num", .text),
    ],
    primaryKey: ["id"],
    uniqueKeys: [["set_num", "version"]],
    foreignKeys: [ForeignKeyDescription("set_num", references: "set_nums", "set_num")])

  /// The parts of an inventory; `is_spare` marks the extra pieces in the bag.
  public static let inventoryParts = TableDescription(
    "inventory_parts",
    columns: [
      ColumnDescription("inventory_id", .integer),
      ColumnDescription("part_num", .text),
      ColumnDescription("color_id", .integer),
      ColumnDescription("quantity", .integer, domain: .atLeast(0)),
      ColumnDescription("is_spare", .boolean),
      ColumnDescription("img_url", .text, isNullable: true),
    ],
    primaryKey: ["inventory_id", "part_num", "color_id", "is_spare"],
    foreignKeys: [
      ForeignKeyDescription("inventory_id", references: "inventories", "id"),
      ForeignKeyDescription("part_num", references: "parts", "part_num"),
      ForeignKeyDescription("color_id", references: "colors", "id"),
    ],
    indexes: [["part_num", "color_id", "inventory_id", "is_spare", "quantity"], ["color_id"]])

  /// The sets inside the set of an inventory.
  public static let inventorySets = TableDescription(
    "inventory_sets",
    columns: [
      ColumnDescription("inventory_id", .integer),
      ColumnDescription("set_num", .text),
      ColumnDescription("quantity", .integer, domain: .atLeast(0)),
    ],
    primaryKey: ["inventory_id", "set_num"],
    foreignKeys: [
      ForeignKeyDescription("inventory_id", references: "inventories", "id"),
      ForeignKeyDescription("set_num", references: "sets", "set_num"),
    ],
    indexes: [["set_num"]])

  /// The minifigs in the set of an inventory.
  public static let inventoryMinifigs = TableDescription(
    "inventory_minifigs",
    columns: [
      ColumnDescription("inventory_id", .integer),
      ColumnDescription("fig_num", .text),
      ColumnDescription("quantity", .integer, domain: .atLeast(0)),
    ],
    primaryKey: ["inventory_id", "fig_num"],
    foreignKeys: [
      ForeignKeyDescription("inventory_id", references: "inventories", "id"),
      ForeignKeyDescription("fig_num", references: "minifigs", "fig_num"),
    ],
    indexes: [["fig_num"]])
}
