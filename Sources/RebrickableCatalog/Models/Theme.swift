public import SQLiteSwiftly

extension RebrickableCatalog {
  /// A theme, which may have a parent.
  ///
  /// ```swift
  /// let themes = RebrickableCatalog.Theme.Helper(store: store)
  /// let roots = try themes.find(where: ["parent_id": nil])
  /// ```
  public struct Theme: Model {
    /// The table `themes`.
    public static var table: TableDescription { themes }

    /// The theme's id.
    public var id: Int
    /// The name, which is not unique.
    public var name: String
    /// The parent theme; nil for a top-level theme.
    public var parentID: Int?

    /// Creates a theme.
    public init(id: Int, name: String, parentID: Int? = nil) {
      self.id = id
      self.name = name
      self.parentID = parentID
    }

    /// Reads a row, which may have more columns than the table.
    @inlinable
    public init(reading row: borrowing some NamedColumns & ~Escapable) throws(SQLiteError) {
      id = try row["id"]
      name = try row["name"]
      parentID = try row["parent_id"]
    }

    /// The values, in the order of the table's columns.
    public var values: [(any SQLiteValueConvertible)?] { [id, name, parentID] }
  }
}
