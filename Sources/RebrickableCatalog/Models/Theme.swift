public import SQLiteSwiftly

extension RebrickableCatalog {
  /// A theme, which may be a part of another.
  ///
  /// ```swift
  /// let themes = RebrickableCatalog.Theme.Helper(store: store)
  /// let roots = try themes.find(where: ["parent_id": nil])
  /// ```
  public struct Theme: Model {
    /// The table `themes`.
    public static var table: TableDescription { themes }

    /// The theme's id, by which sets refer to it.
    public var id: Int
    /// The name, which other themes may have, too.
    public var name: String
    /// The theme that it is a part of; nil for one at the top.
    public var parentID: Int?

    /// Makes a theme.
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
