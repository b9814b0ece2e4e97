public import SQLiteSwiftly

extension RebrickableCatalog {
  /// An inventory: one version of the contents of a set or of a minifig.
  public struct Inventory: Model {
    /// The table `inventories`.
    public static var table: TableDescription { inventories }

    /// The inventory's id.
    public var id: Int
    /// The number of the version.
    public var version: Int
    /// The number of the set, or of the minifig.
    public var setNumber: String

    /// Creates an inventory.
    public init(id: Int, version: Int, setNumber: String) {
      self.id = id
      self.version = version
      self.setNumber = setNumber
    }

    /// Reads a row, which may have more columns than the table.
    @inlinable
    public init(reading row: borrowing some NamedColumns & ~Escapable) throws(SQLiteError) {
      id = try row["id"]
      version = try row["version"]
      setNumber = try row["set_num"]
    }

    /// The values, in the order of the table's columns.
    public var values: [(any SQLiteValueConvertible)?] { [id, version, setNumber] }
  }

  /// The pieces of one part in one color in an inventory.
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

  /// A set inside the set of an inventory.
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

  /// A minifig in the set of an inventory.
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
