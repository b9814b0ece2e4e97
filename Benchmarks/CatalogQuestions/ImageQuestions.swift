package import RebrickableCatalog
import SQLiteSwiftly

extension RebrickableCatalog {
  /// Questions that read and sort most of the catalog, with the milliseconds that each may take at today's size.
  ///
  /// Those about images have the subjects of rb.db's examples; the limit is twice what rb.db's take in rb.db.
  package static let surveys: [(question: CatalogQuestion, limit: Double)] = [
    (.printsWithoutAnImage, 6000), (.partsWithSeveralImages, 8500),
    (.partsWithAndWithoutAnImage, 8000),
    (.imagesOfSeveralParts, 17_000), (.imagesOfSeveralPartsOrColors, 16_500),
    (.imagesOfSeveralColors, 9000), (.colorsByYear, 1500),
  ]
}

extension CatalogQuestion {
  private static func survey(_ name: String, _ title: String, _ sql: SQL) -> CatalogQuestion {
    CatalogQuestion(
      name: name, title: title, explanation: "It reads the whole catalog.",
      kind: .statistics, example: [], sql: sql)
  }

  // Starting at the relations, SQLite would read all uses of each plain part.
  fileprivate static let printsWithoutAnImage = survey(
    "prints-without-an-image",
    "Which prints have no image in a color in which the plain part has one?",
    """
    WITH
      bare AS MATERIALIZED (SELECT part_num, color_id FROM inventory_parts WHERE img_url IS NULL),
      prints AS MATERIALIZED (
        SELECT DISTINCT part_num, color_id, parent_part_num
        FROM bare JOIN part_relationships ON child_part_num = part_num
        WHERE rel_type = 'P'
      )
    SELECT * FROM (
      SELECT part_num, color_id, parent_part_num, (
          SELECT min(img_url) FROM inventory_parts AS plain
          WHERE plain.part_num = parent_part_num AND plain.color_id = prints.color_id
        ) AS img_url
      FROM prints)
    WHERE img_url IS NOT NULL
    ORDER BY part_num, color_id, parent_part_num
    """)

  /// The images of parts in a color, if its inventories meet a condition.
  ///
  /// The plus signs keep SQLite from reading the table in the order of an index, row by row.
  private static func images(having condition: SQL) -> SQL {
    """
    SELECT part_num, color_id, img_url, count(DISTINCT set_num) AS num_sets
    FROM inventory_parts JOIN inventories ON inventories.id = inventory_id
    WHERE (part_num, color_id) IN (
      SELECT part_num, color_id FROM inventory_parts
      GROUP BY +part_num, +color_id HAVING \(sql: condition))
    GROUP BY part_num, color_id, img_url
    """
  }

  fileprivate static let partsWithSeveralImages = survey(
    "parts-with-several-images", "Which parts have several images in one color?",
    images(having: "min(img_url) <> max(img_url)"))

  fileprivate static let partsWithAndWithoutAnImage = survey(
    "parts-with-and-without-an-image", "Which parts have an image in only some inventories?",
    images(having: "count(img_url) BETWEEN 1 AND count(*) - 1"))

  fileprivate static let imagesOfSeveralParts = survey(
    "images-of-several-parts", "Which images show several parts?",
    """
    SELECT img_url, part_num, count(DISTINCT color_id) AS num_colors, count(DISTINCT set_num) AS num_sets
    FROM inventory_parts JOIN inventories ON inventories.id = inventory_id
    WHERE img_url IN (
      SELECT img_url FROM inventory_parts GROUP BY img_url HAVING min(part_num) <> max(part_num))
    GROUP BY img_url, part_num
    """)

  fileprivate static let imagesOfSeveralPartsOrColors = survey(
    "images-of-several-parts-or-colors",
    "Which images show several parts, or one in several colors?",
    """
    SELECT img_url, part_num, color_id, count(DISTINCT set_num) AS num_sets
    FROM inventory_parts JOIN inventories ON inventories.id = inventory_id
    WHERE img_url IN (
      SELECT img_url FROM inventory_parts
      GROUP BY img_url HAVING min(part_num) <> max(part_num) OR min(color_id) <> max(color_id))
    GROUP BY img_url, part_num, color_id
    """)

  fileprivate static let imagesOfSeveralColors = survey(
    "images-of-several-colors", "Which images show one part in several colors?",
    """
    WITH uses AS MATERIALIZED (
      SELECT img_url, part_num, color_id, count(DISTINCT set_num) AS num_sets
      FROM inventory_parts JOIN inventories ON inventories.id = inventory_id
      WHERE img_url IS NOT NULL
      GROUP BY img_url, part_num, color_id
    )
    SELECT img_url, part_num, one.color_id, one.num_sets, two.color_id AS other_id, two.num_sets
    FROM uses AS one JOIN uses AS two USING (img_url, part_num)
    WHERE one.color_id < two.color_id
    """)

  // SQLite sorts by one number in two thirds of the time that it needs for two.
  fileprivate static let colorsByYear = survey(
    "colors-by-year", "How many pieces of each color did the sets of each year have?",
    """
    SELECT year, color_id, sum(quantity) AS pieces
    FROM where_used JOIN sets USING (set_num)
    WHERE NOT is_spare AND NOT is_sub_set
    GROUP BY year * 100000 + color_id
    """)
}
