public import SQLiteSwiftly

extension RebrickableCatalog {
  /// What a part is made of, in Rebrickable's words.
  ///
  /// Words that are not among the known ones are kept as they are, since Rebrickable adds some without warning.
  ///
  /// ```swift
  /// let parts = RebrickableCatalog.Part.Helper(store: store)
  /// let tyres = try parts.find(where: ["part_material": RebrickableCatalog.Material.rubber])
  /// ```
  public struct Material: RawRepresentable, Hashable, Sendable {
    /// The word.
    public let rawValue: String

    /// Makes the material of a word, which need not be a known one.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Plastic, as most parts are.
    public static let plastic = Self(rawValue: "Plastic")
    /// Cardboard or paper.
    public static let cardboardOrPaper = Self(rawValue: "Cardboard/Paper")
    /// Cloth.
    public static let cloth = Self(rawValue: "Cloth")
    /// Rubber.
    public static let rubber = Self(rawValue: "Rubber")
    /// Foam.
    public static let foam = Self(rawValue: "Foam")
    /// Plastic that bends.
    public static let flexiblePlastic = Self(rawValue: "Flexible Plastic")
    /// Metal.
    public static let metal = Self(rawValue: "Metal")

    /// The materials that have been in the dumps so far.
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
