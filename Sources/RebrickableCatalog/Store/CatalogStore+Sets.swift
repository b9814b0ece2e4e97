public import SQLiteSwiftly

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
  /// They include spare pieces only if `includesSpares` is true.
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

  /// The minifigs of a set, with quantities and by number, without those of sets inside it.
  ///
  /// ```swift
  /// for knight in try catalog.minifigs(ofSet: "6024-1") {
  ///   names.append("\(knight.quantity) x \(knight.item.name)")
  /// }
  /// ```
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

  /// The sets directly inside a set, with quantities and by number.
  ///
  /// ```swift
  /// let inside = try catalog.subSets(ofSet: "6000-1").map(\.item.setNumber)
  /// ```
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

  /// The themes from the root down to a theme.
  ///
  /// ```swift
  /// let path = try catalog.themePath(of: 199).map(\.name).joined(separator: " / ")
  /// ```
  ///
  /// Ends with the theme itself; empty for an unknown theme. In a circle of themes, each is returned once.
  public func themePath(of theme: Int) throws(CatalogError) -> [RebrickableCatalog.Theme] {
    var path: [RebrickableCatalog.Theme] = []
    var next: Int? = theme
    while let id = next, !path.contains(where: { $0.id == id }) {
      let found: RebrickableCatalog.Theme? = try row("SELECT * FROM themes WHERE id = \(id)")
      guard let found else { break }
      path.append(found)
      next = found.parentID
    }
    return path.reversed()
  }

  /// The sets that share the most pieces with a set, the most similar first.
  ///
  /// ```swift
  /// for other in try catalog.similarSets(to: "6024-1", limit: 3) {
  ///   lines.append("\(other.name): \(other.sharedPartCount) pieces")
  /// }
  /// ```
  ///
  /// Compares the required pieces, without spares and sets inside.
  ///
  /// - Parameters:
  ///   - set: the set's number.
  ///   - limit: the maximum number of sets.
  /// - Returns: The sets by similarity; empty for a set without known parts.
  /// - Throws: `CatalogError.reading`.
  /// - Complexity: Proportional to the inventories with any of the parts; 0.15 s for a large set in the catalog of
  ///   2020, and under 1 s for the set with the most parts.
  public func similarSets(
    to set: String, limit: Int = 10
  ) throws(CatalogError) -> [RebrickableCatalog.SimilarSet] {
    try rows(
      """
      WITH
        own (part_num, color_id, quantity) AS MATERIALIZED (
          SELECT part_num, color_id, sum(used.quantity * inventory_parts.quantity)
          FROM set_inventories AS used JOIN inventory_parts USING (inventory_id)
          WHERE set_num = \(set) AND NOT is_sub_set AND NOT is_spare GROUP BY part_num, color_id
        ),
        common (set_num, quantity) AS (
          SELECT used.set_num, min(own.quantity, sum(used.quantity * inventory_parts.quantity))
          FROM own CROSS JOIN inventory_parts USING (part_num, color_id)
            CROSS JOIN set_inventories AS used USING (inventory_id)
          WHERE NOT is_spare AND NOT is_sub_set
          GROUP BY own.part_num, own.color_id, used.set_num
        ),
        shared (set_num, quantity) AS (SELECT set_num, sum(quantity) FROM common GROUP BY set_num)
      SELECT sets.set_num, name, year, shared.quantity AS num_shared,
        1.0 * shared.quantity / (ours.num_parts + theirs.num_parts - shared.quantity) AS similarity
      FROM shared JOIN set_stats AS theirs USING (set_num) JOIN sets USING (set_num)
        JOIN set_stats AS ours ON ours.set_num = \(set)
      WHERE shared.set_num <> \(set) AND shared.quantity > 0
        AND ours.num_parts IS NOT NULL AND theirs.num_parts IS NOT NULL
      ORDER BY similarity DESC, shared.set_num LIMIT \(max(limit, 0))
      """)
  }
}

extension RebrickableCatalog {
  /// The pieces of one part in one color that a set or a minifig has.
  public struct SetPart: RowDecodable, Hashable, Sendable {
    /// The part's number.
    public var partNumber: String
    /// The part's name.
    public var partName: String
    /// The color's id.
    public var colorID: Int
    /// The color's name.
    public var colorName: String
    /// The number of pieces.
    public var quantity: Int
    /// Whether they are spare pieces.
    public var isSpare: Bool
    /// The URL of a picture, unchanged; nil if there is none.
    public var imageURL: String?

    /// Reads a row.
    public init(row: borrowing Row) throws(SQLiteError) {
      partNumber = try row["part_num"]
      partName = try row["part_name"]
      colorID = try row["color_id"]
      colorName = try row["color_name"]
      quantity = try row["quantity"]
      isSpare = try row["is_spare"]
      imageURL = try row["img_url"]
    }
  }

  /// A minifig or a set inside a set, with its quantity.
  public struct Contained<Item: Model>: RowDecodable, Hashable, Sendable {
    /// The minifig or set.
    public var item: Item
    /// The quantity.
    public var quantity: Int

    /// Reads a row.
    public init(row: borrowing Row) throws(SQLiteError) {
      item = try Item(row: row)
      quantity = try row["quantity"]
    }
  }

  /// A set that shares pieces with another.
  public struct SimilarSet: RowDecodable, Hashable, Sendable {
    /// The set's number.
    public var setNumber: String
    /// The set's name.
    public var name: String
    /// The year of the set's release.
    public var year: Int
    /// The number of pieces that both sets have.
    public var sharedPartCount: Int
    /// The shared pieces as a fraction of all pieces of both sets: 1 if both have the same pieces.
    public var similarity: Double

    /// Reads a row.
    public init(row: borrowing Row) throws(SQLiteError) {
      setNumber = try row["set_num"]
      name = try row["name"]
      year = try row["year"]
      sharedPartCount = try row["num_shared"]
      similarity = try row["similarity"]
    }
  }
}
