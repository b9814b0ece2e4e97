public import SQLiteSwiftly

extension RebrickableCatalog {
  /// A set that shares pieces with another.
  ///
  /// ```swift
  /// let best = try catalog.similarSets(to: "6024-1").first?.similarity
  /// ```
  public struct SimilarSet: RowDecodable, Hashable, Sendable {
    /// The set's number.
    public var setNumber: String
    /// The set's name.
    public var name: String
    /// The year of the set's release.
    public var year: Int
    /// The number of pieces that both sets have.
    public var sharedPartCount: Int
    /// The shared pieces as a fraction of all pieces of both sets: 1 if both have the same pieces.
    public var similarity: Double

    /// Reads a row.
    public init(row: borrowing Row) throws(SQLiteError) {
      setNumber = try row["set_num"]
      name = try row["name"]
      year = try row["year"]
      sharedPartCount = try row["num_shared"]
      similarity = try row["similarity"]
    }
  }
}
