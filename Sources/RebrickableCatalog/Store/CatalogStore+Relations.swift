import SQLiteSwiftly

/// Relations between parts.
extension CatalogStore {
  /// The canonical part: the last parent of a part through prints, patterns, molds and alternates.
  ///
  /// ```swift
  /// let plain = try catalog.canonicalPart(of: "3001pr1")
  /// ```
  ///
  /// - Returns: The canonical part, or the part itself if it has no parent; nil for an unknown number.
  /// - Throws: `CatalogError.reading`.
  public func canonicalPart(of part: String) throws(CatalogError) -> RebrickableCatalog.Part? {
    try row(
      """
      SELECT parts.* FROM canonical_parts AS canonical
        JOIN parts ON parts.part_num = canonical_part_num
      WHERE canonical.part_num = \(part)
      """)
  }

  /// The direct and indirect relations of a part.
  ///
  /// ```swift
  /// let prints = try catalog.relations(of: "3001").filter { $0.kind == .print }
  /// ```
  ///
  /// - Returns: The relations as a child, then those as a parent, each by kind and number of steps.
  /// - Throws: `CatalogError.reading`.
  public func relations(
    of part: String
  ) throws(CatalogError) -> [RebrickableCatalog.ResolvedRelation] {
    try rows(
      """
      SELECT *, 0 AS is_parent FROM part_relations_resolved WHERE child_part_num = \(part)
      UNION ALL
      SELECT *, 1 FROM part_relations_resolved
      WHERE parent_part_num = \(part) AND child_part_num <> \(part)
      ORDER BY is_parent, rel_type, depth, child_part_num, parent_part_num
      """)
  }
}
