public import SQLiteSwiftly

extension RebrickableCatalog {
  /// How one part relates to another.
  ///
  /// ```swift
  /// let relations = RebrickableCatalog.PartRelationship.Helper(store: store)
  /// let prints = try relations.find(where: ["rel_type": "P", "parent_part_num": "3001"])
  /// ```
  public struct PartRelationship: Model {
    /// The table `part_relationships`.
    public static var table: TableDescription { partRelationships }

    /// What the child is of the parent.
    public var kind: RelationKind
    /// The number of the part that is, for instance, the print.
    public var childPartNumber: String
    /// The number of the part that is, for instance, printed on.
    public var parentPartNumber: String

    /// Makes a relation of two parts.
    public init(kind: RelationKind, childPartNumber: String, parentPartNumber: String) {
      self.kind = kind
      self.childPartNumber = childPartNumber
      self.parentPartNumber = parentPartNumber
    }

    /// Reads a row, which may have more columns than the table.
    @inlinable
    public init(reading row: borrowing some NamedColumns & ~Escapable) throws(SQLiteError) {
      kind = try row["rel_type"]
      childPartNumber = try row["child_part_num"]
      parentPartNumber = try row["parent_part_num"]
    }

    /// The values, in the order of the table's columns.
    public var values: [(any SQLiteValueConvertible)?] {
      [kind, childPartNumber, parentPartNumber]
    }
  }
}
