public import SQLiteSwiftly

extension RebrickableCatalog {
  /// A set that has a part.
  ///
  /// ```swift
  /// let needed = try catalog.setsUsing(part: "3001", color: 4).map(\.quantity)
  /// ```
  public struct PartUse: RowDecodable, Hashable, Sendable {
    /// The set's number.
    public var setNumber: String
    /// The set's name.
    public var name: String
    /// The year of the set's release.
    public var year: Int
    /// The number of pieces without spares; 0 if the set has the part only as a spare.
    public var quantity: Int
    /// The number of spare pieces.
    public var spareQuantity: Int

    /// Reads a row.
    public init(row: borrowing Row) throws(SQLiteError) {
      setNumber = try row["set_num"]
      name = try row["name"]
      year = try row["year"]
      quantity = try row["quantity"]
      spareQuantity = try row["spares"]
    }
  }
}
