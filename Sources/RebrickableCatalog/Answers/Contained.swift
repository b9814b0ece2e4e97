public import SQLiteSwiftly

extension RebrickableCatalog {
  /// A minifig or a set that is in a set, and how many times.
  ///
  /// ```swift
  /// let figures = try catalog.minifigs(ofSet: "6024-1")
  /// let count = figures.map(\.quantity).reduce(0, +)
  /// ```
  public struct Contained<Item: Model>: RowDecodable, Hashable, Sendable {
    /// What is in the set.
    public var item: Item
    /// How many of it.
    public var quantity: Int

    /// Reads a row.
    public init(row: borrowing Row) throws(SQLiteError) {
      item = try Item(row: row)
      quantity = try row["quantity"]
    }
  }
}
