public import SQLiteSwiftly

extension RebrickableCatalog {
  /// An inventory: one version of the contents of a set or of a minifig.
  ///
  /// ```swift
  /// let inventories = RebrickableCatalog.Inventory.Helper(store: store)
  /// let versions = try inventories.find(where: ["set_num": "6024-1"])
  /// ```
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
}
