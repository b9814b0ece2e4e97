public import SQLiteSwiftly

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

  /// The canonical part: the last parent of a part through prints, patterns, molds and alternates, or the part itself.
  ///
  /// ```swift
  /// let plain = try catalog.canonicalPart(of: "3001pr1")
  /// ```
  ///
  /// Returns nil for an unknown number.
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
  /// Returns the relations as a child, then those as a parent, each by kind and number of steps.
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

extension RebrickableCatalog {
  /// A set that has a part.
  public struct PartUse: RowDecodable, Hashable, Sendable {
    /// The set's number.
    public var setNumber: String
    /// The set's name.
    public var name: String
    /// The year of the set's release.
    public var year: Int
    /// The number of pieces without spares; 0 if the set has the part only as a spare.
    public var quantity: Int
    /// The number of spare pieces.
    public var spareQuantity: Int

    /// Reads a row.
    public init(row: borrowing Row) throws(SQLiteError) {
      setNumber = try row["set_num"]
      name = try row["name"]
      year = try row["year"]
      quantity = try row["quantity"]
      spareQuantity = try row["spares"]
    }
  }

  /// A direct or indirect relation between two parts: a row of `part_relations_resolved`.
  public struct ResolvedRelation: RowDecodable, Hashable, Sendable {
    /// The child's relation to the parent.
    public var kind: RelationKind
    /// The child's number, such as that of a print.
    public var childPartNumber: String
    /// The parent's number, such as that of the plain part.
    public var parentPartNumber: String
    /// The number of relations between the two.
    public var depth: Int
    /// The numbers of all parts from child to parent, for display.
    public var chain: String

    /// Reads a row.
    public init(row: borrowing Row) throws(SQLiteError) {
      kind = try row["rel_type"]
      childPartNumber = try row["child_part_num"]
      parentPartNumber = try row["parent_part_num"]
      depth = try row["depth"]
      chain = try row["chain"]
    }
  }
}
