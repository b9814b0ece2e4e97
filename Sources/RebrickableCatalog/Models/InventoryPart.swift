public import SQLiteSwiftly

extension RebrickableCatalog {
  /// The pieces of one part in one color in an inventory.
  ///
  /// ```swift
  /// let contents = RebrickableCatalog.InventoryPart.Helper(store: store)
  /// let spares = try contents.find(where: ["inventory_id": 7, "is_spare": true])
  /// ```
  public struct InventoryPart: Model {
    /// The table `inventory_parts`.
    public static var table: TableDescription { inventoryParts }

    /// The inventory's id.
    public var inventoryID: Int
    /// The part's number.
    public var partNumber: String
    /// The color's id.
    public var colorID: Int
    /// The number of pieces.
    public var quantity: Int
    /// Whether they are spare pieces, which have a separate row.
    public var isSpare: Bool
    /// The URL of a picture, unchanged; nil if there is none.
    public var imageURL: String?

    /// Creates the pieces of a part.
    public init(
      inventoryID: Int, partNumber: String, colorID: Int, quantity: Int, isSpare: Bool,
      imageURL: String? = nil
    ) {
      self.inventoryID = inventoryID
      self.partNumber = partNumber
      self.colorID = colorID
      self.quantity = quantity
      self.isSpare = isSpare
      self.imageURL = imageURL
    }

    /// Reads a row, which may have more columns than the table.
    @inlinable
    public init(reading row: borrowing some NamedColumns & ~Escapable) throws(SQLiteError) {
      inventoryID = try row["inventory_id"]
      partNumber = try row["part_num"]
      colorID = try row["color_id"]
      quantity = try row["quantity"]
      isSpare = try row["is_spare"]
      imageURL = try row["img_url"]
    }

    /// The values, in the order of the table's columns.
    public var values: [(any SQLiteValueConvertible)?] {
      [inventoryID, partNumber, colorID, quantity, isSpare, imageURL]
    }
  }
}
