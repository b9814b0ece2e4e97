public import SQLiteSwiftly

extension RebrickableCatalog {
  /// A relation between two parts.
  ///
  /// ```swift
  /// let relations = RebrickableCatalog.PartRelationship.Helper(store: store)
  /// let prints = try relations.find(where: ["rel_type": "P", "parent_part_num": "3001"])
  /// ```
  public struct PartRelationship: Model {
    /// The table `part_relationships`.
    public static var table: TableDescription { partRelationships }

    /// The child's relation to the parent.
    public var kind: RelationKind
    /// The child's number, such as that of a print.
    public var childPartNumber: String
    /// The parent's number, such as that of the plain part.
    public var parentPartNumber: String

    /// Creates a relation of two parts.
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
