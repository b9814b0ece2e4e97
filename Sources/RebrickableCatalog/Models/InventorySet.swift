public import SQLiteSwiftly

extension RebrickableCatalog {
  /// A set inside the set of an inventory.
  ///
  /// ```swift
  /// let contained = RebrickableCatalog.InventorySet.Helper(store: store)
  /// let containing = try contained.find(where: ["set_num": "6024-1"]).map(\.inventoryID)
  /// ```
  public struct InventorySet: Model {
    /// The table `inventory_sets`.
    public static var table: TableDescription { inventorySets }

    /// The inventory's id.
    public var inventoryID: Int
    /// The number of the set that is inside.
    public var setNumber: String
    /// The quantity.
    public var quantity: Int

    /// Creates a set inside a set.
    public init(inventoryID: Int, setNumber: String, quantity: Int) {
      self.inventoryID = inventoryID
      self.setNumber = setNumber
      self.quantity = quantity
    }

    /// Reads a row, which may have more columns than the table.
    @inlinable
    public init(reading row: borrowing some NamedColumns & ~Escapable) throws(SQLiteError) {
      inventoryID = try row["inventory_id"]
      setNumber = try row["set_num"]
      quantity = try row["quantity"]
    }

    /// The values, in the order of the table's columns.
    public var values: [(any SQLiteValueConvertible)?] { [inventoryID, setNumber, quantity] }
  }
}
