import SQLiteSwiftly
import Schema

extension RebrickableCatalog {
  /// The views: what people ask most, each fast for one set, part or theme.
  static let views = [
    setParts, flatSetParts, whereUsed, themePaths, partInfo, partColorInfo, resolvedRelations,
    canonicalParts,
  ]

  /// The parts of a set or a minifig itself, in the latest version of its inventory.
  static let setParts = ViewDescription(
    "set_parts",
    // By way of inventories, whose key is the number, so that it is fast from a part as well.
    """
    SELECT latest.set_num, inventory_id, part_num, color_id, quantity, is_spare, img_url
    FROM inventory_parts
      JOIN inventories ON inventories.id = inventory_id
      JOIN latest_inventories AS latest
        ON latest.set_num = inventories.set_num AND latest.id = inventories.id
    """,
    columns: [
      ColumnDescription(
        "set_num", .text, meaning: "The number of the set or minifig.", example: "8880-1"),
      ColumnDescription(
        "inventory_id", .integer, meaning: "Its inventory of the latest version.", example: 18221),
      partColumn, colorColumn, quantity, isSpare,
      ColumnDescription(
        "img_url", .text, isNullable: true,
        meaning: "A picture of the part in its color; NULL if there is none."),
    ],
    meaning: """
      The parts of a set or minifig itself, in its latest version, without those of its minifigs and of the \
      sets inside it.
      """)

  /// All that is in a set when everything in it has been opened.
  static let flatSetParts = ViewDescription(
    "set_parts_flat",
    """
    SELECT set_num, part_num, color_id, is_spare,
      CASE WHEN count(*) = count(held.quantity) THEN sum(part.quantity * held.quantity) END AS quantity
    FROM set_inventories AS held JOIN inventory_parts AS part USING (inventory_id)
    GROUP BY set_num, part_num, color_id, is_spare
    """,
    columns: [setColumn, partColumn, colorColumn, isSpare, quantity],
    meaning: """
      All parts of a set, with those of its minifigs and of the sets inside it, however deep. It is fast for a \
      set or a part that is given; to choose sets by anything else, add up where_used.
      """)

  /// Where a part is used: the other way of `set_parts_flat`, by inventories.
  static let whereUsed = ViewDescription(
    "where_used",
    """
    SELECT part_num, color_id, set_num, is_spare, part.quantity * held.quantity AS quantity,
      is_minifig, is_sub_set, inventory_id
    FROM inventory_parts AS part JOIN set_inventories AS held USING (inventory_id)
    """,
    columns: [
      partColumn, colorColumn, setColumn, isSpare, quantity,
      ColumnDescription(
        "is_minifig", .boolean, meaning: "1 if a minifig has it, 0 if a set itself does.",
        example: 0),
      ColumnDescription(
        "is_sub_set", .boolean, meaning: "1 if it is in a set inside the set, else 0.", example: 0),
      ColumnDescription(
        "inventory_id", .integer, meaning: "The inventory that lists it.", example: 18221),
    ],
    meaning: """
      The sets that have a part in a color, by way of which inventory: the set's own, that of a minifig, or that \
      of a set inside it.
      """)

  /// Themes with the way to them from the root.
  ///
  /// A theme that is above itself has the themes of the circle above it, each once.
  static let themePaths = ViewDescription(
    "theme_paths",
    """
    WITH RECURSIVE above (id, root_id, parent_id, depth, path, id_path) AS (
      SELECT id, id, parent_id, 1, name, CAST(id AS TEXT) FROM themes
      UNION ALL
      SELECT above.id, themes.id, themes.parent_id, above.depth + 1,
        themes.name || ' / ' || above.path, themes.id || '/' || above.id_path
      FROM above JOIN themes ON themes.id = above.parent_id
      WHERE instr('/' || above.id_path || '/', '/' || themes.id || '/') = 0
    )
    SELECT themes.id, themes.name, themes.parent_id, above.depth, above.root_id, above.path,
      above.id_path
    FROM above JOIN themes ON themes.id = above.id
    WHERE above.parent_id IS NULL
      OR instr('/' || above.id_path || '/', '/' || above.parent_id || '/') > 0
    """,
    columns: [
      ColumnDescription("id", .integer, meaning: "The theme.", example: 4),
      ColumnDescription("name", .text, meaning: "Its own name.", example: "Model"),
      ColumnDescription(
        "parent_id", .integer, isNullable: true,
        meaning: "The theme above it; NULL if there is none.", example: 1),
      ColumnDescription(
        "depth", .integer, meaning: "How many themes the path has; 1 for a root.", example: 2),
      ColumnDescription("root_id", .integer, meaning: "The first theme of the path.", example: 1),
      ColumnDescription(
        "path", .text, meaning: "The names from the root to the theme.", example: "Technic / Model"),
      ColumnDescription(
        "id_path", .text, meaning: "The ids from the root to the theme.", example: "1/4"),
    ],
    meaning: "Every theme with the way that leads to it from its root.")

  static let setColumn = ColumnDescription("set_num", .text, meaning: "The set.", example: "8880-1")
  static let partColumn = ColumnDescription(
    "part_num", .text, meaning: "The part.", example: "3001")
  static let colorColumn = ColumnDescription(
    "color_id", .integer, meaning: "Its color.", example: 4)
  private static let quantity = ColumnDescription(
    "quantity", .integer, meaning: "How many pieces there are.", example: 2)
  private static let isSpare = ColumnDescription(
    "is_spare", .boolean, meaning: "1 for extra pieces in the bag, else 0.", example: 0)
}
