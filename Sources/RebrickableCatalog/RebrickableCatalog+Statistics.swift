import SQLiteSwiftly
public import Schema

extension RebrickableCatalog {
  /// The latest inventory of each set and minifig.
  ///
  /// With the index of `id`, a query can check whether an inventory is the latest.
  public static let latestInventories = DerivedTableDescription(
    TableDescription(
      "latest_inventories",
      columns: [
        setOrMinifigColumn,
        ColumnDescription("id", .integer, meaning: "Its latest inventory.", example: 18221),
        ColumnDescription(
          "version", .integer, meaning: "The version of that inventory.", example: 2),
      ],
      primaryKey: ["set_num"],
      foreignKeys: [
        ForeignKeyDescription("set_num", references: "set_nums", "set_num"),
        ForeignKeyDescription("id", references: "inventories", "id"),
      ],
      indexes: [["id"]],
      meaning: "The latest inventory of each set and minifig that has one."),
    // Versions are unique per set, so a set with several inventories has one above the lowest version. Only these few
    // sets are grouped.
    filledBy: """
      SELECT set_num, id, version
      FROM inventories LEFT JOIN (
        SELECT set_num, max(version) AS latest FROM inventories
        WHERE version > (SELECT min(version) FROM inventories) GROUP BY set_num
      ) AS later USING (set_num)
      WHERE version = coalesce(latest, version)
      ORDER BY set_num
      """)

  /// All inventories of a set, with quantities: its own and its minifigs', each in the latest version.
  ///
  /// Those of sets inside it, at any depth, and of their minifigs are marked with `is_sub_set`.
  ///
  /// `CROSS JOIN` fixes the join order, so that rows come in key order although SQLite has no statistics yet.
  ///
  /// `quantity` is NULL if it exceeds 2^53. A set inside itself is not followed again. The index covers queries from a
  /// part to its sets.
  public static let setInventories = DerivedTableDescription(
    TableDescription(
      "set_inventories",
      columns: [
        setColumn,
        ColumnDescription(
          "inventory_id", .integer,
          meaning: "An inventory in the set: its own, a minifig's or a sub-set's.", example: 18221),
        ColumnDescription(
          "is_sub_set", .boolean, meaning: "1 if it is in a set inside the set, else 0.", example: 0
        ),
        ColumnDescription(
          "is_minifig", .boolean, meaning: "1 for a minifig's inventory, else 0.", example: 0),
        ColumnDescription(
          "quantity", .integer, isNullable: true,
          meaning: "How often the set has that inventory; NULL if it exceeds 2^53.", example: 1),
      ],
      primaryKey: ["set_num", "inventory_id", "is_sub_set"],
      foreignKeys: [setKey, inventoryKey],
      indexes: [["inventory_id", "is_sub_set", "quantity"]],
      meaning: """
        All inventories of a set, each in its latest version: its own, its minifigs', and those \
        of sets inside it at any depth.
        """),
    filledBy: """
      WITH RECURSIVE
        inside (set_num, inner_num, quantity, path) AS (
          SELECT latest.set_num, held.set_num, CAST(held.quantity AS DOUBLE PRECISION),
            '\n' || latest.set_num || '\n' || held.set_num || '\n'
          FROM inventory_sets AS held CROSS JOIN inventories CROSS JOIN latest_inventories AS latest
            CROSS JOIN sets
          WHERE inventories.id = held.inventory_id AND latest.set_num = inventories.set_num
            AND latest.id = inventories.id AND sets.set_num = latest.set_num
            AND held.set_num <> latest.set_num
          UNION ALL
          SELECT inside.set_num, held.set_num, inside.quantity * held.quantity,
            path || held.set_num || '\n'
          FROM inside CROSS JOIN latest_inventories AS latest CROSS JOIN inventory_sets AS held
          WHERE latest.set_num = inside.inner_num AND held.inventory_id = latest.id
            AND instr(path, '\n' || held.set_num || '\n') = 0
        ),
        sub_sets (set_num, inventory_id, quantity) AS MATERIALIZED (
          SELECT inside.set_num, latest.id, quantity
          FROM inside CROSS JOIN latest_inventories AS latest
          WHERE latest.set_num = inside.inner_num
        )
      SELECT latest.set_num, id, false, false, 1
      FROM latest_inventories AS latest CROSS JOIN sets
      WHERE sets.set_num = latest.set_num
      UNION ALL
      SELECT latest.set_num, minifig.id, false, true, quantity
      FROM latest_inventories AS latest CROSS JOIN inventory_minifigs
        CROSS JOIN latest_inventories AS minifig CROSS JOIN sets
      WHERE inventory_id = latest.id AND minifig.set_num = fig_num AND sets.set_num = latest.set_num
      UNION ALL
      SELECT set_num, inventory_id, true, max(by_minifig) = 1,
        CASE WHEN sum(quantity) <= 9007199254740992 THEN CAST(sum(quantity) AS BIGINT) END
      FROM (
        SELECT set_num, inventory_id, 0 AS by_minifig, quantity FROM sub_sets
        UNION ALL
        SELECT sub_sets.set_num, minifig.id, 1, sub_sets.quantity * inventory_minifigs.quantity
        FROM sub_sets CROSS JOIN inventory_minifigs CROSS JOIN latest_inventories AS minifig
        WHERE inventory_minifigs.inventory_id = sub_sets.inventory_id AND minifig.set_num = fig_num
      ) AS ways
      GROUP BY set_num, inventory_id
      ORDER BY 1, 2, 3
      """)

  /// The statistics of parts, colors and sets.
  ///
  /// A set has the parts of its latest inventory and of its minifigs, multiplied by their quantity. Sets inside it
  /// count separately. Spare parts have their own sum; sets that have a part only as a spare do not count. A sum is
  /// NULL if it exceeds 64 bits.
  static let statistics = AggregateDescription(
    of: "inventory_parts",
    index: ["part_num", "color_id", "inventory_id", "is_spare", "quantity"],
    uses: """
      SELECT inventory_id, set_num, year, quantity FROM set_inventories JOIN sets USING (set_num)
      WHERE NOT is_sub_set ORDER BY set_num
      """,
    pairs: TableDescription(
      "part_color_stats",
      columns: [partColumn, colorColumn] + measures,
      primaryKey: ["part_num", "color_id"], foreignKeys: [partKey, colorKey],
      meaning: """
        Use of each part in each color, from latest inventories; parts without use have no row.
        """),
    first: TableDescription(
      "part_stats",
      columns: [
        partColumn,
        ColumnDescription(
          "num_colors", .integer, meaning: "Number of colors used in sets, except for spares only.",
          example: 49),
      ] + measures,
      primaryKey: ["part_num"], foreignKeys: [partKey], isWithoutRowid: true,
      meaning: """
        Use of each part in any color, from latest inventories; parts without use have no row.
        """),
    second: TableDescription(
      "color_stats",
      columns: [
        ColumnDescription("color_id", .integer, meaning: "The color.", example: 4),
        ColumnDescription(
          "num_unique_parts", .integer,
          meaning: "Number of different parts in this color, except spares only.", example: 4001),
      ] + measures,
      primaryKey: ["color_id"], foreignKeys: [colorKey],
      meaning: "Use of each color, from latest inventories; colors without use have no row."),
    users: TableDescription(
      "set_stats",
      columns: [
        setColumn,
        ColumnDescription(
          "num_lots", .integer,
          meaning: """
            Number of lots: different parts and colors, including minifigs, except spares only.
            """, example: 180),
        ColumnDescription(
          "num_parts", .integer, isNullable: true,
          meaning: """
            Number of pieces in its inventories, including minifigs, without spares and sets \
            inside it; NULL if it exceeds 64 bits.
            """, example: 1344),
        ColumnDescription(
          "num_spares", .integer, isNullable: true,
          meaning: "Number of spare pieces; NULL if it exceeds 64 bits.", example: 8),
      ],
      primaryKey: ["set_num"],
      foreignKeys: [setKey],
      isWithoutRowid: true,
      meaning: """
        The size of each set, from its latest inventory and its minifigs'; sets without parts \
        have no row.
        """),
    derivedTables: [themeStatistics])

  /// The statistics of themes: of their own sets, and, with the prefix `total_`, including all themes below.
  private static let themeStatistics = DerivedTableDescription(
    TableDescription(
      "theme_stats",
      columns: [ColumnDescription("theme_id", .integer, meaning: "The theme.", example: 1)]
        + themeMeasures("", of: "the theme itself")
        + themeMeasures("total_", of: "the theme and all themes below it"),
      primaryKey: ["theme_id"],
      foreignKeys: [ForeignKeyDescription("theme_id", references: "themes", "id")],
      meaning: "Number, years and size of each theme's sets."),
    filledBy: """
      WITH RECURSIVE
        below (theme_id, inner_id) AS (
          SELECT id, id FROM themes
          UNION
          SELECT below.theme_id, themes.id FROM below JOIN themes ON themes.parent_id = below.inner_id
        ),
        own (theme_id, num_sets, min_year, max_year, num_parts, num_spares) AS MATERIALIZED (
          SELECT theme_id, count(*), min(year), max(year),
            sum(CAST(set_stats.num_parts AS DOUBLE PRECISION)),
            sum(CAST(set_stats.num_spares AS DOUBLE PRECISION))
          FROM sets LEFT JOIN set_stats USING (set_num) GROUP BY theme_id
        ),
        all_below (theme_id, num_sets, min_year, max_year, num_parts, num_spares) AS MATERIALIZED (
          SELECT below.theme_id, sum(num_sets), min(min_year), max(max_year), sum(num_parts),
            sum(num_spares)
          FROM below JOIN own ON own.theme_id = below.inner_id GROUP BY below.theme_id
        )
      SELECT id,
        coalesce(own.num_sets, 0), own.min_year, own.max_year,
        CASE WHEN coalesce(own.num_parts, 0) <= 9007199254740992 THEN CAST(coalesce(own.num_parts, 0) AS BIGINT) END,
        CASE WHEN coalesce(own.num_spares, 0) <= 9007199254740992 THEN CAST(coalesce(own.num_spares, 0) AS BIGINT) END,
        coalesce(whole.num_sets, 0), whole.min_year, whole.max_year,
        CASE WHEN coalesce(whole.num_parts, 0) <= 9007199254740992 THEN CAST(coalesce(whole.num_parts, 0) AS BIGINT) END,
        CASE WHEN coalesce(whole.num_spares, 0) <= 9007199254740992 THEN CAST(coalesce(whole.num_spares, 0) AS BIGINT) END
      FROM themes LEFT JOIN own ON own.theme_id = themes.id
        LEFT JOIN all_below AS whole ON whole.theme_id = themes.id
      ORDER BY id
      """)

  private static let measures = [
    ColumnDescription(
      "num_sets", .integer, meaning: "Number of sets with it, except as a spare only.", example: 779
    ),
    ColumnDescription(
      "min_year", .integer, isNullable: true,
      meaning: "The year of the first of these sets; NULL without sets.", example: 1979),
    ColumnDescription(
      "max_year", .integer, isNullable: true,
      meaning: "The year of the last of these sets; NULL without sets.", example: 2020),
    ColumnDescription(
      "num_parts", .integer, isNullable: true,
      meaning: "Number of pieces in all sets, without spares; NULL if it exceeds 64 bits.",
      example: 5167),
    ColumnDescription(
      "num_spares", .integer, isNullable: true,
      meaning: "Number of spare pieces in all sets; NULL if it exceeds 64 bits.", example: 9),
  ]

  private static func themeMeasures(_ prefix: String, of sets: String) -> [ColumnDescription] {
    [
      ColumnDescription(
        prefix + "num_sets", .integer, meaning: "Number of sets of \(sets).", example: 167),
      ColumnDescription(
        prefix + "min_year", .integer, isNullable: true,
        meaning: "The year of the first set of \(sets); NULL without sets.", example: 1965),
      ColumnDescription(
        prefix + "max_year", .integer, isNullable: true,
        meaning: "The year of the last set of \(sets); NULL without sets.", example: 2020),
      ColumnDescription(
        prefix + "num_parts", .integer, isNullable: true,
        meaning: """
          Number of pieces in sets of \(sets), without spares; NULL if it exceeds 2^53.
          """, example: 47676),
      ColumnDescription(
        prefix + "num_spares", .integer, isNullable: true,
        meaning: "Number of spare pieces in sets of \(sets); NULL if it exceeds 2^53.", example: 678
      ),
    ]
  }
}
