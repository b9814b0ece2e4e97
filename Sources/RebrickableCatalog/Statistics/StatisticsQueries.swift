import SQLiteSwiftly
import Schema

/// The queries for the statistics of parts, colors and sets, in the SQL that SQLite and PostgreSQL share.
///
/// Sums are exact up to 64 bits. A number of pieces that is NULL exceeds them, and so does each sum of it.
enum StatisticsQueries {
  /// The inventories of each set, its own and its minifigs', with their quantities: in the latest version, for which
  /// `version` is NULL, and in older ones.
  static let setContents: StatisticsDescription.Shared = (
    "set_contents",
    """
    SELECT inventory_id, set_num, year, quantity, NULL AS version
    FROM set_inventories JOIN sets USING (set_num) WHERE NOT is_sub_set
    UNION ALL
    SELECT inventory_id, set_num, year, quantity, version
    FROM older_set_inventories JOIN sets USING (set_num)
    """
  )

  /// The pieces of each part and color in each version of a set.
  private static let versionParts: StatisticsDescription.Shared = (
    "version_parts",
    SQL(
      generated: """
        SELECT part_num, color_id, is_spare, set_num, year, version,
          CASE WHEN count(*) = 1 THEN max(pieces) ELSE \(sum(of: "pieces")) END AS num_pieces
        FROM (
          SELECT part_num, color_id, is_spare, set_num, year, version,
            CASE WHEN set_contents.quantity = 0 THEN 0
              WHEN inventory_parts.quantity <= 9223372036854775807 / set_contents.quantity
              THEN CAST(inventory_parts.quantity AS BIGINT) * set_contents.quantity
            END AS pieces
          FROM set_contents JOIN inventory_parts USING (inventory_id)
        ) AS inventory
        GROUP BY part_num, color_id, is_spare, set_num, year, version
        """)
  )

  /// The pieces of each part and color in each set: in its latest version, and the most in any version.
  ///
  /// Nearly all sets have one version, whose rows are both.
  private static let partColorSets: StatisticsDescription.Shared = (
    "part_color_sets",
    """
    SELECT part_num, color_id, is_spare, set_num, year, num_pieces, 1 AS is_latest,
      CASE WHEN set_num IN (SELECT set_num FROM older_set_inventories) THEN 0 ELSE 1 END AS is_ever
    FROM version_parts WHERE version IS NULL
    UNION ALL
    SELECT part_num, color_id, is_spare, set_num, year,
      CASE WHEN count(num_pieces) = count(*) THEN max(num_pieces) END, 0, 1
    FROM version_parts WHERE set_num IN (SELECT set_num FROM older_set_inventories)
    GROUP BY part_num, color_id, is_spare, set_num, year
    """
  )

  /// The rows of `part_color_stats`.
  private static let partColors: StatisticsDescription.Shared = (
    "part_colors",
    SQL(
      generated: """
        SELECT part_num, color_id,
          \(measures("", of: "is_latest = 1")), \(measures("ever_", of: "is_ever = 1"))
        FROM part_color_sets GROUP BY part_num, color_id
        """)
  )

  static let shared = [setContents, versionParts, partColorSets, partColors]

  static let ofPartColors: SQL = "SELECT * FROM part_colors ORDER BY part_num, color_id"

  static let ofParts = totals(by: "part_num", counting: "num_colors")

  static let ofColors = totals(by: "color_id", counting: "num_unique_parts")

  static let ofSets = SQL(
    generated: """
      SELECT set_num, coalesce(num_lots, 0),
        CASE WHEN num_lots IS NULL THEN 0 ELSE num_parts END,
        CASE WHEN num_lots IS NULL THEN 0 ELSE num_spares END
      FROM (SELECT DISTINCT set_num FROM set_contents) AS named
      LEFT JOIN (
        SELECT set_num, count(*) FILTER (WHERE NOT is_spare) AS num_lots,
          \(sum(of: "num_pieces", where: "NOT is_spare")) AS num_parts,
          \(sum(of: "num_pieces", where: "is_spare")) AS num_spares
        FROM part_color_sets WHERE is_latest = 1 GROUP BY set_num
      ) AS measured USING (set_num)
      ORDER BY set_num
      """)

  /// The exact sum of numbers that are not negative; NULL if it exceeds 64 bits or one of them is NULL.
  ///
  /// SQLite fails if a sum of integers exceeds 64 bits, so the upper and lower 32 bits are summed separately.
  private static func sum(of number: String, where condition: String? = nil) -> String {
    let filter = condition.map { " FILTER (WHERE \($0))" } ?? ""
    func sum(_ half: String) -> String { "CAST(coalesce(sum(\(half))\(filter), 0) AS BIGINT)" }
    let upper = sum("coalesce(\(number) / 4294967296, 2147483648)")
    let lower = sum("\(number) % 4294967296")
    return """
      CASE WHEN \(upper) + \(lower) / 4294967296 < 2147483648
        THEN \(upper) * 4294967296 + \(lower) END
      """
  }

  /// The measures of a part and color over sets, each of which has one row for parts and one for spares.
  private static func measures(_ prefix: String, of versions: String) -> String {
    let used = "\(versions) AND NOT is_spare"
    return """
      count(*) FILTER (WHERE \(used)) AS \(prefix)num_sets,
      min(year) FILTER (WHERE \(used)) AS \(prefix)min_year,
      max(year) FILTER (WHERE \(used)) AS \(prefix)max_year,
      \(sum(of: "num_pieces", where: used)) AS \(prefix)num_parts,
      \(sum(of: "num_pieces", where: "\(versions) AND is_spare")) AS \(prefix)num_spares
      """
  }

  /// The measures of parts in all colors, or of colors in all parts, with the number of its colors or parts.
  private static func totals(by key: String, counting members: String) -> SQL {
    func columns(_ prefix: String) -> String {
      """
      \(prefix)\(members), coalesce(\(prefix)num_sets, 0), \(prefix)min_year, \(prefix)max_year,
      \(prefix)num_parts, \(prefix)num_spares
      """
    }
    func measures(_ prefix: String) -> String {
      """
      count(*) FILTER (WHERE \(prefix)num_sets > 0) AS \(prefix)\(members),
      min(\(prefix)min_year) AS \(prefix)min_year, max(\(prefix)max_year) AS \(prefix)max_year,
      \(sum(of: prefix + "num_parts")) AS \(prefix)num_parts,
      \(sum(of: prefix + "num_spares")) AS \(prefix)num_spares
      """
    }
    return SQL(
      generated: """
        SELECT \(key), \(columns("")), \(columns("ever_"))
        FROM (
          SELECT \(key), \(measures("")), \(measures("ever_")) FROM part_colors GROUP BY \(key)
        ) AS measured
        LEFT JOIN (
          SELECT \(key), sum(is_latest) AS num_sets, sum(is_ever) AS ever_num_sets
          FROM (
            SELECT DISTINCT \(key), set_num, is_latest, is_ever FROM part_color_sets
            WHERE NOT is_spare
          ) AS used
          GROUP BY \(key)
        ) AS counted USING (\(key))
        ORDER BY \(key)
        """)
  }
}
