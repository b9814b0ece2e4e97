import SQLiteSwiftly

/// The contents of sets, from their latest inventories.
extension CatalogStore {
  /// The parts of a set, by part, color, and whether they are spares.
  ///
  /// ```swift
  /// let bricks = try catalog.parts(ofSet: "6024-1").filter { $0.partNumber == "3001" }
  /// let own = try catalog.parts(ofSet: "6024-1", includingMinifigs: false)
  /// ```
  ///
  /// - Parameters:
  ///   - set: the set's number.
  ///   - includesSpares: whether to include spare pieces.
  ///   - includesMinifigs: whether to include the parts of its minifigs, multiplied by their quantity.
  ///   - includesSubSets: whether to include the parts of sets inside it, at any depth.
  /// - Returns: The parts by number, color and whether they are spares.
  /// - Throws: `CatalogError.reading`, also for a quantity beyond 64 bits.
  /// - Complexity: Reads only the inventories of the set, by their keys.
  public func parts(
    ofSet set: String, includingSpares includesSpares: Bool = false,
    includingMinifigs includesMinifigs: Bool = true,
    includingSubSets includesSubSets: Bool = false
  ) throws(CatalogError) -> [RebrickableCatalog.SetPart] {
    try parts(
      in: """
        SELECT inventory_id, quantity FROM set_inventories
        WHERE set_num = \(set) AND is_minifig <= \(includesMinifigs) AND is_sub_set <= \(includesSubSets)
        """, includesSpares)
  }

  /// The parts of a minifig, by part, color, and whether they are spares.
  ///
  /// ```swift
  /// let heads = try catalog.parts(ofMinifig: "fig-000001").filter { $0.partNumber == "3626" }
  /// ```
  ///
  /// - Parameters:
  ///   - minifig: the minifig's number.
  ///   - includesSpares: whether to include spare pieces.
  /// - Returns: The parts by number, color and whether they are spares.
  /// - Throws: `CatalogError.reading`.
  public func parts(
    ofMinifig minifig: String, includingSpares includesSpares: Bool = false
  ) throws(CatalogError) -> [RebrickableCatalog.SetPart] {
    try parts(
      in: """
        SELECT id AS inventory_id, 1 AS quantity
        FROM latest_inventories JOIN minifigs ON fig_num = set_num WHERE set_num = \(minifig)
        """, includesSpares)
  }

  private func parts(
    in inventories: SQL, _ includesSpares: Bool
  ) throws(CatalogError) -> [RebrickableCatalog.SetPart] {
    // A factor of NULL exceeds 2^53, so the sum must be NULL, too.
    try rows(
      """
      SELECT part_num, parts.name AS part_name, color_id, colors.name AS color_name, is_spare,
        CASE WHEN count(*) = count(used.quantity)
          THEN sum(used.quantity * inventory_parts.quantity) END AS quantity,
        max(img_url) AS img_url
      FROM (\(sql: inventories)) AS used
        JOIN inventory_parts USING (inventory_id)
        JOIN parts USING (part_num) JOIN colors ON colors.id = color_id
      WHERE is_spare <= \(includesSpares)
      GROUP BY part_num, color_id, is_spare ORDER BY part_num, color_id, is_spare
      """)
  }

  /// The minifigs of a set, without those of sets inside it.
  ///
  /// ```swift
  /// for knight in try catalog.minifigs(ofSet: "6024-1") {
  ///   names.append("\(knight.quantity) x \(knight.item.name)")
  /// }
  /// ```
  ///
  /// - Returns: The minifigs with quantities, by number.
  /// - Throws: `CatalogError.reading`.
  public func minifigs(
    ofSet set: String
  ) throws(CatalogError) -> [RebrickableCatalog.Contained<RebrickableCatalog.Minifig>] {
    try rows(
      """
      SELECT minifigs.*, quantity
      FROM latest_inventories AS latest
        JOIN inventory_minifigs ON inventory_id = latest.id JOIN minifigs USING (fig_num)
      WHERE latest.set_num = \(set) ORDER BY fig_num
      """)
  }

  /// The sets directly inside a set.
  ///
  /// ```swift
  /// let inside = try catalog.subSets(ofSet: "6000-1").map(\.item.setNumber)
  /// ```
  ///
  /// - Returns: The sets with quantities, by number.
  /// - Throws: `CatalogError.reading`.
  public func subSets(
    ofSet set: String
  ) throws(CatalogError) -> [RebrickableCatalog.Contained<RebrickableCatalog.LegoSet>] {
    try rows(
      """
      SELECT sets.*, quantity
      FROM latest_inventories AS latest
        JOIN inventory_sets AS inner ON inventory_id = latest.id
        JOIN sets ON sets.set_num = inner.set_num
      WHERE latest.set_num = \(set) ORDER BY sets.set_num
      """)
  }
}
