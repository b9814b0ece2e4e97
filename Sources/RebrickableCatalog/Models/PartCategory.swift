public import SQLiteSwiftly

extension RebrickableCatalog {
  /// A category of parts, such as `Bricks`.
  ///
  /// ```swift
  /// let categories = RebrickableCatalog.PartCategory.Helper(store: store)
  /// let names = try categories.findAll().map(\.name)
  /// ```
  public struct PartCategory: Model {
    /// The table `part_categories`.
    public static var table: TableDescription { partCategories }

    /// The category's id.
    public var id: Int
    /// The name.
    public var name: String

    /// Creates a category.
    public init(id: Int, name: String) {
      self.id = id
      self.name = name
    }

    /// Reads a row, which may have more columns than the table.
    @inlinable
    public init(reading row: borrowing some NamedColumns & ~Escapable) throws(SQLiteError) {
      id = try row["id"]
      name = try row["name"]
    }

    /// The values, in the order of the table's columns.
    public var values: [(any SQLiteValueConvertible)?] { [id, name] }
  }
}
