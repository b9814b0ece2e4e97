import SQLiteSwiftly
public import Schema

/// The LEGO catalog as Rebrickable publishes it: <https://rebrickable.com/downloads/>.
///
/// Tables and columns have Rebrickable's own names, in the order of the dumps. Ids that are not plain
/// counters are text, exactly as written: `003383` and `3383` are two parts.
///
/// A domain is closed only where a value outside it cannot be news: a color's `rgb` is six hexadecimal
/// digits by definition, a boolean has two values, a count is not negative (`sets.num_parts` was -1 for
/// "unknown" in old dumps), a year has four digits, and an id or a name is one line of text, so that
/// two stray quotes that happen to meet are noticed. `rel_type` and `part_material` stay open, because
/// Rebrickable adds letters and materials without warning; the values that were seen so far are known,
/// so that a new one is reported. Addresses stay open, too.
///
/// ```swift
/// let catalog = try Connection.inMemory()
/// for table in RebrickableCatalog.schema.tables { try catalog.createTable(describedBy: table) }
/// var insert = try catalog.prepareInsertIntoTable(describedBy: RebrickableCatalog.themes)
/// try insert.insert(["id": 1, "name": "Technic", "parent_id": .null])
/// ```
public enum RebrickableCatalog {
  /// The schema of the whole catalog: twelve tables, the union of set and minifig numbers, and what follows from them.
  ///
  /// The queries are in the SQL that SQLite and PostgreSQL have in common, but for `instr`, which is `strpos` there.
  public static let schema = {
    var schema = SchemaDescription(
      tables: [
        themes, colors, partCategories, parts, partRelationships, elements, sets, minifigs,
        inventories, inventoryParts, inventorySets, inventoryMinifigs,
      ],
      keyUnions: [setNumbers], derivedTables: [latestInventories, setInventories, relationChains],
      views: views,
      search: search,
      applicationID: 0x5242_4B43,  // "RBKC"
      version: 2)
    schema.aggregates = [statistics]
    return schema
  }()

  /// The keys of sets and minifigs together: what an inventory can be of.
  public static let setNumbers = KeyUnionDescription(
    "set_nums", column: "set_num", type: .text,
    members: [
      .init("sets", "set_num", reference: "of_set"),
      .init("minifigs", "fig_num", reference: "of_minifig"),
    ],
    meaning: "A set or a minifig. Inventories refer to both through this table.")

  static let years = ColumnDescription.Domain.within(1900...2199)
}
