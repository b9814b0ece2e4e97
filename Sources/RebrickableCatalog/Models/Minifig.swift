public import SQLiteSwiftly

extension RebrickableCatalog {
  /// A minifig.
  ///
  /// ```swift
  /// let minifigs = RebrickableCatalog.Minifig.Helper(store: store)
  /// let knight = try minifigs.find("fig-000001")
  /// ```
  public struct Minifig: Model {
    /// The table `minifigs`.
    public static var table: TableDescription { minifigs }

    /// The minifig's number, such as `fig-000001`.
    public var figNumber: String
    /// The name.
    public var name: String
    /// The number of parts.
    public var partCount: Int
    /// The URL of a picture, unchanged; nil if there is none.
    public var imageURL: String?

    /// Creates a minifig.
    public init(figNumber: String, name: String, partCount: Int, imageURL: String? = nil) {
      self.figNumber = figNumber
      self.name = name
      self.partCount = partCount
      self.imageURL = imageURL
    }

    /// Reads a row, which may have more columns than the table.
    @inlinable
    public init(reading row: borrowing some NamedColumns & ~Escapable) throws(SQLiteError) {
      figNumber = try row["fig_num"]
      name = try row["name"]
      partCount = try row["num_parts"]
      imageURL = try row["img_url"]
    }

    /// The values, in the order of the table's columns.
    public var values: [(any SQLiteValueConvertible)?] { [figNumber, name, partCount, imageURL] }
  }
}
