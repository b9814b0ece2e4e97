public import SQLiteSwiftly

extension RebrickableCatalog {
  /// The kind of a relation between parts, by Rebrickable's letter.
  ///
  /// Unknown letters are preserved, because Rebrickable adds letters without warning.
  ///
  /// ```swift
  /// let relations = RebrickableCatalog.PartRelationship.Helper(store: store)
  /// let molds = try relations.find(where: ["rel_type": RebrickableCatalog.RelationKind.mold])
  /// ```
  public struct RelationKind: RawRepresentable, Hashable, Sendable {
    /// The letter.
    public let rawValue: String

    /// Creates a kind from a letter, known or unknown.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The child can replace the parent.
    public static let alternate = Self(rawValue: "A")
    /// The child is a piece of the parent, which comes assembled.
    public static let subPart = Self(rawValue: "B")
    /// The child is another mold of the parent.
    public static let mold = Self(rawValue: "M")
    /// The child is the parent with a print.
    public static let print = Self(rawValue: "P")
    /// Child and parent are a pair, such as a left and a right wing.
    public static let pair = Self(rawValue: "R")
    /// The child is the parent in a pattern of several colors.
    public static let pattern = Self(rawValue: "T")

    /// The known kinds.
    public static let known = [alternate, subPart, mold, print, pair, pattern]
  }
}

extension RebrickableCatalog.RelationKind: QueryDecodableValue, SQLiteValueConvertible {}

extension RebrickableCatalog.RelationKind: CustomStringConvertible {
  /// The letter.
  public var description: String { rawValue }
}
