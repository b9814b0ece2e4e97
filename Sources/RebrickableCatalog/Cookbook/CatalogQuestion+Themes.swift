import SQLiteSwiftly

extension CatalogQuestion {
  static let setsOfATheme = CatalogQuestion(
    name: "sets-of-a-theme",
    title: "Which sets belong to a theme and its subthemes?",
    explanation: "Newest first. `path` is the path of each set's theme.",
    kind: .statistics, example: ["theme_id": 1],
    sql: """
      SELECT set_num, sets.name, year, path AS theme, num_parts
      FROM theme_paths
        JOIN sets ON theme_id = theme_paths.id
      WHERE '/' || id_path || '/' LIKE '%/' || :theme_id || '/%'
      ORDER BY year DESC, set_num
      """)

  static let minifigsOfATheme = CatalogQuestion(
    name: "minifigs-of-a-theme",
    title: "Which minifigs are in the sets of a theme and its subthemes?",
    explanation: """
      Minifigs in the most sets come first. `pieces` is their total number in all these sets.
      """,
    kind: .statistics, example: ["theme_id": 186],
    sql: """
      SELECT fig_num, minifigs.name, count(*) AS num_sets, sum(quantity) AS pieces,
        min(year) AS min_year, max(year) AS max_year
      FROM theme_paths
        JOIN sets ON theme_id = theme_paths.id
        JOIN set_inventories USING (set_num)
        JOIN inventories ON inventories.id = inventory_id
        JOIN minifigs ON fig_num = inventories.set_num
      WHERE '/' || id_path || '/' LIKE '%/' || :theme_id || '/%' AND NOT is_sub_set
      GROUP BY fig_num
      ORDER BY count(*) DESC, fig_num
      LIMIT 20
      """)

  static let setsPerYear = CatalogQuestion(
    name: "sets-per-year",
    title: "How many sets came out each year, and how large were they?",
    explanation: """
      Pieces include those of minifigs but not spare parts. Sets without an inventory count in `sets`, but not \
      in the other columns.
      """,
    kind: .statistics, example: [:],
    sql: """
      SELECT year, count(*) AS sets, sum(set_stats.num_parts) AS pieces,
        round(avg(set_stats.num_parts), 1) AS average, max(set_stats.num_parts) AS largest
      FROM sets LEFT JOIN set_stats ON set_stats.set_num = sets.set_num AND num_lots > 0
      GROUP BY year
      ORDER BY year DESC
      """)
}
