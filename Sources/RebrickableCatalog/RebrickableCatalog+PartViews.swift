import SQLiteSwiftly
import Schema

extension RebrickableCatalog {
  /// A summary of each part, with the column names of other loaders.
  ///
  /// The picture shows the color that most sets use, from the first inventory.
  static let partInfo = ViewDescription(
    "part_info",
    """
    SELECT parts.part_num, coalesce(stats.num_sets, 0) AS num_sets,
      CASE WHEN stats.part_num IS NULL THEN 0 ELSE stats.num_parts END AS num_set_parts,
      stats.max_year AS year_to, stats.min_year AS year_from,
      'https://rebrickable.com/parts/' || parts.part_num AS part_url,
      (
        SELECT img_url FROM inventory_parts AS piece
        WHERE piece.part_num = parts.part_num AND piece.color_id = (
          SELECT color_id FROM part_color_stats AS one WHERE one.part_num = parts.part_num
          ORDER BY num_sets DESC, color_id LIMIT 1)
        ORDER BY inventory_id, is_spare LIMIT 1
      ) AS part_img_url,
      parts.name, part_categories.name AS category
    FROM parts
      JOIN part_categories ON part_categories.id = parts.part_cat_id
      LEFT JOIN part_stats AS stats ON stats.part_num = parts.part_num
    """,
    columns: [partColumn] + partMeasures + [
      ColumnDescription("name", .text, meaning: "The part's name.", example: "Brick 2 x 4"),
      ColumnDescription("category", .text, meaning: "The name of its category.", example: "Bricks"),
    ],
    meaning: """
      All parts with name, category, picture, and use in the latest versions of sets; part_stats \
      also has that in all versions.
      """)

  /// A summary of each part in each color that any version of a set uses.
  static let partColorInfo = ViewDescription(
    "part_color_info",
    """
    SELECT stats.part_num, stats.color_id, stats.num_sets, stats.num_parts AS num_set_parts,
      stats.max_year AS year_to, stats.min_year AS year_from,
      'https://rebrickable.com/parts/' || stats.part_num AS part_url,
      (
        SELECT img_url FROM inventory_parts AS piece
        WHERE piece.part_num = stats.part_num AND piece.color_id = stats.color_id
        ORDER BY inventory_id, is_spare LIMIT 1
      ) AS part_img_url,
      parts.name, colors.name AS color_name
    FROM part_color_stats AS stats
      JOIN parts ON parts.part_num = stats.part_num
      JOIN colors ON colors.id = stats.color_id
    """,
    columns: [partColumn, colorColumn] + partMeasures + [
      ColumnDescription("name", .text, meaning: "The part's name.", example: "Brick 2 x 4"),
      ColumnDescription("color_name", .text, meaning: "The color's name.", example: "Red"),
    ],
    meaning: """
      All parts in each color that any version of a set has, with picture and use in the latest \
      versions; part_color_stats also has that in all versions.
      """)

  /// A summary of each color; `colors` and `color_stats` have columns of the same names.
  static let colorInfo = ViewDescription(
    "color_info",
    """
    SELECT colors.id AS color_id, coalesce(stats.num_sets, 0) AS num_sets,
      CASE WHEN stats.color_id IS NULL THEN 0 ELSE stats.num_parts END AS num_set_parts,
      stats.max_year AS year_to, stats.min_year AS year_from, colors.name, colors.rgb, colors.is_trans
    FROM colors LEFT JOIN color_stats AS stats ON stats.color_id = colors.id
    """,
    columns: [colorColumn] + partMeasures.prefix(4) + colors.columns[1...3],
    meaning: """
      All colors with name and use in the latest versions of sets; color_stats also has that in \
      all versions.
      """)

  /// Indirect relations between parts.
  ///
  /// Each pair has its shortest chain; of several, the one whose parts, from the parent down, come first in byte order.
  ///
  /// Chains end after 100 steps, so circular relations end, too.
  static let relationChains = DerivedTableDescription(
    TableDescription(
      "part_relation_chains", columns: relationColumns,
      primaryKey: ["rel_type", "child_part_num", "parent_part_num"],
      foreignKeys: relationKeys,
      indexes: [["child_part_num"], ["parent_part_num"]],
      meaning: "Pairs of parts that are related only through other parts."),
    filledBy: """
      WITH RECURSIVE
        relation (rel_type, child_part_num, parent_part_num) AS NOT MATERIALIZED (
          SELECT rel_type, child_part_num, parent_part_num FROM part_relationships
          WHERE child_part_num <> parent_part_num
        ),
        reach (rel_type, child_part_num, via, parent_part_num, depth) AS (
          SELECT lower.rel_type, lower.child_part_num, upper.child_part_num, upper.parent_part_num, 2
          FROM relation AS lower JOIN relation AS upper
            ON upper.rel_type = lower.rel_type AND upper.child_part_num = lower.parent_part_num
          WHERE upper.parent_part_num <> lower.child_part_num AND NOT EXISTS (
            SELECT 1 FROM part_relationships AS direct
            WHERE direct.rel_type = lower.rel_type AND direct.child_part_num = lower.child_part_num
              AND direct.parent_part_num = upper.parent_part_num)
          UNION
          SELECT reach.rel_type, reach.child_part_num, upper.child_part_num, upper.parent_part_num,
            reach.depth + 1
          FROM reach JOIN relation AS upper
            ON upper.rel_type = reach.rel_type AND upper.child_part_num = reach.parent_part_num
          WHERE reach.depth < 100 AND upper.parent_part_num NOT IN (reach.child_part_num, reach.via)
            AND NOT EXISTS (
              SELECT 1 FROM part_relationships AS direct
              WHERE direct.rel_type = reach.rel_type AND direct.child_part_num = reach.child_part_num
                AND direct.parent_part_num = upper.parent_part_num)
        ),
        shortest (rel_type, child_part_num, via, parent_part_num, depth) AS MATERIALIZED (
          SELECT rel_type, child_part_num, via, parent_part_num, depth
          FROM (
            SELECT *, row_number() OVER (
              PARTITION BY rel_type, child_part_num, parent_part_num ORDER BY depth, via) AS place
            FROM reach) AS ways
          WHERE place = 1
        ),
        chains (rel_type, child_part_num, parent_part_num, depth, chain) AS (
          SELECT rel_type, child_part_num, parent_part_num, depth,
            child_part_num || ' > ' || via || ' > ' || parent_part_num
          FROM shortest WHERE depth = 2
          UNION ALL
          SELECT last.rel_type, last.child_part_num, last.parent_part_num, last.depth,
            chains.chain || ' > ' || last.parent_part_num
          FROM chains JOIN shortest AS last
            ON last.rel_type = chains.rel_type AND last.child_part_num = chains.child_part_num
              AND last.via = chains.parent_part_num AND last.depth = chains.depth + 1
        )
      SELECT * FROM chains ORDER BY 1, 2, 3
      """)

  static let resolvedRelations = ViewDescription(
    "part_relations_resolved",
    """
    SELECT rel_type, child_part_num, parent_part_num, 1 AS depth,
      child_part_num || ' > ' || parent_part_num AS chain
    FROM part_relationships WHERE child_part_num <> parent_part_num
    UNION ALL
    SELECT rel_type, child_part_num, parent_part_num, depth, chain FROM part_relation_chains
    """,
    columns: relationColumns,
    meaning: """
      All pairs of related parts, direct or through others by the same kind of relation. Filter \
      by child for its ancestors, by parent for its descendants.
      """)

  /// The canonical part for each part.
  ///
  /// Follows parents to the last one. Prints come before patterns, molds and alternates; of several parents, the first
  /// in byte order counts. In a circle, the canonical part is the first in byte order; 100 steps reach any circle.
  static let canonicalParts = ViewDescription(
    "canonical_parts",
    """
    SELECT part_num, (
        WITH RECURSIVE
          walk (part_num, step) AS (
            SELECT parts.part_num, 0
            UNION ALL
            SELECT (
                SELECT parent_part_num FROM part_relationships
                WHERE child_part_num = walk.part_num AND parent_part_num <> child_part_num
                  AND rel_type IN ('P', 'T', 'M', 'A')
                ORDER BY instr('PTMA', rel_type), parent_part_num LIMIT 1),
              step + 1
            FROM walk WHERE walk.part_num IS NOT NULL AND step < 100
          ),
          circle (part_num) AS (
            SELECT * FROM (
              SELECT part_num FROM walk WHERE part_num IS NOT NULL ORDER BY step DESC LIMIT 1) AS last_step
            UNION
            SELECT (
              SELECT parent_part_num FROM part_relationships
              WHERE child_part_num = circle.part_num AND parent_part_num <> child_part_num
                AND rel_type IN ('P', 'T', 'M', 'A')
              ORDER BY instr('PTMA', rel_type), parent_part_num LIMIT 1)
            FROM circle WHERE circle.part_num IS NOT NULL
          )
        SELECT min(part_num) FROM circle
      ) AS canonical_part_num
    FROM parts
    """,
    columns: [
      partColumn,
      ColumnDescription(
        "canonical_part_num", .text,
        meaning: "Its canonical part; the part itself if it has no parent.", example: "3001"),
    ],
    meaning: """
      All parts, each with its canonical part: the last parent through prints, patterns, molds \
      and alternates.
      """)

  private static let partMeasures = [
    ColumnDescription(
      "num_sets", .integer,
      meaning: "Number of sets with it in their latest version, except as a spare only.",
      example: 120
    ),
    ColumnDescription(
      "num_set_parts", .integer, isNullable: true,
      meaning: "Number of pieces in all sets, without spares; NULL if it exceeds 64 bits.",
      example: 1200),
    ColumnDescription(
      "year_to", .integer, isNullable: true,
      meaning: "The year of the last of these sets; NULL without sets.", example: 2025),
    ColumnDescription(
      "year_from", .integer, isNullable: true,
      meaning: "The year of the first of these sets; NULL without sets.", example: 1958),
    ColumnDescription(
      "part_url", .text, meaning: "Its page on Rebrickable.",
      example: "https://rebrickable.com/parts/3001"),
    ColumnDescription(
      "part_img_url", .text, isNullable: true, meaning: "URL of a picture; NULL if there is none."),
  ]

  private static let relationColumns = [
    ColumnDescription(
      "rel_type", .text, meaning: "The kind of relation, as in part_relationships.", example: "P"),
    ColumnDescription(
      "child_part_num", .text, meaning: "The child, such as the print.", example: "3001pr0001"),
    ColumnDescription("parent_part_num", .text, meaning: "The parent.", example: "3001"),
    ColumnDescription(
      "depth", .integer, meaning: "Number of relations between the two.", example: 1),
    ColumnDescription(
      "chain", .text, meaning: "The parts from child to parent.", example: "3001pr0001 > 3001"),
  ]
}
