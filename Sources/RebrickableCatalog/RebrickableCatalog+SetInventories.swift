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
        isSubSet,
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

  /// The older inventories of sets, with their minifigs'.
  ///
  /// Few sets have any; they are found through the latest versions above the lowest.
  public static let olderSetInventories = DerivedTableDescription(
    TableDescription(
      "older_set_inventories",
      columns: [
        setColumn,
        ColumnDescription(
          "version", .integer,
          meaning: "The version of the set's inventory, older than the latest.",
          example: 1),
        ColumnDescription(
          "inventory_id", .integer,
          meaning: "An inventory in that version: the set's own, or a minifig's latest.",
          example: 7371),
        ColumnDescription(
          "is_minifig", .boolean, meaning: "1 for a minifig's inventory, else 0.", example: 0),
        ColumnDescription(
          "quantity", .integer, meaning: "How often that version has that inventory.", example: 1),
      ],
      primaryKey: ["set_num", "version", "inventory_id"],
      foreignKeys: [setKey, inventoryKey],
      indexes: [["inventory_id"]],
      meaning: """
        The inventories of each version of a set before the latest: its own and its minifigs', \
        without sets inside it.
        """),
    filledBy: """
      WITH changed (set_num, version) AS MATERIALIZED (
        SELECT set_num, version FROM latest_inventories
        WHERE version > (SELECT min(version) FROM inventories)
      ), older (set_num, version, id) AS MATERIALIZED (
        SELECT older.set_num, older.version, older.id
        FROM inventories AS older CROSS JOIN changed CROSS JOIN sets
        WHERE changed.set_num = older.set_num AND older.version < changed.version
          AND sets.set_num = older.set_num
      )
      SELECT set_num, version, id, false, 1 FROM older
      UNION ALL
      SELECT older.set_num, older.version, minifig.id, true, quantity
      FROM older CROSS JOIN inventory_minifigs AS held CROSS JOIN latest_inventories AS minifig
      WHERE held.inventory_id = older.id AND minifig.set_num = fig_num
      ORDER BY 1, 2, 3
      """)
}
