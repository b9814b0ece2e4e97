import SQLiteSwiftly
public import Schema

extension RebrickableCatalog {
  /// The search over the numbers and names of parts, sets and minifigs, and the names of themes.
  ///
  /// One index has all kinds, since ranks of several could not be compared; so no table is the content of
  /// an index alone, and the names stand in the file a second time. Read from the tables, by a view, they
  /// would take 5 MB of 21 less and twice the time to be indexed.
  ///
  /// To those who ask, `2x4` is one word, and `2 x 4` are three: `sizes` has both for the names that have the
  /// second. It counts more than the name, and a key more than that, so that what is asked for comes before
  /// what names it: the set 8880-1 before its stickers. What counts most is a part's whole number, of which
  /// `3001` is one, though it begins the number of the set 3001-1, too.
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

  /// The parts, with `2x4 2 x 4` for `Brick 2 x 4 with Groove`: the word that begins at the number before
  /// the first ` x ` once the numbers are joined, and its parts.
  ///
  /// The limits keep SQLite from computing each expression once for every place in which it is used.
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
