import SQLiteSwiftly

extension CatalogStore {
  /// The sets that have a part, in any color or in one.
  ///
  /// ```swift
  /// let sets = try catalog.setsUsing(part: "3001", color: 4)
  /// let first = sets.first?.year
  /// ```
  ///
  /// A set has the parts of its latest inventory and of its minifigs.
  ///
  /// - Parameters:
  ///   - part: the part's number.
  ///   - color: the color's id; nil for all colors together.
  ///   - includesSubSets: whether a set includes the parts of sets inside it.
  /// - Returns: The sets with quantities, by year and number.
  /// - Throws: `CatalogError.reading`, also for a quantity beyond 64 bits.
  /// - Complexity: Proportional to the inventories with the part; 0.1 s for a part in most sets.
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
