package import RebrickableCatalog
package import SQLiteSwiftly

extension CatalogQuestion {
  /// Finds values for the parameters in any catalog, those that ask the most of it.
  package func hardestValues(in catalog: Connection) throws(SQLiteError) -> SQLParameters {
    guard let trial = Self.trials[name], let row = try catalog.query(trial).first else {
      return SQLParameters(example)
    }
    return SQLParameters(zip(example, row).map { (key: $0.key, value: $1) })
  }

  /// For a question by its name, the query for the values in the order of its example.
  private static let trials: [String: SQL] = [
    "parts-of-a-set": largestSet, "rare-parts": largestSet,
    "a-set": largestSet, "contents-by-hand": largestSet,
    "what-can-i-build": """
    SELECT json_group_array(json_array(part_num, color_id, quantity))
    FROM latest_inventories JOIN inventory_parts ON inventory_id = latest_inventories.id
    WHERE set_num = (\(sql: largestSet)) AND NOT is_spare
    """,
    "missing-parts": """
    SELECT set_num, (
        SELECT json_group_array(json_array(part_num, color_id, quantity))
        FROM where_used WHERE set_num = (\(sql: largestSet) OFFSET 1)
      ), (SELECT group_concat(set_num, ', ') FROM (\(sql: largestSets) OFFSET 1))
    FROM (\(sql: largestSet))
    """,
    "similar-sets": "SELECT group_concat(set_num, ', ') FROM (\(sql: largestSets))",
    "part-lifetime": commonestPart,
    "versions-of-a-set": """
    SELECT set_num, 1, 2 FROM inventories JOIN set_stats USING (set_num)
    WHERE version = 2 ORDER BY num_lots DESC, set_num LIMIT 1
    """,
    "sets-inside-a-set": """
    SELECT set_num FROM set_inventories WHERE is_sub_set
    GROUP BY set_num ORDER BY count(*) DESC, set_num LIMIT 1
    """,
    "where-used":
      "SELECT part_num, color_id FROM part_color_stats ORDER BY num_sets DESC, part_num LIMIT 1",
    "a-part": commonestPart, "colors-of-a-part": commonestPart,
    "substitutes": """
    SELECT parent_part_num FROM part_relationships WHERE rel_type IN ('A', 'M')
    GROUP BY parent_part_num ORDER BY count(*) DESC, parent_part_num LIMIT 1
    """,
    "prints-of-a-part": """
    SELECT parent_part_num FROM part_relationships WHERE rel_type IN ('P', 'T', 'M')
    GROUP BY parent_part_num ORDER BY count(*) DESC, parent_part_num LIMIT 1
    """,
    "minifigs-of-a-theme": largestTheme, "sets-of-a-theme": largestTheme,
    "color-through-the-years": commonestColor, "sets-in-a-color": commonestColor,
    "search-by-name": "SELECT 'brick or plate'",
    "an-element": "SELECT max(element_id) FROM elements",
    "sets-of-a-minifig": """
    SELECT fig_num FROM inventory_minifigs
    GROUP BY fig_num ORDER BY count(*) DESC, fig_num LIMIT 1
    """,
  ]

  private static let largestSet: SQL =
    "SELECT set_num FROM set_stats ORDER BY num_lots DESC, set_num LIMIT 1"
  private static let largestSets: SQL =
    "SELECT set_num FROM set_stats ORDER BY num_lots DESC, set_num LIMIT 10"
  private static let largestTheme: SQL =
    "SELECT theme_id FROM theme_stats ORDER BY total_num_sets DESC, theme_id LIMIT 1"
  private static let commonestPart: SQL =
    "SELECT part_num FROM part_stats ORDER BY num_sets DESC, part_num LIMIT 1"
  private static let commonestColor: SQL =
    "SELECT color_id FROM color_stats ORDER BY num_parts DESC, color_id LIMIT 1"
}
