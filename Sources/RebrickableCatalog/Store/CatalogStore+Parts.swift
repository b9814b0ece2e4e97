import SQLiteSwiftly

extension CatalogStore {
  /// The sets that have a part, in any color or in one.
  ///
  /// ```swift
  /// let sets = try catalog.setsUsing(part: "3001", color: 4)
  /// let first = sets.first?.year
  /// ```
  ///
  /// A set has the parts of its own inventory, in the latest version, and those of its minifigs.
  ///
  /// - Parameters:
  ///   - part: the part's number.
  ///   - color: the color's id; nil for all colors together.
  ///   - includesSubSets: whether a set has what the sets inside it have, too.
  /// - Returns: The sets by year and number, each with how many of the part there are in it.
  /// - Throws: `CatalogError.reading`, also for a quantity beyond 64 bits.
  /// - Complexity: Grows with the inventories that have the part; 0.1 s for one that is in most sets.
  public func setsUsing(
    part: String, color: Int? = nil, includingSubSets includesSubSets: Bool = false
  ) throws(CatalogError) -> [RebrickableCatalog.PartUse] {
    let ofColor: SQL = color.map { "AND color_id = \($0)" } ?? ""
    return try rows(
      """
      SELECT set_num, name, year,
        CASE WHEN count(*) = count(used.quantity)
          THEN sum(used.quantity * inventory_parts.quantity * NOT is_spare) END AS quantity,
        CASE WHEN count(*) = count(used.quantity)
          THEN sum(used.quantity * inventory_parts.quantity * is_spare) END AS spares
      FROM inventory_parts JOIN set_inventories AS used USING (inventory_id) JOIN sets USING (set_num)
      WHERE part_num = \(part) \(sql: ofColor) AND is_sub_set <= \(includesSubSets)
      GROUP BY set_num ORDER BY year, set_num
      """)
  }
}
