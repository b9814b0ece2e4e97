import SQLiteSwiftly
import Schema

extension RebrickableCatalog {
  /// The statistics of parts, colors and sets.
  ///
  /// A set has the parts of its latest inventory and of its minifigs, multiplied by their quantity. Sets inside it
  /// count separately. Spare parts have their own sum; sets that have a part only as a spare do not count. A sum is
  /// NULL if it exceeds 64 bits.
  ///
  /// Columns with the prefix `ever_` count all versions of a set, as rb.db does: a set has the largest quantity of a part
  /// in a color that any of its versions has. A size of all versions would be that of no box, so sets have none.
  static let statistics = StatisticsDescription(
    of: inventoryParts, index: inventoryParts.indexes[0], orderedColumns: 2,
    sharing: StatisticsQueries.shared,
    tables: [
      DerivedTableDescription(partColorStatistics, filledBy: StatisticsQueries.ofPartColors),
      DerivedTableDescription(partStatistics, filledBy: StatisticsQueries.ofParts),
      DerivedTableDescription(colorStatistics, filledBy: StatisticsQueries.ofColors),
      DerivedTableDescription(setStatistics, filledBy: StatisticsQueries.ofSets),
    ],
    derivedTables: [themeStatistics], reading: SetContents.query
  ) { contents, forEach in
    var statistics = CatalogStatistics(SetContents(contents))
    forEach { entries in statistics.add(entries) }
    return statistics.result()
  }

  private static let partColorStatistics = TableDescription(
    "part_color_stats",
    columns: [partColumn, colorColumn] + measures(),
    primaryKey: ["part_num", "color_id"], foreignKeys: [partKey, colorKey],
    meaning: meaning(of: "part in each color", without: "Parts"))

  private static let partStatistics = TableDescription(
    "part_stats",
    columns: [partColumn]
      + measures {
        ColumnDescription(
          $0 + "num_colors", .integer,
          meaning: "Number of colors that sets use in \($1), except for spares only.", example: 49
        )
      },
    primaryKey: ["part_num"], foreignKeys: [partKey], isWithoutRowid: true,
    meaning: meaning(of: "part in any color", without: "Parts"))

  private static let colorStatistics = TableDescription(
    "color_stats",
    columns: [ColumnDescription("color_id", .integer, meaning: "The color.", example: 4)]
      + measures {
        ColumnDescription(
          $0 + "num_unique_parts", .integer,
          meaning:
            "Number of different parts in this color that sets use in \($1), except spares only.",
          example: 4001)
      },
    primaryKey: ["color_id"], foreignKeys: [colorKey],
    meaning: meaning(of: "color", without: "Colors"))

  private static let setStatistics = TableDescription(
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
      The size of each set in its latest version, including minifigs, without sets inside it. Sets \
      without an inventory have no row; an inventory without parts, as of a book or a box of sets, has 0 \
      lots: leave it out of averages.
      """)

  /// The statistics of themes: of their own sets, and, with the prefix `total_`, including all themes below.
  private static let themeStatistics = DerivedTableDescription(
    TableDescription(
      "theme_stats",
      columns: [ColumnDescription("theme_id", .integer, meaning: "The theme.", example: 1)]
        + themeMeasures("", of: "the theme itself")
        + themeMeasures("total_", of: "the theme and all themes below it"),
      primaryKey: ["theme_id"],
      foreignKeys: [ForeignKeyDescription("theme_id", references: "themes", "id")],
      meaning: """
        Number, years and size of each theme's sets. Parts of minifigs count; sets inside a set count only \
        by themselves. `num_sets` includes sets without parts, such as books: for averages, use set_stats. \
        Themes without sets have 0 sets.
        """),
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

  private static func meaning(of group: String, without members: String) -> String {
    """
    Use of each \(group) in the latest versions of sets and, with the prefix `ever_`, in all versions: the largest \
    quantity that any version of a set has of a part in a color. Parts of minifigs count; sets inside a set count \
    only by themselves. \(members) that sets have only as spares or in older versions have 0 sets; those that are in \
    no version have no row.
    """
  }

  /// The measures of the latest versions, then those of all versions; `first` precedes both.
  private static func measures(
    _ first: (_ prefix: String, _ versions: String) -> ColumnDescription? = { _, _ in nil }
  ) -> [ColumnDescription] {
    [first("", "their latest version")].compactMap(\.self)
      + measures("", in: "their latest version", pieces: "all sets in their latest version")
      + [first("ever_", "any version")].compactMap(\.self)
      + measures("ever_", in: "any version", pieces: "all sets, the largest number of any version")
  }

  private static func measures(
    _ prefix: String, in versions: String, pieces: String
  ) -> [ColumnDescription] {
    [
      ColumnDescription(
        prefix + "num_sets", .integer,
        meaning: "Number of sets with it in \(versions), except as a spare only.", example: 779),
      ColumnDescription(
        prefix + "min_year", .integer, isNullable: true,
        meaning: "The year of the first of these sets; NULL without sets.", example: 1979),
      ColumnDescription(
        prefix + "max_year", .integer, isNullable: true,
        meaning: "The year of the last of these sets; NULL without sets.", example: 2020),
      ColumnDescription(
        prefix + "num_parts", .integer, isNullable: true,
        meaning: "Number of pieces in \(pieces), without spares; NULL if it exceeds 64 bits.",
        example: 5167),
      ColumnDescription(
        prefix + "num_spares", .integer, isNullable: true,
        meaning: "Number of spare pieces in \(pieces); NULL if it exceeds 64 bits.",
        example: 9),
    ]
  }

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
        meaning: "Number of pieces in sets of \(sets), without spares; NULL if it exceeds 2^53.",
        example: 47676),
      ColumnDescription(
        prefix + "num_spares", .integer, isNullable: true,
        meaning: "Number of spare pieces in sets of \(sets); NULL if it exceeds 2^53.", example: 678
      ),
    ]
  }
}
