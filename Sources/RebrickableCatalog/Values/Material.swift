public import SQLiteSwiftly

extension RebrickableCatalog {
  /// The material of a part, in Rebrickable's words.
  ///
  /// Unknown words are preserved, because Rebrickable adds words without warning.
  ///
  /// ```swift
  /// let parts = RebrickableCatalog.Part.Helper(store: store)
  /// let tyres = try parts.find(where: ["part_material": RebrickableCatalog.Material.rubber])
  /// ```
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
}

extension RebrickableCatalog.Material: QueryDecodableValue, SQLiteValueConvertible {}

extension RebrickableCatalog.Material: CustomStringConvertible {
  /// The word.
  public var description: String { rawValue }
}
