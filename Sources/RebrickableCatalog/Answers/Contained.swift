public import SQLiteSwiftly

extension RebrickableCatalog {
  /// A minifig or a set inside a set, with its quantity.
  ///
  /// ```swift
  /// let figures = try catalog.minifigs(ofSet: "6024-1")
  /// let count = figures.map(\.quantity).reduce(0, +)
  /// ```
  public struct Contained<Item: Model>: RowDecodable, Hashable, Sendable {
    /// The minifig or set.
    public var item: Item
    /// The quantity.
    public var quantity: Int

    /// Reads a row.
    public init(row: borrowing Row) throws(SQLiteError) {
      item = try Item(row: row)
      quantity = try row["quantity"]
    }
  }
}
