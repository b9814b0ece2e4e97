public import SQLiteSwiftly

extension RebrickableCatalog {
  /// Sets.
  public static let sets = TableDescription(
    "sets",
    columns: [
      ColumnDescription(
        "set_num", .text, domain: .singleLine,
        meaning: """
          The set number on the box, with a dash and the variant. Text: it may have letters, \
          dots and leading zeros.
          """, example: "8880-1"),
      ColumnDescription(
        "name", .text, domain: .singleLine, meaning: "The set's name in English.",
        example: "Super Car"),
      ColumnDescription(
        "year", .integer, domain: years, meaning: "The year in which the set was first sold.",
        example: 1994),
      ColumnDescription("theme_id", .integer, meaning: "The set's theme.", example: 1),
      ColumnDescription(
        "num_parts", .integer, domain: .atLeast(-1),
        meaning: """
          Rebrickable's count of pieces, including minifigs, without spare pieces and sets \
          inside it; -1 (unknown) in old source files. It is 0 for books, gear, boxes of sets, and sets \
          not counted yet: 11% of all in 2020-06, 26% in 2025-04. Leave these out of averages.
          """, example: 1346),
      ColumnDescription(
        "img_url", .text, isNullable: true,
        meaning: "URL of a picture; NULL in older source files.", since: "2022-09",
        example: "https://cdn.rebrickable.com/media/sets/8880-1.jpg"),
    ],
    primaryKey: ["set_num"],
    foreignKeys: [ForeignKeyDescription("theme_id", references: "themes", "id")],
    indexes: [["theme_id"]],
    isWithoutRowid: false,
    meaning: """
      A set, or an item sold like one: gear, books, boxes of several sets. Its inventories list \
      the contents.
      """, since: "2017")

  /// Minifigs.
  public static let minifigs = TableDescription(
    "minifigs",
    columns: [
      ColumnDescription(
        "fig_num", .text, domain: .singleLine, meaning: "Rebrickable's ID of the minifig.",
        example: "fig-000001"),
      ColumnDescription(
        "name", .text, domain: .singleLine, meaning: "Name and clothing, in English.",
        example: "Toy Store Employee"),
      ColumnDescription(
        "num_parts", .integer, domain: .atLeast(0), meaning: "Number of pieces.", example: 4),
      ColumnDescription(
        "img_url", .text, isNullable: true,
        meaning: "URL of a picture; NULL in older source files.", since: "2022-09",
        example: "https://cdn.rebrickable.com/media/sets/fig-000001.jpg"),
    ],
    primaryKey: ["fig_num"],
    isWithoutRowid: false,
    meaning: "A minifig: a small figure of several parts. Sets contain it as a whole.",
    since: "2020-02")

  /// Inventories: each is a version of the contents of a set or minifig.
  public static let inventories = TableDescription(
    "inventories",
    columns: [
      ColumnDescription(
        "id", .integer, meaning: "Rebrickable's ID of the inventory.", example: 7371),
      ColumnDescription(
        "version", .integer, domain: .atLeast(0),
        meaning: """
          The version of the set's inventory; the highest is the latest. Numbers may not start \
          at 1 and may have gaps. Minifigs have only version 1.
          """, example: 1),
      ColumnDescription(
        "set_num", .text, meaning: "The set or minifig with these contents.", example: "8880-1"),
    ],
    primaryKey: ["id"],
    uniqueKeys: [["set_num", "version"]],
    foreignKeys: [ForeignKeyDescription("set_num", references: "set_nums", "set_num")],
    meaning: """
      The contents of a set or minifig. A set that was later sold with different contents has \
      several inventories; most queries need only the latest.
      """, since: "2017")

  /// The parts of an inventory; `is_spare` marks spare pieces.
  ///
  /// Rows are stored in key order, so that the parts of an inventory are together. A rowid and a separate index would
  /// make the file a sixth larger, and no query faster. The indexes cover sums over parts and colors, which need not
  /// read the table: see <doc:QueryTimes>.
  public static let inventoryParts = TableDescription(
    "inventory_parts",
    columns: [
      ColumnDescription(
        "inventory_id", .integer, meaning: "The inventory that lists the part.", example: 18221),
      ColumnDescription("part_num", .text, meaning: "The part.", example: "3002"),
      ColumnDescription("color_id", .integer, meaning: "The part's color.", example: 0),
      ColumnDescription(
        "quantity", .integer, domain: .atLeast(0), meaning: "Number of pieces.", example: 4),
      ColumnDescription(
        "is_spare", .boolean,
        meaning: "1 for spare pieces, 0 for required ones. A part can have one row of each.",
        example: 0),
      ColumnDescription(
        "img_url", .text, isNullable: true,
        meaning: """
          URL of a picture of the part in this color; NULL if there is none, or in older source \
          files.
          """, since: "2022-09",
        example: "https://cdn.rebrickable.com/media/parts/elements/6281905.jpg"),
    ],
    primaryKey: ["inventory_id", "part_num", "color_id", "is_spare"],
    foreignKeys: [inventoryKey, partKey, colorKey],
    indexes: [
      ["part_num", "color_id", "inventory_id", "is_spare", "quantity"],
      ["color_id", "inventory_id", "is_spare", "quantity"],
    ],
    meaning: """
      A part in a color in an inventory, with its quantity. Parts of minifigs and of sets inside \
      the set are in their own inventories.
      """, since: "2017")

  /// The sets inside the set of an inventory.
  public static let inventorySets = TableDescription(
    "inventory_sets",
    columns: [
      ColumnDescription(
        "inventory_id", .integer, meaning: "The inventory of the containing set.", example: 35),
      ColumnDescription("set_num", .text, meaning: "The set inside.", example: "75911-1"),
      ColumnDescription(
        "quantity", .integer, domain: .atLeast(0), meaning: "Quantity.", example: 1),
    ],
    primaryKey: ["inventory_id", "set_num"],
    foreignKeys: [inventoryKey, setKey],
    indexes: [["set_num"]],
    meaning: "A set inside another one, as in a box of several sets.", since: "2017")

  /// The minifigs in the set of an inventory.
  public static let inventoryMinifigs = TableDescription(
    "inventory_minifigs",
    columns: [
      ColumnDescription("inventory_id", .integer, meaning: "The inventory of the set.", example: 3),
      ColumnDescription("fig_num", .text, meaning: "The minifig.", example: "fig-001549"),
      ColumnDescription(
        "quantity", .integer, domain: .atLeast(0), meaning: "Quantity.", example: 1),
    ],
    primaryKey: ["inventory_id", "fig_num"],
    foreignKeys: [
      inventoryKey,
      ForeignKeyDescription("fig_num", references: "minifigs", "fig_num"),
    ],
    indexes: [["fig_num"]],
    meaning: "A minifig in a set, with its quantity.", since: "2020-02")
}
