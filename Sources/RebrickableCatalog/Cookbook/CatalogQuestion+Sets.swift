import SQLiteSwiftly

extension CatalogQuestion {
  static let partsOfASet = CatalogQuestion(
    name: "parts-of-a-set",
    title: "Which parts are in a set and its minifigs?",
    explanation: """
      The contents of the latest version, with colors and images; spare parts follow the others. Parts of a \
      minifig come after the set's own, under its name, multiplied by the number of such minifigs.
      """,
    kind: .lookup, example: ["set_num": "8880-1"],
    sql: """
      SELECT minifigs.name AS minifig, part_num, parts.name, colors.name AS color,
        inventory_parts.quantity * set_inventories.quantity AS quantity,
        is_spare, inventory_parts.img_url
      FROM set_inventories
        JOIN inventories ON inventories.id = inventory_id
        LEFT JOIN minifigs ON fig_num = inventories.set_num
        JOIN inventory_parts USING (inventory_id)
        JOIN parts USING (part_num)
        JOIN colors ON colors.id = color_id
      WHERE set_inventories.set_num = :set_num AND NOT is_sub_set
      ORDER BY minifig, is_spare, color, parts.name, part_num
      """)

  static let rareParts = CatalogQuestion(
    name: "rare-parts",
    title: "Which parts of a set are in the fewest other sets?",
    explanation: """
      The parts of the set and its minifigs that are in few sets in that color, rarest first. `num_sets` \
      includes the set itself.
      """,
    kind: .lookup, example: ["set_num": "8880-1"],
    sql: """
      SELECT DISTINCT part_color_stats.num_sets, part_color_stats.num_parts AS pieces, part_num,
        parts.name, colors.name AS color
      FROM set_inventories
        JOIN inventory_parts USING (inventory_id)
        JOIN part_color_stats USING (part_num, color_id)
        JOIN parts USING (part_num)
        JOIN colors ON colors.id = color_id
      WHERE set_num = :set_num AND NOT is_sub_set AND NOT is_spare
      ORDER BY part_color_stats.num_sets, pieces, part_num, color
      LIMIT 20
      """)

  static let setsInsideASet = CatalogQuestion(
    name: "sets-inside-a-set",
    title: "Which sets are inside a set?",
    explanation: """
      Nested sets are included at any depth. `quantity` is the number of each in the outermost set.
      """,
    kind: .lookup, example: ["set_num": "9645-1"],
    sql: """
      SELECT sets.set_num, sets.name, sets.year, quantity
      FROM set_inventories
        JOIN inventories ON inventories.id = inventory_id
        JOIN sets ON sets.set_num = inventories.set_num
      WHERE set_inventories.set_num = :set_num AND is_sub_set AND NOT is_minifig
      ORDER BY sets.set_num
      """)

  static let versionsOfASet = CatalogQuestion(
    name: "versions-of-a-set",
    title: "What has changed between two versions of a set's inventory?",
    explanation: """
      Versions differ if LEGO changed a set while it was sold, or if a count was corrected. `change` is how \
      many more pieces the newer version has, or fewer if negative. `where_ever_used` and the columns `ever_…` \
      of the statistics cover all versions; other statistics and views use the latest.
      """,
    kind: .lookup, example: ["set_num": "8880-1", "old": 1, "new": 2],
    sql: """
      SELECT part_num, parts.name, colors.name AS color, is_spare,
        sum(iif(version = :new, quantity, 0)) - sum(iif(version = :old, quantity, 0))
          AS change
      FROM inventories
        JOIN inventory_parts ON inventory_id = inventories.id
        JOIN parts USING (part_num)
        JOIN colors ON colors.id = color_id
      WHERE set_num = :set_num AND version IN (:old, :new)
      GROUP BY part_num, color_id, is_spare
      HAVING change <> 0
      ORDER BY part_num, color
      """)

  static let similarSets = CatalogQuestion(
    name: "similar-sets",
    title: "Which sets have the most parts in common with a set, or with several?",
    explanation: """
      `set_num` is a set, or a list with commas, such as the sets that you own. Pieces of the same part in the same \
      color, from latest versions, without minifigs and spare parts. `percent` is their share of the pieces of the \
      given sets.
      """,
    kind: .statistics, example: ["set_num": "8880-1, 8865-1"],
    sql: """
      WITH given AS (
        SELECT value AS set_num
        FROM json_each('[' || replace(json_quote(replace(replace(replace(replace(
            :set_num, ' ', ''), char(9), ''), char(10), ''), char(13), '')), ',', '","') || ']')
      ),
      own AS (
        SELECT part_num, color_id, sum(quantity) AS quantity
        FROM given JOIN latest_inventories USING (set_num)
          JOIN inventory_parts ON inventory_id = id
        WHERE NOT is_spare
        GROUP BY part_num, color_id
      ),
      common AS (
        SELECT inventory_id, sum(min(own.quantity, inventory_parts.quantity)) AS pieces
        FROM own JOIN inventory_parts USING (part_num, color_id)
        WHERE NOT is_spare
        GROUP BY inventory_id
      )
      SELECT set_num, name, year, pieces,
        100 * pieces / (SELECT sum(quantity) FROM own) AS percent
      FROM common JOIN latest_inventories ON id = inventory_id JOIN sets USING (set_num)
      WHERE set_num NOT IN (SELECT set_num FROM given)
      ORDER BY pieces DESC, set_num
      LIMIT 20
      """)

  static let whatCanIBuild = CatalogQuestion(
    name: "what-can-i-build",
    title: "Which sets can I build from my parts?",
    explanation: """
      `parts` is a JSON list of part, color and quantity. Sets of which you have the largest share come first. \
      Spare parts are not needed, and sets with fewer than ten pieces are omitted. Parts needed by both a set \
      and one of its minifigs are counted for both.
      """,
    kind: .statistics,
    example: [
      "parts": """
      [["3001", 4, 20], ["3001", 15, 20], ["3003", 4, 20], ["3003", 15, 10], \
      ["3004", 4, 20], ["3010", 4, 10], ["3020", 0, 10], ["3022", 0, 10]]
      """
    ],
    sql: """
      WITH mine AS (
        SELECT json_extract(value, '$[0]') AS part_num,
          json_extract(value, '$[1]') AS color_id, json_extract(value, '$[2]') AS quantity
        FROM json_each(ifnull(nullif(:parts, ''), '[]'))
      ),
      found AS (
        SELECT inventory_id, sum(min(mine.quantity, inventory_parts.quantity)) AS pieces
        FROM mine JOIN inventory_parts USING (part_num, color_id)
        WHERE NOT is_spare
        GROUP BY inventory_id
      ),
      shares AS (
        SELECT set_num, sum(pieces * quantity) AS found
        FROM found JOIN set_inventories USING (inventory_id)
        WHERE NOT is_sub_set
        GROUP BY set_num
      )
      SELECT set_num, name, year, found, set_stats.num_parts AS needed,
        100 * found / set_stats.num_parts AS percent
      FROM shares JOIN set_stats USING (set_num) JOIN sets USING (set_num)
      WHERE needed >= 10
      ORDER BY percent DESC, found DESC, set_num
      LIMIT 20
      """)

  static let missingParts = CatalogQuestion(
    name: "missing-parts",
    title: "Which parts are missing to build a set?",
    explanation: """
      You have `parts`, a JSON list of part, color and quantity, and all pieces of `sets`, a list with commas, \
      including spare parts and sets inside. The set needs the pieces of its latest version and minifigs.
      """,
    kind: .statistics,
    example: [
      "set_num": "8880-1", "parts": "[[\"2741\", 7, 1], [\"2780\", 0, 100]]",
      "sets": "8865-1, 8485-1",
    ],
    sql: """
      WITH pieces AS (
        SELECT part_num, color_id, quantity AS needed, 0 AS have
        FROM where_used
        WHERE set_num = :set_num AND NOT is_sub_set AND NOT is_spare
        UNION ALL
        SELECT part_num, color_id, 0, quantity
        FROM where_used
          JOIN json_each('[' || replace(json_quote(replace(replace(replace(replace(
            :sets, ' ', ''), char(9), ''), char(10), ''), char(13), '')), ',', '","') || ']')
            ON set_num = value
        UNION ALL
        SELECT CAST(value ->> 0 AS TEXT), CAST(value ->> 1 AS INTEGER), 0,
          CAST(value ->> 2 AS INTEGER)
        FROM json_each(ifnull(nullif(:parts, ''), '[]'))
      )
      SELECT part_num, parts.name, colors.name AS color, sum(needed) AS needed,
        sum(have) AS have, sum(needed) - sum(have) AS missing
      FROM pieces JOIN parts USING (part_num) JOIN colors ON colors.id = color_id
      GROUP BY part_num, color_id
      HAVING sum(needed) > sum(have)
      ORDER BY missing DESC, part_num, color
      """)

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
