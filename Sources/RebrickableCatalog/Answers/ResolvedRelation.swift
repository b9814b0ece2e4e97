public import SQLiteSwiftly

extension RebrickableCatalog {
  /// A direct or indirect relation between two parts: a row of `part_relations_resolved`.
  ///
  /// ```swift
  /// let chains = try catalog.relations(of: "3001pr1").map(\.chain)
  /// ```
  public struct ResolvedRelation: RowDecodable, Hashable, Sendable {
    /// The child's relation to the parent.
    public var kind: RelationKind
    /// The child's number, such as that of a print.
    public var childPartNumber: String
    /// The parent's number, such as that of the plain part.
    public var parentPartNumber: String
    /// The number of relations between the two.
    public var depth: Int
    /// The numbers of all parts from child to parent, for display.
    public var chain: String

    /// Reads a row.
    public init(row: borrowing Row) throws(SQLiteError) {
      kind = try row["rel_type"]
      childPartNumber = try row["child_part_num"]
      parentPartNumber = try row["parent_part_num"]
      depth = try row["depth"]
      chain = try row["chain"]
    }
  }
}
