public import SQLiteSwiftly

extension RebrickableCatalog {
  /// A color of parts.
  ///
  /// ```swift
  /// let colors = RebrickableCatalog.Color.Helper(store: store)
  /// let red = try colors.find(4)
  /// ```
  public struct Color: Model {
    /// The table `colors`.
    public static var table: TableDescription { colors }

    /// The color's id: -1 is unknown, 9999 none or any.
    public var id: Int
    /// The name, which is unique.
    public var name: String
    /// Red, green and blue as six hexadecimal digits.
    public var rgb: String
    /// Whether it is transparent.
    public var isTransparent: Bool
    /// The number of pieces in the color; nil in older source files.
    public var partCount: Int?
    /// The number of uses of the color; nil in older source files.
    public var setCount: Int?
    /// The first year of the color; nil if unknown.
    public var firstYear: Int?
    /// The last year of the color; nil if unknown.
    public var lastYear: Int?

    /// Creates a color.
    public init(
      id: Int, name: String, rgb: String, isTransparent: Bool, partCount: Int? = nil,
      setCount: Int? = nil, firstYear: Int? = nil, lastYear: Int? = nil
    ) {
      self.id = id
      self.name = name
      self.rgb = rgb
      self.isTransparent = isTransparent
      self.partCount = partCount
      self.setCount = setCount
      self.firstYear = firstYear
      self.lastYear = lastYear
    }

    /// Reads a row, which may have more columns than the table.
    @inlinable
    public init(reading row: borrowing some NamedColumns & ~Escapable) throws(SQLiteError) {
      id = try row["id"]
      name = try row["name"]
      rgb = try row["rgb"]
      isTransparent = try row["is_trans"]
      partCount = try row["num_parts"]
      setCount = try row["num_sets"]
      firstYear = try row["y1"]
      lastYear = try row["y2"]
    }

    /// The values, in the order of the table's columns.
    public var values: [(any SQLiteValueConvertible)?] {
      [id, name, rgb, isTransparent, partCount, setCount, firstYear, lastYear]
    }
  }
}
