public import SQLiteSwiftly

extension RebrickableCatalog {
  /// Themes of sets, as trees.
  ///
  /// A theme may come before its parent.
  public static let themes = TableDescription(
    "themes",
    columns: [
      ColumnDescription("id", .integer, meaning: "Rebrickable's ID of the theme.", example: 3),
      ColumnDescription(
        "name", .text, domain: .singleLine,
        meaning: "The theme's name. Themes below different parents can share a name.",
        example: "Competition"),
      ColumnDescription(
        "parent_id", .integer, isNullable: true,
        meaning: "The parent theme; NULL for a top-level theme.", example: 1),
    ],
    primaryKey: ["id"],
    foreignKeys: [ForeignKeyDescription("parent_id", references: "themes", "id")],
    indexes: [["parent_id"]],
    meaning: "A theme of sets. Themes have sub-themes, three levels so far.",
    since: "2017")

  /// Colors of parts, including -1 `[Unknown]` and 9999 `[No Color/Any Color]`.
  public static let colors = TableDescription(
    "colors",
    columns: [
      ColumnDescription(
        "id", .integer,
        meaning: """
          Rebrickable's ID of the color; 0 is Black, -1 an unknown color, 9999 no color or any \
          color.
          """, example: 4),
      ColumnDescription(
        "name", .text, domain: .singleLine, meaning: "The color's name in English.", example: "Red"),
      ColumnDescription(
        "rgb", .text, domain: .hexadecimalDigits(6),
        meaning: "The color on a screen: red, green and blue, two hexadecimal digits each.",
        example: "C91A09"),
      ColumnDescription(
        "is_trans", .boolean, meaning: "1 for a transparent color, 0 for any other.", example: 0),
      ColumnDescription(
        "num_parts", .integer, isNullable: true, domain: .atLeast(0),
        meaning: """
          Rebrickable's count of pieces in this color; NULL in older source files. For this \
          catalog's own count, see color_info.
          """, since: "2025-02", example: 292210),
      ColumnDescription(
        "num_sets", .integer, isNullable: true, domain: .atLeast(0),
        meaning: """
          Rebrickable's count of uses, which can exceed the number of sets; NULL in older source \
          files. For the number of sets, see color_info.
          """, since: "2025-02", example: 87056),
      ColumnDescription(
        "y1", .integer, isNullable: true, domain: years,
        meaning: """
          The first year of a set with this color, according to Rebrickable; NULL if unknown, or \
          in older source files.
          """, since: "2025-02", example: 1949),
      ColumnDescription(
        "y2", .integer, isNullable: true, domain: years,
        meaning: "The last such year; NULL if y1 is NULL.", since: "2025-02", example: 2025),
    ],
    primaryKey: ["id"],
    uniqueKeys: [["name"]],
    meaning: "A color of parts.", since: "2017")

  /// Categories of parts.
  public static let partCategories = TableDescription(
    "part_categories",
    columns: [
      ColumnDescription("id", .integer, meaning: "Rebrickable's ID of the category.", example: 11),
      ColumnDescription(
        "name", .text, domain: .singleLine, meaning: "The category's name in English.",
        example: "Bricks"),
    ],
    primaryKey: ["id"],
    meaning: "A category of parts, such as Bricks, Plates or Minifig Accessories.", since: "2017")

  /// Parts, regardless of color.
  public static let parts = TableDescription(
    "parts",
    columns: [
      ColumnDescription(
        "part_num", .text, domain: .singleLine,
        meaning: """
          Rebrickable's number of the part: usually the design number molded into it, with \
          letters for molds and prints. Text: 003383 and 3383 are different parts.
          """, example: "3001"),
      ColumnDescription(
        "name", .text, domain: .singleLine,
        meaning: "The part's name in English, with its size in studs.", example: "Brick 2 x 4"),
      ColumnDescription("part_cat_id", .integer, meaning: "The part's category.", example: 11),
      ColumnDescription(
        "part_material", .text, isNullable: true,
        knownValues: Material.known.map(\.rawValue),
        meaning: """
          The part's material; NULL in older source files. Source files of 2019-10 to 2020-06 \
          have a number in another column instead, which is not loaded.
          """, since: "2020-08", example: "Plastic"),
    ],
    primaryKey: ["part_num"],
    foreignKeys: [ForeignKeyDescription("part_cat_id", references: "part_categories", "id")],
    indexes: [["part_cat_id"]],
    isWithoutRowid: false,
    meaning: """
      A part, regardless of color. Each print and each mold is a separate part; \
      part_relationships connects related parts.
      """, since: "2017")

  /// Relations between parts: alternates, sub-parts, molds, prints, pairs, patterns.
  public static let partRelationships = TableDescription(
    "part_relationships",
    columns: [
      ColumnDescription(
        "rel_type", .text, domain: .singleLine,
        knownValues: RelationKind.known.map(\.rawValue),
        meaning: """
          The child's relation to the parent: A alternate, B sub-part, M mold, P print, R pair, \
          T pattern. B and R were added in 2020; there may be more.
          """, example: "P"),
      ColumnDescription(
        "child_part_num", .text, meaning: "The alternate, sub-part, mold, print and so on …",
        example: "3001pr0002"),
      ColumnDescription("parent_part_num", .text, meaning: "… of this part.", example: "3001"),
    ],
    primaryKey: ["rel_type", "child_part_num", "parent_part_num"],
    foreignKeys: relationKeys,
    indexes: [["child_part_num"], ["parent_part_num"]],
    meaning: "A relation between two parts, such as a print and the plain part.",
    since: "2018-01")

  /// Elements: parts in a color, by LEGO's number.
  ///
  /// It is text and may exceed 32 bits.
  public static let elements = TableDescription(
    "elements",
    columns: [
      ColumnDescription(
        "element_id", .text, domain: .singleLine,
        meaning: "LEGO's number of a part in a color. Text: it may exceed 32 bits.",
        example: "300121"),
      partColumn,
      ColumnDescription("color_id", .integer, meaning: "The part's color.", example: 4),
      ColumnDescription(
        "design_id", .text, isNullable: true,
        meaning: "LEGO's number of the part's shape; NULL if unknown, or in older source files.",
        since: "2023-05", example: "3001"),
    ],
    primaryKey: ["element_id"],
    foreignKeys: [partKey, colorKey],
    indexes: [["part_num", "color_id"], ["color_id"]],
    isWithoutRowid: false,
    meaning: """
      A part in a color, by the number used to order spare parts from LEGO. A part in a color \
      can have several numbers, or none.
      """, since: "2020-02")
}
