public import SQLiteSwiftly

extension RebrickableCatalog {
  /// The pieces of one part in one color that a set or a minifig has.
  ///
  /// ```swift
  /// let list = try catalog.parts(ofSet: "6024-1").map { part in
  ///   "\(part.quantity) x \(part.partName) in \(part.colorName)"
  /// }
  /// ```
  public struct SetPart: RowDecodable, Hashable, Sendable {
    /// The part's number.
    public var partNumber: String
    /// The part's name.
    public var partName: String
    /// The color's id.
    public var colorID: Int
    /// The color's name.
    public var colorName: String
    /// The number of pieces.
    public var quantity: Int
    /// Whether they are spare pieces.
    public var isSpare: Bool
    /// The URL of a picture, unchanged; nil if there is none.
    public var imageURL: String?

    /// Reads a row.
    public init(row: borrowing Row) throws(SQLiteError) {
      partNumber = try row["part_num"]
      partName = try row["part_name"]
      colorID = try row["color_id"]
      colorName = try row["color_name"]
      quantity = try row["quantity"]
      isSpare = try row["is_spare"]
      imageURL = try row["img_url"]
    }
  }
}
