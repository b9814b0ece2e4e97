public import SQLiteSwiftly

extension RebrickableCatalog {
  /// A theme, which may have a parent.
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

  /// A set.
  ///
  /// ```swift
  /// let year = 1998
  /// let sets = try connection.query(
  ///   "SELECT * FROM sets WHERE year = \(year)", as: RebrickableCatalog.LegoSet.self)
  /// ```
  public struct LegoSet: Model {
    /// The table `sets`.
    public static var table: TableDescription { sets }

    /// The set's number, such as `6024-1`.
    public var setNumber: String
    /// The name.
    public var name: String
    /// The year of its release.
    public var year: Int
    /// The theme's id.
    public var themeID: Int
    /// The number of parts; -1 (unknown) in old source files.
    public var partCount: Int
    /// The URL of a picture, unchanged; nil if there is none.
    public var imageURL: String?

    /// Creates a set.
    public init(
      setNumber: String, name: String, year: Int, themeID: Int, partCount: Int,
      imageURL: String? = nil
    ) {
      self.setNumber = setNumber
      self.name = name
      self.year = year
      self.themeID = themeID
      self.partCount = partCount
      self.imageURL = imageURL
    }

    /// Reads a row, which may have more columns than the table.
    @inlinable
    public init(reading row: borrowing some NamedColumns & ~Escapable) throws(SQLiteError) {
      setNumber = try row["set_num"]
      name = try row["name"]
      year = try row["year"]
      themeID = try row["theme_id"]
      partCount = try row["num_parts"]
      imageURL = try row["img_url"]
    }

    /// The values, in the order of the table's columns.
    public var values: [(any SQLiteValueConvertible)?] {
      [setNumber, name, year, themeID, partCount, imageURL]
    }
  }

  /// A minifig.
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
