import SQLiteSwiftly
public import Schema

/// Rebrickable's LEGO catalog: <https://rebrickable.com/downloads/>.
///
/// Tables and columns have Rebrickable's names, in the order of its files. IDs that are not plain counters are text,
/// exactly as written: `003383` and `3383` are different parts.
///
/// A column has a closed domain only if no new value can be valid. A color's `rgb` has six hexadecimal digits, a
/// boolean has two values, a count is not negative (`sets.num_parts` was -1 for "unknown" in old files), and a year
/// has four digits. An ID or a name is one line of text, which detects stray quotes. `rel_type` and `part_material`
/// stay open, because Rebrickable adds letters and materials unannounced; unknown values cause a warning. URLs stay
/// open, too.
///
/// ```swift
/// let catalog = try Connection.inMemory()
/// for table in RebrickableCatalog.schema.tables { try catalog.createTable(describedBy: table) }
/// var insert = try catalog.prepareInsertIntoTable(describedBy: RebrickableCatalog.themes)
/// try insert.insert(["id": 1, "name": "Technic", "parent_id": .null])
/// ```
public enum RebrickableCatalog {
  /// The schema of the whole catalog: twelve tables, the union of set and minifig numbers, and derived tables and
  /// views.
  ///
  /// The queries use the SQL that SQLite and PostgreSQL share, except for `instr`, which is `strpos` in PostgreSQL.
  public static let schema = {
    var schema = SchemaDescription(
      tables: [
        themes, colors, partCategories, parts, partRelationships, elements, sets, minifigs,
        inventories, inventoryParts, inventorySets, inventoryMinifigs,
      ],
      keyUnions: [setNumbers],
      derivedTables: [latestInventories, setInventories, olderSetInventories, relationChains],
      views: views,
      search: search,
      applicationID: 0x5242_4B43,  // "RBKC"
      version: 3)
    schema.statistics = statistics
    return schema
  }()

  /// The union of set and minifig numbers, which inventories refer to.
  public static let setNumbers = KeyUnionDescription(
    "set_nums", column: "set_num", type: .text,
    members: [
      .init("sets", "set_num", reference: "of_set"),
      .init("minifigs", "fig_num", reference: "of_minifig"),
    ],
    meaning: "A set or a minifig. Inventories refer to both through this table.")

  static let years = ColumnDescription.Domain.within(1900...2199)
}

/// Columns and keys that several tables and views have.
extension RebrickableCatalog {
  static let setColumn = ColumnDescription("set_num", .text, meaning: "The set.", example: "8880-1")
  static let setOrMinifigColumn = ColumnDescription(
    "set_num", .text, meaning: "The set or minifig.", example: "8880-1")
  static let partColumn = ColumnDescription(
    "part_num", .text, meaning: "The part.", example: "3001")
  static let colorColumn = ColumnDescription(
    "color_id", .integer, meaning: "Its color.", example: 4)
  static let setKey = ForeignKeyDescription("set_num", references: "sets", "set_num")
  static let partKey = ForeignKeyDescription("part_num", references: "parts", "part_num")
  static let colorKey = ForeignKeyDescription("color_id", references: "colors", "id")
  static let inventoryKey = ForeignKeyDescription("inventory_id", references: "inventories", "id")
  static let relationKeys = ["child_part_num", "parent_part_num"].map {
    ForeignKeyDescription($0, references: "parts", "part_num")
  }
}
