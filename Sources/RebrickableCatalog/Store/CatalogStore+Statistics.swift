import SQLiteSwiftly

/// Statistics that `ingest` precomputes.
///
/// A set has the parts of its latest inventory and of its minifigs; sets inside it count separately. Each query reads
/// one row.
extension CatalogStore {
  /// The statistics of a part in all colors.
  ///
  /// ```swift
  /// if let brick = try catalog.statistics(ofPart: "3001") {
  ///   text = "\(brick.colorCount) colors in \(brick.usage.setCount) sets"
  /// }
  /// ```
  ///
  /// - Returns: The statistics; nil if no set has the part.
  /// - Throws: `CatalogError.reading`.
  public func statistics(
    ofPart part: String
  ) throws(CatalogError) -> RebrickableCatalog.PartStatistics? {
    try row("SELECT * FROM part_stats WHERE part_num = \(part)")
  }

  /// The statistics of a part in one color.
  ///
  /// ```swift
  /// let since = try catalog.statistics(ofPart: "3001", color: 4)?.usage.firstYear
  /// ```
  ///
  /// - Returns: The statistics; nil if no set has the part in the color.
  /// - Throws: `CatalogError.reading`.
  public func statistics(
    ofPart part: String, color: Int
  ) throws(CatalogError) -> RebrickableCatalog.PartColorStatistics? {
    try row("SELECT * FROM part_color_stats WHERE part_num = \(part) AND color_id = \(color)")
  }

  /// The statistics of a color.
  ///
  /// ```swift
  /// let parts = try catalog.statistics(ofColor: 4)?.uniquePartCount
  /// ```
  ///
  /// - Returns: The statistics; nil if no set has a part in the color.
  /// - Throws: `CatalogError.reading`.
  public func statistics(
    ofColor color: Int
  ) throws(CatalogError) -> RebrickableCatalog.ColorStatistics? {
    try row("SELECT * FROM color_stats WHERE color_id = \(color)")
  }

  /// The statistics of a theme.
  ///
  /// ```swift
  /// let castle = try catalog.statistics(ofTheme: 186)
  /// let below = (castle?.total.setCount ?? 0) - (castle?.own.setCount ?? 0)
  /// ```
  ///
  /// - Returns: The statistics; nil if there is no such theme.
  /// - Throws: `CatalogError.reading`.
  public func statistics(
    ofTheme theme: Int
  ) throws(CatalogError) -> RebrickableCatalog.ThemeStatistics? {
    try row("SELECT * FROM theme_stats WHERE theme_id = \(theme)")
  }

  /// The statistics of a set: its lots, which are its parts in each color, and its pieces.
  ///
  /// ```swift
  /// let pieces = try catalog.statistics(ofSet: "6024-1")?.partCount
  /// ```
  ///
  /// - Returns: The statistics; nil if the set has no inventory, or there is no such set.
  /// - Throws: `CatalogError.reading`.
  public func statistics(
    ofSet set: String
  ) throws(CatalogError) -> RebrickableCatalog.SetStatistics? {
    try row("SELECT * FROM set_stats WHERE set_num = \(set)")
  }
}
