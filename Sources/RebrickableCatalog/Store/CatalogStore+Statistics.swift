public import SQLiteSwiftly

/// Statistics that `ingest` precomputes.
///
/// A set has the parts of its latest inventory and of its minifigs; sets inside it count separately. Properties whose
/// names begin with `ever` count all versions of a set: the largest quantity that any version has of a part in a color.
/// Each query reads one row.
extension CatalogStore {
  /// The statistics of a part in all colors; nil if no version of a set has the part.
  ///
  /// ```swift
  /// if let brick = try catalog.statistics(ofPart: "3001") {
  ///   text = "\(brick.colorCount) colors in \(brick.usage.setCount) sets"
  /// }
  /// ```
  public func statistics(
    ofPart part: String
  ) throws(CatalogError) -> RebrickableCatalog.PartStatistics? {
    try row("SELECT * FROM part_stats WHERE part_num = \(part)")
  }

  /// The statistics of a part in one color; nil if no version of a set has the part in the color.
  public func statistics(
    ofPart part: String, color: Int
  ) throws(CatalogError) -> RebrickableCatalog.PartColorStatistics? {
    try row("SELECT * FROM part_color_stats WHERE part_num = \(part) AND color_id = \(color)")
  }

  /// The statistics of a color; nil if no version of a set has a part in the color.
  public func statistics(
    ofColor color: Int
  ) throws(CatalogError) -> RebrickableCatalog.ColorStatistics? {
    try row("SELECT * FROM color_stats WHERE color_id = \(color)")
  }

  /// The statistics of a theme; nil if there is no such theme.
  ///
  /// ```swift
  /// let castle = try catalog.statistics(ofTheme: 186)
  /// let below = (castle?.total.setCount ?? 0) - (castle?.own.setCount ?? 0)
  /// ```
  public func statistics(
    ofTheme theme: Int
  ) throws(CatalogError) -> RebrickableCatalog.ThemeStatistics? {
    try row("SELECT * FROM theme_stats WHERE theme_id = \(theme)")
  }

  /// The statistics of a set, in lots, which are its parts in each color, and pieces.
  ///
  /// Returns nil if the set has no inventory, or there is no such set.
  public func statistics(
    ofSet set: String
  ) throws(CatalogError) -> RebrickableCatalog.SetStatistics? {
    try row("SELECT * FROM set_stats WHERE set_num = \(set)")
  }
}

extension RebrickableCatalog {
  /// The number of sets that use an item, their years, and the number of pieces.
  public struct Usage: Hashable, Sendable {
    /// The number of sets with it, except as a spare only.
    public var setCount: Int
    /// The first year of these sets; nil if there are none.
    public var firstYear: Int?
    /// The last year of these sets; nil if there are none.
    public var lastYear: Int?
    /// The number of pieces without spares; nil if it is too large.
    public var partCount: Int?
    /// The number of spare pieces; nil if it is too large.
    public var spareCount: Int?

    init(row: borrowing Row, prefix: String = "") throws(SQLiteError) {
      setCount = try row[prefix + "num_sets"]
      firstYear = try row[prefix + "min_year"]
      lastYear = try row[prefix + "max_year"]
      partCount = try row[prefix + "num_parts"]
      spareCount = try row[prefix + "num_spares"]
    }
  }

  /// The statistics of a part: a row of `part_stats`.
  ///
  /// ```swift
  /// let query: SQL = "SELECT * FROM part_stats ORDER BY num_sets DESC LIMIT 3"
  /// let common = try catalog.connection.query(query, as: RebrickableCatalog.PartStatistics.self)
  /// ```
  public struct PartStatistics: RowDecodable, Hashable, Sendable {
    /// The part's number.
    public var partNumber: String
    /// The number of colors used in the latest versions of sets.
    public var colorCount: Int
    /// Its use in the latest versions of sets.
    public var usage: Usage
    /// The number of colors used in any version of a set.
    public var everColorCount: Int
    /// Its use in all versions of sets.
    public var everUsage: Usage

    /// Reads a row.
    public init(row: borrowing Row) throws(SQLiteError) {
      partNumber = try row["part_num"]
      colorCount = try row["num_colors"]
      everColorCount = try row["ever_num_colors"]
      usage = try Usage(row: row)
      everUsage = try Usage(row: row, prefix: "ever_")
    }
  }

  /// The statistics of a part in a color: a row of `part_color_stats`.
  public struct PartColorStatistics: RowDecodable, Hashable, Sendable {
    /// The part's number.
    public var partNumber: String
    /// The color's id.
    public var colorID: Int
    /// Its use in the latest versions of sets.
    public var usage: Usage
    /// Its use in all versions of sets.
    public var everUsage: Usage

    /// Reads a row.
    public init(row: borrowing Row) throws(SQLiteError) {
      partNumber = try row["part_num"]
      colorID = try row["color_id"]
      usage = try Usage(row: row)
      everUsage = try Usage(row: row, prefix: "ever_")
    }
  }

  /// The statistics of a color: a row of `color_stats`.
  public struct ColorStatistics: RowDecodable, Hashable, Sendable {
    /// The color's id.
    public var colorID: Int
    /// The number of different parts in this color in the latest versions of sets.
    public var uniquePartCount: Int
    /// Its use in the latest versions of sets.
    public var usage: Usage
    /// The number of different parts in this color in any version of a set.
    public var everUniquePartCount: Int
    /// Its use in all versions of sets.
    public var everUsage: Usage

    /// Reads a row.
    public init(row: borrowing Row) throws(SQLiteError) {
      colorID = try row["color_id"]
      uniquePartCount = try row["num_unique_parts"]
      everUniquePartCount = try row["ever_num_unique_parts"]
      usage = try Usage(row: row)
      everUsage = try Usage(row: row, prefix: "ever_")
    }
  }

  /// The statistics of a theme: a row of `theme_stats`.
  public struct ThemeStatistics: RowDecodable, Hashable, Sendable {
    /// The theme's id.
    public var themeID: Int
    /// The sets of the theme itself.
    public var own: Usage
    /// The sets of the theme and of all themes below it.
    public var total: Usage

    /// Reads a row.
    public init(row: borrowing Row) throws(SQLiteError) {
      themeID = try row["theme_id"]
      own = try Usage(row: row)
      total = try Usage(row: row, prefix: "total_")
    }
  }

  /// The statistics of a set: a row of `set_stats`.
  public struct SetStatistics: RowDecodable, Hashable, Sendable {
    /// The set's number.
    public var setNumber: String
    /// The number of lots: different parts and colors, without spares.
    public var lotCount: Int
    /// The number of pieces without spares; nil if it is too large.
    public var partCount: Int?
    /// The number of spare pieces; nil if it is too large.
    public var spareCount: Int?

    /// Reads a row.
    public init(row: borrowing Row) throws(SQLiteError) {
      setNumber = try row["set_num"]
      lotCount = try row["num_lots"]
      partCount = try row["num_parts"]
      spareCount = try row["num_spares"]
    }
  }
}
