import SQLiteSwiftly
public import Schema

extension RebrickableCatalog {
  /// The search over the numbers and names of parts, sets and minifigs, and the names of themes.
  ///
  /// One index covers all kinds, because ranks from several indexes are not comparable. It stores a second copy of
  /// the names. An index over a view of the tables would save 5 MB, but take twice as long to build.
  ///
  /// `2x4` is one word and `2 x 4` three, so `sizes` has both spellings for names with a size. Sizes have more weight than
  /// names, and keys more than sizes, so that the set 8880-1 comes before its stickers. A part's whole number has the
  /// most weight: `3001` finds the part before the set 3001-1.
  public static let search = SearchDescription(
    "search",
    columns: [
      .init("kind", meaning: "part, set, minifig or theme."),
      .init("key", weight: 30, meaning: "Its key in the table of that kind."),
      .init("name", weight: 10, meaning: "Its name."),
      .init("sizes", weight: 20, isHidden: true),
      .init("part_number", weight: 1000, isHidden: true),
    ],
    excerptOf: "name",
    entries: [
      partEntries,
      "SELECT 'set', set_num, name, NULL, NULL FROM sets ORDER BY set_num",
      "SELECT 'minifig', fig_num, name, NULL, NULL FROM minifigs ORDER BY fig_num",
      "SELECT 'theme', CAST(id AS TEXT), name, NULL, NULL FROM themes ORDER BY id",
    ],
    meaning: "Full-text search for parts, sets, minifigs and themes by name or number.")

  /// The parts, with `2x4 2 x 4` for `Brick 2 x 4 with Groove`: the size at the first ` x `, joined and separated.
  ///
  /// The limits prevent SQLite from computing an expression again at each use.
  private static let partEntries: SQL = """
    SELECT 'part', part_num, name, size || ' ' || replace(size, 'x', ' x '), part_num
    FROM (
      SELECT part_num, name, substr(sized, 1, instr(sized || ' ', ' ') - 1) AS size
      FROM (
        SELECT part_num, name,
          CASE WHEN place > 0 THEN
            replace(
              substr(name, length(rtrim(substr(name, 1, place - 1), '0123456789./')) + 1), ' x ', 'x')
          END AS sized
        FROM (SELECT part_num, name, instr(name, ' x ') AS place FROM parts ORDER BY part_num)
          AS names
        LIMIT 9223372036854775807) AS names
      LIMIT 9223372036854775807) AS names
    """
}
