import SQLiteSwiftly
import Schema

extension RebrickableCatalog {
  /// Views for common queries, each fast for one set, part or theme.
  static let views = [
    setParts, flatSetParts, whereUsed, whereEverUsed, themePaths, partInfo, partColorInfo,
    colorInfo, resolvedRelations, canonicalParts,
  ]

  /// The parts of a set or minifig itself, in its latest inventory.
  static let setParts = ViewDescription(
    "set_parts",
    // The join through inventories makes it fast from a part, too.
    """
    SELECT latest.set_num, inventory_id, part_num, color_id, quantity, is_spare, img_url
    FROM inventory_parts
      JOIN inventories ON inventories.id = inventory_id
      JOIN latest_inventories AS latest
        ON latest.set_num = inventories.set_num AND latest.id = inventories.id
    """,
    columns: [
      setOrMinifigColumn,
      ColumnDescription("inventory_id", .integer, meaning: "Its latest inventory.", example: 18221),
      partColumn, colorColumn, quantity, isSpare,
      ColumnDescription(
        "img_url", .text, isNullable: true,
        meaning: "URL of a picture of the part in this color; NULL if there is none."),
    ],
    meaning: """
      The parts of a set or minifig in its latest inventory, without those of its minifigs and \
      of sets inside it.
      """)

  /// All parts of a set, including minifigs and sets inside it.
  ///
  /// SQLite sorts the rows of a window set by set, and returns the first ones at once: 101 rows take 6 ms instead of
  /// 2.3 s with `GROUP BY`, which sorts all rows first. All rows take twice as long.
  static let flatSetParts = ViewDescription(
    "set_parts_flat",
    """
    SELECT set_num, part_num, color_id, is_spare, quantity
    FROM (
      SELECT set_num, part_num, color_id, is_spare, row_number() OVER line AS place,
        CASE WHEN count(*) OVER line = count(held.quantity) OVER line
          THEN sum(part.quantity * held.quantity) OVER line END AS quantity
      FROM set_inventories AS held JOIN inventory_parts AS part USING (inventory_id)
      WINDOW line AS (PARTITION BY set_num, part_num, color_id, is_spare)
    ) AS lines
    WHERE place = 1
    """,
    columns: [setColumn, partColumn, colorColumn, isSpare, quantity],
    meaning: """
      All parts of a set in its latest version, including its minifigs and sets inside it at \
      any depth. Fast for sets by number and for a part; for other filters, sum up where_used.
      """)

  /// The sets that use a part: the inverse of `set_parts_flat`, by inventory.
  static let whereUsed = ViewDescription(
    "where_used",
    """
    SELECT part_num, color_id, set_num, is_spare, part.quantity * held.quantity AS quantity,
      is_minifig, is_sub_set, inventory_id
    FROM inventory_parts AS part JOIN set_inventories AS held USING (inventory_id)
    """,
    columns: [
      partColumn, colorColumn, setColumn, isSpare, quantity, isMinifig, isSubSet, usedInventory,
    ],
    meaning: """
      The sets that contain a part in a color in their latest version, and through which \
      inventory: the set's own, a minifig's, or that of a set inside it.
      """)

  /// The versions of sets that use a part.
  static let whereEverUsed = ViewDescription(
    "where_ever_used",
    """
    SELECT part_num, color_id, held.set_num, latest.version, true AS is_latest, is_spare,
      part.quantity * held.quantity AS quantity, is_minifig, inventory_id
    FROM inventory_parts AS part JOIN set_inventories AS held USING (inventory_id)
      JOIN latest_inventories AS latest ON latest.set_num = held.set_num
    WHERE NOT is_sub_set
    UNION ALL
    SELECT part_num, color_id, set_num, version, false, is_spare, part.quantity * held.quantity,
      is_minifig, inventory_id
    FROM inventory_parts AS part JOIN older_set_inventories AS held USING (inventory_id)
    """,
    columns: [
      partColumn, colorColumn, setColumn,
      ColumnDescription(
        "version", .integer, meaning: "The version of the set's inventory.", example: 1),
      ColumnDescription(
        "is_latest", .boolean, meaning: "1 if it is the set's latest version, else 0.", example: 0),
      isSpare, quantity, isMinifig, usedInventory,
    ],
    meaning: """
      The sets that contain a part in a color in any version, a row for each version: in the \
      set's own inventory or in a minifig's, without sets inside it.
      """)

  /// Themes with their paths.
  ///
  /// In a circle of themes, the path has each theme once.
  static let themePaths = ViewDescription(
    "theme_paths", SQL(generated: pathQuery()),
    columns: [
      ColumnDescription("id", .integer, meaning: "The theme.", example: 4),
      ColumnDescription("name", .text, meaning: "Its own name.", example: "Model"),
      ColumnDescription(
        "parent_id", .integer, isNullable: true,
        meaning: "The parent theme; NULL for a top-level theme.", example: 1),
      ColumnDescription(
        "depth", .integer, meaning: "Number of themes in the path; 1 for a top-level theme.",
        example: 2),
      ColumnDescription("root_id", .integer, meaning: "The top-level theme.", example: 1),
      ColumnDescription(
        "path", .text, meaning: "The names from the top-level theme to this one.",
        example: "Technic / Model"),
      ColumnDescription(
        "id_path", .text, meaning: "The IDs from the top-level theme to this one.", example: "1/4"),
    ],
    meaning: "All themes, each with the path from its top-level theme.")

  /// The rows of `theme_paths`; with `levels`, the end of each path, of names that end after 100 characters: in a long
  /// chain of themes, whole paths would be far larger than the source files.
  static func pathQuery(levels: Int? = nil) -> String {
    func name(_ column: String) -> String {
      levels == nil ? column : "substr(\(column), 1, 100)"
    }
    return """
      WITH RECURSIVE above (id, root_id, parent_id, depth, path, id_path) AS (
        SELECT id, id, parent_id, 1, \(name("name")), CAST(id AS TEXT) FROM themes
        UNION ALL
        SELECT above.id, themes.id, themes.parent_id, above.depth + 1,
          \(name("themes.name")) || ' / ' || above.path, themes.id || '/' || above.id_path
        FROM above JOIN themes ON themes.id = above.parent_id
        WHERE instr('/' || above.id_path || '/', '/' || themes.id || '/') = 0\
      \(levels.map { " AND above.depth < \($0)" } ?? "")
      )
      SELECT themes.id, themes.name, themes.parent_id, above.depth, above.root_id, above.path,
        above.id_path
      FROM above JOIN themes ON themes.id = above.id
      WHERE above.parent_id IS NULL
        OR instr('/' || above.id_path || '/', '/' || above.parent_id || '/') > 0\
      \(levels.map { " OR above.depth = \($0)" } ?? "")
      """
  }

  private static let quantity = ColumnDescription(
    "quantity", .integer, meaning: "Number of pieces.", example: 2)
  private static let isMinifig = ColumnDescription(
    "is_minifig", .boolean, meaning: "1 if it is part of a minifig, else 0.", example: 0)
  private static let usedInventory = ColumnDescription(
    "inventory_id", .integer, meaning: "The inventory that lists it.", example: 18221)
  private static let isSpare = ColumnDescription(
    "is_spare", .boolean, meaning: "1 for spare pieces, else 0.", example: 0)
}
