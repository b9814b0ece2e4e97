public import SQLiteSwiftly

extension RebrickableCatalog {
  /// An element: a part in a color, as LEGO numbers it.
  ///
  /// ```swift
  /// let elements = RebrickableCatalog.Element.Helper(store: store)
  /// let redBricks = try elements.find(where: ["part_num": "3001", "color_id": 4])
  /// ```
  public struct Element: Model {
    /// The table `elements`.
    public static var table: TableDescription { elements }

    /// LEGO's number of the element, as text.
    public var id: String
    /// The part's number.
    public var partNumber: String
    /// The color's id.
    public var colorID: Int
    /// LEGO's number of the part; nil if unknown.
    public var designID: String?

    /// Creates an element.
    public init(id: String, partNumber: String, colorID: Int, designID: String? = nil) {
      self.id = id
      self.partNumber = partNumber
      self.colorID = colorID
      self.designID = designID
    }

    /// Reads a row, which may have more columns than the table.
    @inlinable
    public init(reading row: borrowing some NamedColumns & ~Escapable) throws(SQLiteError) {
      id = try row["element_id"]
      partNumber = try row["part_num"]
      colorID = try row["color_id"]
      designID = try row["design_id"]
    }

    /// The values, in the order of the table's columns.
    public var values: [(any SQLiteValueConvertible)?] { [id, partNumber, colorID, designID] }
  }
}
