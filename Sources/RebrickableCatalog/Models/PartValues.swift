public import SQLiteSwiftly

extension RebrickableCatalog {
  /// The material of a part, in Rebrickable's words; unknown ones are preserved, because it adds words without warning.
  public struct Material: RawRepresentable, Hashable, Sendable {
    /// The word.
    public let rawValue: String

    /// Creates a material from a word, known or unknown.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Plastic, the material of most parts.
    public static let plastic = Self(rawValue: "Plastic")
    /// Cardboard or paper.
    public static let cardboardOrPaper = Self(rawValue: "Cardboard/Paper")
    /// Cloth.
    public static let cloth = Self(rawValue: "Cloth")
    /// Rubber.
    public static let rubber = Self(rawValue: "Rubber")
    /// Foam.
    public static let foam = Self(rawValue: "Foam")
    /// Flexible plastic.
    public static let flexiblePlastic = Self(rawValue: "Flexible Plastic")
    /// Metal.
    public static let metal = Self(rawValue: "Metal")

    /// The known materials.
    public static let known = [
      plastic, cardboardOrPaper, cloth, rubber, foam, flexiblePlastic, metal,
    ]
  }

  /// The kind of a relation between parts, by Rebrickable's letter; unknown ones are preserved, as for `Material`.
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

extension RebrickableCatalog.Material: QueryDecodableValue, SQLiteValueConvertible {}

extension RebrickableCatalog.Material: CustomStringConvertible {
  /// The word.
  public var description: String { rawValue }
}

extension RebrickableCatalog.RelationKind: QueryDecodableValue, SQLiteValueConvertible {}

extension RebrickableCatalog.RelationKind: CustomStringConvertible {
  /// The letter.
  public var description: String { rawValue }
}
