import SQLiteSwiftly

extension CatalogQuestion {
  static let whereUsed = CatalogQuestion(
    name: "where-used",
    title: "Which sets have a part in a color?",
    explanation: """
      Sets that have it in the latest version of their own inventory or in a minifig, not only as a spare part, \
      most pieces first. Sets inside a set count separately. For all versions of sets, see `where_ever_used`.
      """,
    kind: .statistics, example: ["part_num": "3626bp04", "color_id": 14],
    sql: """
      SELECT set_num, name, year, sum(quantity) AS quantity
      FROM where_used JOIN sets USING (set_num)
      WHERE part_num = :part_num AND color_id = :color_id AND NOT is_spare AND NOT is_sub_set
      GROUP BY set_num
      ORDER BY sum(quantity) DESC, set_num
      LIMIT 100
      """)

  static let substitutes = CatalogQuestion(
    name: "substitutes",
    title: "Which parts can replace a part?",
    explanation: """
      Its alternates (`A`) and other molds (`M`), and theirs in turn, with the number of sets they are in.
      """,
    kind: .lookup, example: ["part_num": "3001"],
    sql: """
      WITH RECURSIVE alike (part_num) AS (
        SELECT :part_num
        UNION
        SELECT iif(child_part_num = part_num, parent_part_num, child_part_num)
        FROM alike JOIN part_relationships
          ON child_part_num = part_num OR parent_part_num = part_num
        WHERE rel_type IN ('A', 'M')
      )
      SELECT part_num, name, num_sets, min_year, max_year
      FROM alike
        JOIN parts USING (part_num)
        LEFT JOIN part_stats USING (part_num)
      WHERE part_num <> :part_num
      ORDER BY num_sets DESC, part_num
      """)

  static let printsOfAPart = CatalogQuestion(
    name: "prints-of-a-part",
    title: "Which prints, patterns and molds of a part exist?",
    explanation: """
      Parts of the same shape with a print or pattern (`P`, `T`), and older or newer molds (`M`), with their \
      years and numbers of sets.
      """,
    kind: .lookup, example: ["part_num": "3626b"],
    sql: """
      SELECT rel_type, part_num, name, num_sets, min_year, max_year
      FROM part_relationships
        JOIN parts ON part_num = child_part_num
        LEFT JOIN part_stats USING (part_num)
      WHERE parent_part_num = :part_num AND rel_type IN ('P', 'T', 'M')
      ORDER BY num_sets DESC, part_num
      """)

  static let spares = CatalogQuestion(
    name: "spares",
    title: "Which parts are most often spare parts?",
    explanation: """
      The number of spare pieces, the number of pieces that sets need, and the percentage of spare ones.
      """,
    kind: .statistics, example: [:],
    sql: """
      SELECT part_num, name, num_spares, num_parts,
        round(100.0 * num_spares / (num_spares + num_parts), 1) AS percent
      FROM part_stats JOIN parts USING (part_num)
      ORDER BY num_spares DESC, part_num
      LIMIT 20
      """)

  static let colorThroughTheYears = CatalogQuestion(
    name: "color-through-the-years",
    title: "How common was a color in each year?",
    explanation: """
      The pieces in sets of the year and their minifigs, without spare parts, and the number of parts and sets \
      with the color.
      """,
    kind: .statistics, example: ["color_id": 272],
    sql: """
      SELECT year, count(DISTINCT set_num) AS sets, count(DISTINCT part_num) AS parts,
        sum(quantity) AS pieces
      FROM where_used JOIN sets USING (set_num)
      WHERE color_id = :color_id AND NOT is_spare AND NOT is_sub_set
      GROUP BY year
      ORDER BY year
      """)

  static let partLifetime = CatalogQuestion(
    name: "part-lifetime",
    title: "When was a part made in each color?",
    explanation: """
      The first and last year with a set that has it, itself or in a minifig, not only as a spare part; the number \
      of years with such a set; and the number of sets. All versions of sets count, not only the latest: `versions` \
      is their number.
      """,
    kind: .statistics, example: ["part_num": "3024"],
    sql: """
      SELECT colors.name AS color, min(year) AS first_year, max(year) AS last_year,
        count(DISTINCT year) AS years, count(DISTINCT set_num) AS sets,
        count(DISTINCT set_num || ' ' || version) AS versions
      FROM where_ever_used JOIN sets USING (set_num) JOIN colors ON colors.id = color_id
      WHERE part_num = :part_num AND NOT is_spare
      GROUP BY color_id
      ORDER BY first_year, color
      """)
}
