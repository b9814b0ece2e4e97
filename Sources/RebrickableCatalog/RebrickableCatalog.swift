public import Schema
import SQLiteSwiftly

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
  /// The schema of the catalog: twelve tables, the union of set and minifig numbers, and derived tables and views.
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
    schema.setCounters(["num_parts", "num_sets"], ofTable: "colors")
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

  /// The search over the numbers and names of parts, sets and minifigs, and the names of themes.
  ///
  /// One index covers all kinds, because ranks from several indexes are not comparable. It stores a second copy of
  /// the names. An index over a view of the tables would save 5 MB, but take twice as long to build.
  ///
  /// `2x4` is one word and `2 x 4` three, so `sizes` has the sizes of names as words. They have more weight than names,
  /// as have keys, so that the set 8880-1 comes before its stickers. A part's whole number has the most weight: `3001`
  /// finds the part before the set 3001-1. The words of a theme have the least.
  public static let search = SearchDescription(
    "search",
    columns: [
      .init("kind", meaning: "part, set, minifig or theme."),
      .init("key", weight: 20, meaning: "Its key in the table of that kind."),
      .init("name", weight: 10, meaning: "Its name."),
      .init("sizes", weight: 20, isHidden: true),
      .init("part_number", weight: 1000, isHidden: true),
      .init("theme", weight: 1, isHidden: true),
    ],
    excerptOf: "name",
    entries: [
      entries(
        """
        SELECT 'part' AS kind, part_num AS key, name, part_num AS number, NULL AS path FROM parts
        """),
      entries(
        """
        SELECT 'set' AS kind, set_num AS key, sets.name, NULL AS number, path
        FROM sets LEFT JOIN (\(searchedPaths)) AS paths ON paths.id = theme_id
        """),
      entries(
        """
        SELECT 'minifig' AS kind, fig_num AS key, name, NULL AS number, NULL AS path FROM minifigs
        """),
      entries(
        """
        SELECT 'theme' AS kind, CAST(id AS TEXT) AS key, name, NULL AS number,
          CASE WHEN depth > 1 THEN path END AS path
        FROM (\(searchedPaths)) AS paths
        """),
    ],
    meaning: """
      Full-text search for parts, sets, minifigs and themes by name or number, and for sets also by the names of their \
      themes. For what people type, such as `x-wing`, a color or an element number, see `search-by-name` in the cookbook.
      """)

  private static let searchedPaths = pathQuery(levels: 8)

  /// Entries with their sizes: from the first to the last ` x ` of a name, `1x2 - 2x2` for `Bracket 1 x 2 - 2 x 2`.
  ///
  /// Only the first 200 characters of a name count, since finding the last size takes time by the square of its length. The
  /// limits prevent SQLite from computing an expression again at each use.
  private static func entries(_ query: String) -> SQL {
    let limit = "LIMIT 9223372036854775807"
    let last = "length(rtrim(sized, replace(sized, '×', '')))"
    return SQL(
      generated: """
        SELECT kind, key, name,
          replace(
            CASE WHEN sized LIKE '% %×%'
              THEN substr(sized, 1, \(last) + instr(substr(sized, \(last) + 1) || ' ', ' ') - 1)
              ELSE substr(sized, 1, instr(sized || ' ', ' ') - 1) END, '×', 'x'),
          number, replace(path, ' / ', ' ')
        FROM (
          SELECT kind, key, name, number, path,
            substr(joined, length(rtrim(substr(joined, 1, instr(joined, '×') - 1), '0123456789./')) + 1) AS sized
          FROM (
            SELECT kind, key, name, number, path,
              CASE WHEN instr(beginning, ' x ') > 0 OR instr(beginning, ' X ') > 0
                THEN replace(replace(replace(beginning, '  ', ' '), ' X ', ' x '), ' x ', '×') END AS joined
            FROM (SELECT entries.*, substr(name, 1, 200) AS beginning FROM (\(query)) AS entries) AS entries
            ORDER BY key \(limit)
          ) AS entries \(limit)
        ) AS entries
        """)
  }

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
  static let isSubSet = ColumnDescription(
    "is_sub_set", .boolean, meaning: "1 if it is in a set inside the set, else 0.", example: 0)
  static let setKey = ForeignKeyDescription("set_num", references: "sets", "set_num")
  static let partKey = ForeignKeyDescription("part_num", references: "parts", "part_num")
  static let colorKey = ForeignKeyDescription("color_id", references: "colors", "id")
  static let inventoryKey = ForeignKeyDescription("inventory_id", references: "inventories", "id")
  static let relationKeys = ["child_part_num", "parent_part_num"].map {
    ForeignKeyDescription($0, references: "parts", "part_num")
  }
}
