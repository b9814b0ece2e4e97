package import SchemaDocuments

extension RebrickableCatalog {
  /// The catalogue as its readers are told of it.
  package static let document = SchemaDocument(
    title: "LEGO catalogue",
    meaning: """
      LEGO sets, minifigs, parts and colours, and what is in which, as Rebrickable publishes them every \
      day; loaded and checked by ingest.
      """,
    source: .init("Rebrickable", "https://rebrickable.com/downloads/"),
    license: .init("Rebrickable's terms for its downloads", "https://rebrickable.com/downloads/"),
    schema: schema,
    displays: displays,
    questions: firstQuestions,
    diagram: [
      ["part_categories", "part_relationships", "elements", "part_stats"],
      ["parts", "colors"],
      ["inventory_parts", "part_color_stats", "color_stats"],
      ["inventories", "latest_inventories"],
      ["set_nums", "inventory_sets", "inventory_minifigs", "set_inventories"],
      ["sets", "minifigs"],
      ["themes", "theme_stats", "set_stats"],
    ])

  private static let displays: [String: SchemaDocument.TableDisplay] = [
    "themes": .init(label: "name", rowsOfPage: 500),
    "colors": .init(label: "name", facets: ["is_trans"], rowsOfPage: 500),
    "part_categories": .init(label: "name", rowsOfPage: 100),
    "parts": .init(label: "name", facets: ["part_cat_id", "part_material"]),
    "part_relationships": .init(facets: ["rel_type"]),
    "elements": .init(facets: ["color_id"]),
    "sets": .init(label: "name", order: .descending("year"), facets: ["theme_id", "year"]),
    "minifigs": .init(label: "name"),
    // Whose contents they are says more than their numbers do.
    "inventories": .init(label: "set_num"),
    "part_stats": .init(order: .descending("num_sets")),
    "part_color_stats": .init(order: .descending("num_sets"), facets: ["color_id"]),
    "color_stats": .init(order: .descending("num_parts"), rowsOfPage: 500),
    "set_stats": .init(order: .descending("num_parts")),
    "theme_stats": .init(order: .descending("total_num_sets"), rowsOfPage: 500),
  ]

  private static let firstQuestions: [SchemaDocument.Question] = [
    .init(
      "parts-of-a-set", title: "Which parts are in a set?",
      meaning: "The parts of a set and of its minifigs, in the latest version, without spares.",
      sql: """
        SELECT part_num, parts.name, colors.name AS color,
          sum(set_inventories.quantity * inventory_parts.quantity) AS quantity
        FROM set_inventories
          JOIN inventory_parts USING (inventory_id)
          JOIN parts USING (part_num)
          JOIN colors ON colors.id = color_id
        WHERE set_num = :set_num AND NOT is_sub_set AND NOT is_spare
        GROUP BY part_num, color_id
        ORDER BY quantity DESC, part_num
        """),
    .init(
      "where-used", title: "Which sets have a part?",
      meaning: "The sets that have a part, in themselves or in their minifigs, the newest first.",
      sql: """
        SELECT set_num, sets.name, sets.year, colors.name AS color,
          sum(set_inventories.quantity * inventory_parts.quantity) AS quantity
        FROM inventory_parts
          JOIN set_inventories USING (inventory_id)
          JOIN sets USING (set_num)
          JOIN colors ON colors.id = color_id
        WHERE part_num = :part_num AND NOT is_sub_set AND NOT is_spare
        GROUP BY set_num, color_id
        ORDER BY sets.year DESC, set_num
        """),
    .init(
      "colors-of-a-part", title: "In which colours is there a part?",
      meaning: "The colours in which sets have a part, and how many sets, the most frequent first.",
      sql: """
        SELECT colors.name AS color, stats.num_sets, min_year, max_year, stats.num_parts
        FROM part_color_stats AS stats JOIN colors ON colors.id = color_id
        WHERE part_num = :part_num
        ORDER BY stats.num_sets DESC
        """),
  ]
}
