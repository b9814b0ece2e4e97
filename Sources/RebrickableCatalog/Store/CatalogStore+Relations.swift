import SQLiteSwiftly

/// What parts are to each other.
extension CatalogStore {
  /// The part that a part is a print, a pattern, a mold or an alternate of, after all steps: what stands for all
  /// that can take its place.
  ///
  /// ```swift
  /// let plain = try catalog.canonicalPart(of: "3001pr1")
  /// ```
  ///
  /// - Returns: The part, which is the same one if it is of no other; nil if there is no part of that number.
  /// - Throws: `CatalogError.reading`.
  public func canonicalPart(of part: String) throws(CatalogError) -> RebrickableCatalog.Part? {
    try row(
      """
      SELECT parts.* FROM canonical_parts AS canonical
        JOIN parts ON parts.part_num = canonical_part_num
      WHERE canonical.part_num = \(part)
      """)
  }

  /// What a part is of others, and others are of it, through any number of relations of one kind.
  ///
  /// ```swift
  /// let prints = try catalog.relations(of: "3001").filter { $0.kind == .print }
  /// ```
  ///
  /// - Returns: The relations in which the part is the child, then those in which it is the parent, each by kind
  ///   and number of steps; none for a part without any.
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
