public import SQLiteSwiftly

extension RebrickableCatalog {
  /// A part, regardless of color.
  ///
  /// ```swift
  /// let bricks = try connection.query(
  ///   "SELECT * FROM parts WHERE name LIKE 'Brick %'", as: RebrickableCatalog.Part.self)
  /// ```
  public struct Part: Model {
    /// The table `parts`.
    public static var table: TableDescription { parts }

    /// The part's number, as text: leading zeros matter.
    public var partNumber: String
    /// The name.
    public var name: String
    /// The category's id.
    public var categoryID: Int
    /// Its material; nil in older source files.
    public var material: Material?

    /// Creates a part.
    public init(partNumber: String, name: String, categoryID: Int, material: Material? = nil) {
      self.partNumber = partNumber
      self.name = name
      self.categoryID = categoryID
      self.material = material
    }

    /// Reads a row, which may have more columns than the table.
    @inlinable
    public init(reading row: borrowing some NamedColumns & ~Escapable) throws(SQLiteError) {
      partNumber = try row["part_num"]
      name = try row["name"]
      categoryID = try row["part_cat_id"]
      material = try row["part_material"]
    }

    /// The values, in the order of the table's columns.
    public var values: [(any SQLiteValueConvertible)?] { [partNumber, name, categoryID, material] }
  }
}
