public import SQLiteSwiftly

extension RebrickableCatalog {
  /// Themes of sets, as a forest; a theme may come before its parent.
  public static let themes = TableDescription(
    "themes",
    columns: [
      ColumnDescription("id", .integer, meaning: "Rebrickable's number of the theme.", example: 3),
      ColumnDescription(
        "name", .text, domain: .singleLine,
        meaning: "The theme's name; several themes can have one name below different parents.",
        example: "Competition"),
      ColumnDescription(
        "parent_id", .integer, isNullable: true,
        meaning: "The theme that this one is a part of; NULL for a theme at the top.", example: 1),
    ],
    primaryKey: ["id"],
    foreignKeys: [ForeignKeyDescription("parent_id", references: "themes", "id")],
    indexes: [["parent_id"]],
    meaning: "A theme, under which sets are sold. Themes have sub-themes, three levels so far.",
    since: "2017")

  /// Colors of parts, among them -1 `[Unknown]` and 9999 `[No Color/Any Color]`.
  public static let colors = TableDescription(
    "colors",
    columns: [
      ColumnDescription(
        "id", .integer,
        meaning: """
          Rebrickable's number of the color; 0 is Black, -1 stands for an unknown color and 9999 for \
          none or any.
          """, example: 4),
      ColumnDescription(
        "name", .text, domain: .singleLine, meaning: "The color's name in English.", example: "Red"
      ),
      ColumnDescription(
        "rgb", .text, domain: .hexadecimalDigits(6),
        meaning: "The color on a screen: red, green and blue, two hexadecimal digits each.",
        example: "C91A09"),
      ColumnDescription(
        "is_trans", .boolean, meaning: "1 for a transparent color, 0 for any other.", example: 0),
      ColumnDescription(
        "num_parts", .integer, isNullable: true, domain: .atLeast(0),
        meaning: """
          Rebrickable's own count of the pieces in this color; NULL if the dump is older than the \
          column. What this catalog itself comes to is in color_stats.
          """, since: "2025-02", example: 292210),
      ColumnDescription(
        "num_sets", .integer, isNullable: true, domain: .atLeast(0),
        meaning: """
          Rebrickable's own count of where the color is used, which can exceed the number of all \
          sets; NULL if the dump is older than the column. Sets are counted in color_stats.
          """, since: "2025-02", example: 87056),
      ColumnDescription(
        "y1", .integer, isNullable: true, domain: years,
        meaning: """
          The first year in which a set had the color, by Rebrickable's own count; NULL if it knows \
          none, or if the dump is older than the column.
          """, since: "2025-02", example: 1949),
      ColumnDescription(
        "y2", .integer, isNullable: true, domain: years,
        meaning: "The last such year; NULL where y1 is.", since: "2025-02", example: 2025),
    ],
    primaryKey: ["id"],
    uniqueKeys: [["name"]],
    meaning: "A color of parts.", since: "2017")

  /// Categories of parts.
  public static let partCategories = TableDescription(
    "part_categories",
    columns: [
      ColumnDescription(
        "id", .integer, meaning: "Rebrickable's number of the category.", example: 11),
      ColumnDescription(
        "name", .text, domain: .singleLine, meaning: "The category's name in English.",
        example: "Bricks"),
    ],
    primaryKey: ["id"],
    meaning: "A category of parts, as Bricks, Plates or Minifig Accessories.", since: "2017")

  /// Parts, whatever their color.
  public static let parts = TableDescription(
    "parts",
    columns: [
      ColumnDescription(
        "part_num", .text, domain: .singleLine,
        meaning: """
          Rebrickable's number of the part, most often the design number that is molded into it, with \
          letters for molds and prints; text, for 003383 and 3383 are two parts.
          """, example: "3001"),
      ColumnDescription(
        "name", .text, domain: .singleLine,
        meaning: "What the part is, in English, with its measures in studs.",
        example: "Brick 2 x 4"),
      ColumnDescription(
        "part_cat_id", .integer, meaning: "The category that the part is of.", example: 11),
      ColumnDescription(
        "part_material", .text, isNullable: true,
        knownValues: Material.known.map(\.rawValue),
        meaning: """
          What the part is made of; NULL if the dump is older than the column. Dumps of 2019-10 to \
          2020-06 had a number in a column of another name instead, which is not loaded.
          """, since: "2020-08", example: "Plastic"),
    ],
    primaryKey: ["part_num"],
    foreignKeys: [ForeignKeyDescription("part_cat_id", references: "part_categories", "id")],
    indexes: [["part_cat_id"]],
    isWithoutRowid: false,
    meaning: """
      A part, whatever its color. Each print and each mold is a part of its own; part_relationships \
      tells which belong together.
      """, since: "2017")

  /// Relations of parts: alternates, sub-parts, molds, prints, pairs, patterns.
  public static let partRelationships = TableDescription(
    "part_relationships",
    columns: [
      ColumnDescription(
        "rel_type", .text, domain: .singleLine,
        knownValues: RelationKind.known.map(\.rawValue),
        meaning: """
          What the child is to the parent: A an alternate, B a sub-part, M another mold, P a print, R \
          the other one of a pair, T a pattern. B and R came in 2020, and more may come.
          """, example: "P"),
      ColumnDescription(
        "child_part_num", .text,
        meaning: "The part that is the alternate, the sub-part, the mold, the print …",
        example: "3001pr0002"),
      ColumnDescription(
        "parent_part_num", .text, meaning: "… of this part.", example: "3001"),
    ],
    primaryKey: ["rel_type", "child_part_num", "parent_part_num"],
    foreignKeys: [
      ForeignKeyDescription("child_part_num", references: "parts", "part_num"),
      ForeignKeyDescription("parent_part_num", references: "parts", "part_num"),
    ],
    indexes: [["child_part_num"], ["parent_part_num"]],
    meaning: "A relation of one part to another, as of a print to the plain part.",
    since: "2018-01")

  /// Elements: a part in a color, by LEGO's own number, which is text and may exceed 32 bits.
  public static let elements = TableDescription(
    "elements",
    columns: [
      ColumnDescription(
        "element_id", .text, domain: .singleLine,
        meaning: """
          LEGO's own number of a part in a color; digits, but text, for it may exceed 32 bits.
          """, example: "300121"),
      ColumnDescription("part_num", .text, meaning: "The part.", example: "3001"),
      ColumnDescription("color_id", .integer, meaning: "The part's color.", example: 4),
      ColumnDescription(
        "design_id", .text, isNullable: true,
        meaning: """
          LEGO's own number of the part's shape; NULL if Rebrickable does not know it, or if the dump \
          is older than the column.
          """, since: "2023-05", example: "3001"),
    ],
    primaryKey: ["element_id"],
    foreignKeys: [
      ForeignKeyDescription("part_num", references: "parts", "part_num"),
      ForeignKeyDescription("color_id", references: "colors", "id"),
    ],
    indexes: [["part_num", "color_id"], ["color_id"]],
    isWithoutRowid: false,
    meaning: """
      A part in a color as LEGO numbers them, by which spare parts are ordered. A part in a color \
      can have several, and some have none.
      """, since: "2020-02")
}
