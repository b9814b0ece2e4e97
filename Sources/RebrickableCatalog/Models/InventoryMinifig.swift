public import SQLiteSwiftly

extension RebrickableCatalog {
  /// A minifig in the set of an inventory.
  ///
  /// ```swift
  /// let figures = RebrickableCatalog.InventoryMinifig.Helper(store: store)
  /// let knights = try figures.find(7, "fig-000001")?.quantity
  /// ```
  public struct InventoryMinifig: Model {
    /// The table `inventory_minifigs`.
    public static var table: TableDescription { inventoryMinifigs }

    /// The inventory's id.
    public var inventoryID: Int
    /// The minifig's number.
    public var figNumber: String
    /// The quantity.
    public var quantity: Int

    /// Creates a minifig in a set.
    public init(inventoryID: Int, figNumber: String, quantity: Int) {
      self.inventoryID = inventoryID
      self.figNumber = figNumber
      self.quantity = quantity
    }

    /// Reads a row, which may have more columns than the table.
    @inlinable
    public init(reading row: borrowing some NamedColumns & ~Escapable) throws(SQLiteError) {
      inventoryID = try row["inventory_id"]
      figNumber = try row["fig_num"]
      quantity = try row["quantity"]
    }

    /// The values, in the order of the table's columns.
    public var values: [(any SQLiteValueConvertible)?] { [inventoryID, figNumber, quantity] }
  }
}
