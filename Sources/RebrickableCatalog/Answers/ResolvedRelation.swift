public import SQLiteSwiftly

extension RebrickableCatalog {
  /// What a part is of another, through one relation or several of the same kind: a row of
  /// `part_relations_resolved`.
  ///
  /// ```swift
  /// let chains = try catalog.relations(of: "3001pr1").map(\.chain)
  /// ```
  public struct ResolvedRelation: RowDecodable, Hashable, Sendable {
    /// What the child is of the parent.
    public var kind: RelationKind
    /// The number of the part that is, for instance, the print.
    public var childPartNumber: String
    /// The number of the part that is, for instance, printed on.
    public var parentPartNumber: String
    /// The number of relations from one to the other.
    public var depth: Int
    /// The numbers of all parts on the way, to be read by people.
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
