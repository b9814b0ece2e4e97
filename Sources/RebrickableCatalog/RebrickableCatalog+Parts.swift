public import SQLiteSwiftly

extension RebrickableCatalog {
  /// Themes of sets, as a forest; a theme may come before its parent.
  public static let themes = TableDescription(
    "themes",
    columns: [
      ColumnDescription("id", .integer),
      ColumnDescription("name", .text, domain: .singleLine),
      ColumnDescription("parent_id", .integer, isNullable: true),
    ],
    primaryKey: ["id"],
    foreignKeys: [ForeignKeyDescription("parent_id", references: "themes", "id")],
    indexes: [["parent_id"]])

  /// Colours of parts, among them -1 `[Unknown]` and 9999 `[No Color/Any Color]`.
  public static let colors = TableDescription(
    "colors",
    columns: [
      ColumnDescription("id", .integer),
      ColumnDescription("name", .text, domain: .singleLine),
      ColumnDescription("rgb", .text, domain: .hexadecimalDigits(6)),
      ColumnDescription("is_trans", .boolean),
      ColumnDescription("num_parts", .integer, isNullable: true, domain: .atLeast(0)),
      ColumnDescription("num_sets", .integer, isNullable: true, domain: .atLeast(0)),
      ColumnDescription("y1", .integer, isNullable: true, domain: years),
      ColumnDescription("y2", .integer, isNullable: true, domain: years),
    ],
    primaryKey: ["id"],
    uniqueKeys: [["name"]])

  /// Categories of parts.
  public static let partCategories = TableDescription(
    "part_categories",
    columns: [
      ColumnDescription("id", .integer),
      ColumnDescription("name", .text, domain: .singleLine),
    ],
    primaryKey: ["id"])

  /// Parts, whatever their colour.
  public static let parts = TableDescription(
    "parts",
    columns: [
      ColumnDescription("part_num", .text, domain: .singleLine),
      ColumnDescription("name", .text, domain: .singleLine),
      ColumnDescription("part_cat_id", .integer),
      ColumnDescription(
        "part_material", .text, isNullable: true,
        knownValues: [
          "Plastic", "Cardboard/Paper", "Cloth", "Rubber", "Foam", "Flexible Plastic", "Metal",
        ]),
    ],
    primaryKey: ["part_num"],
    foreignKeys: [ForeignKeyDescription("part_cat_id", references: "part_categories", "id")],
    indexes: [["part_cat_id"]], isWithoutRowid: false)

  /// Relations of parts: alternates, sub-parts, molds, prints, pairs, patterns.
  public static let partRelationships = TableDescription(
    "part_relationships",
    columns: [
      ColumnDescription(
        "rel_type", .text, domain: .singleLine, knownValues: ["A", "B", "M", "P", "R", "T"]),
      ColumnDescription("child_part_num", .text),
      ColumnDescription("parent_part_num", .text),
    ],
    primaryKey: ["rel_type", "child_part_num", "parent_part_num"],
    foreignKeys: [
      ForeignKeyDescription("child_part_num", references: "parts", "part_num"),
      ForeignKeyDescription("parent_part_num", references: "parts", "part_num"),
    ],
    indexes: [["child_part_num"], ["parent_part_num"]])

  /// Elements: a part in a colour, by LEGO's own number, which is text and may exceed 32 bits.
  public static let elements = TableDescription(
    "elements",
    columns: [
      ColumnDescription("element_id", .text, domain: .singleLine),
      ColumnDescription("part_num", .text),
      ColumnDescription("color_id", .integer),
      ColumnDescription("design_id", .text, isNullable: true),
    ],
    primaryKey: ["element_id"],
    foreignKeys: [
      ForeignKeyDescription("part_num", references: "parts", "part_num"),
      ForeignKeyDescription("color_id", references: "colors", "id"),
    ],
    indexes: [["part_num", "color_id"], ["color_id"]], isWithoutRowid: false)
}
