public import SQLiteSwiftly

extension RebrickableCatalog {
  /// A color of parts.
  public struct Color: Model {
    /// The table `colors`.
    public static var table: TableDescription { colors }

    /// The color's id: -1 is unknown, 9999 none or any.
    public var id: Int
    /// The name, which is unique.
    public var name: String
    /// Red, green and blue as six hexadecimal digits.
    public var rgb: String
    /// Whether it is transparent.
    public var isTransparent: Bool
    /// The number of pieces in the color; nil in older source files.
    public var partCount: Int?
    /// The number of uses of the color; nil in older source files.
    public var setCount: Int?
    /// The first year of the color; nil if unknown.
    public var firstYear: Int?
    /// The last year of the color; nil if unknown.
    public var lastYear: Int?

    /// Creates a color.
    public init(
      id: Int, name: String, rgb: String, isTransparent: Bool, partCount: Int? = nil,
      setCount: Int? = nil, firstYear: Int? = nil, lastYear: Int? = nil
    ) {
      self.id = id
      self.name = name
      self.rgb = rgb
      self.isTransparent = isTransparent
      self.partCount = partCount
      self.setCount = setCount
      self.firstYear = firstYear
      self.lastYear = lastYear
    }

    /// Reads a row, which may have more columns than the table.
    @inlinable
    public init(reading row: borrowing some NamedColumns & ~Escapable) throws(SQLiteError) {
      id = try row["id"]
      name = try row["name"]
      rgb = try row["rgb"]
      isTransparent = try row["is_trans"]
      partCount = try row["num_parts"]
      setCount = try row["num_sets"]
      firstYear = try row["y1"]
      lastYear = try row["y2"]
    }

    /// The values, in the order of the table's columns.
    public var values: [(any SQLiteValueConvertible)?] {
      [id, name, rgb, isTransparent, partCount, setCount, firstYear, lastYear]
    }
  }

  /// A category of parts, such as `Bricks`.
  public struct PartCategory: Model {
    /// The table `part_categories`.
    public static var table: TableDescription { partCategories }

    /// The category's id.
    public var id: Int
    /// The name.
    public var name: String

    /// Creates a category.
    public init(id: Int, name: String) {
      self.id = id
      self.name = name
    }

    /// Reads a row, which may have more columns than the table.
    @inlinable
    public init(reading row: borrowing some NamedColumns & ~Escapable) throws(SQLiteError) {
      id = try row["id"]
      name = try row["name"]
    }

    /// The values, in the order of the table's columns.
    public var values: [(any SQLiteValueConvertible)?] { [id, name] }
  }

  /// A part, regardless of color.
  ///
  /// ```swift
  /// let bricks = try connection.query(
  ///   "SELECT * FROM parts WHERE name LIKE 'Brick %'", as: RebrickableCatalog.Part.self)
  /// ```
  public struct Part: Model {
    /// The table `parts`.
    public static var table: TableDescription { parts }

    /// The part's number, as text: leading zeros matter.
    public var partNumber: String
    /// The name.
    public var name: String
    /// The category's id.
    public var categoryID: Int
    /// Its material; nil in older source files.
    public var material: Material?

    /// Creates a part.
    public init(partNumber: String, name: String, categoryID: Int, material: Material? = nil) {
      self.partNumber = partNumber
      self.name = name
      self.categoryID = categoryID
      self.material = material
    }

    /// Reads a row, which may have more columns than the table.
    @inlinable
    public init(reading row: borrowing some NamedColumns & ~Escapable) throws(SQLiteError) {
      partNumber = try row["part_num"]
      name = try row["name"]
      categoryID = try row["part_cat_id"]
      material = try row["part_material"]
    }

    /// The values, in the order of the table's columns.
    public var values: [(any SQLiteValueConvertible)?] { [partNumber, name, categoryID, material] }
  }

  /// A relation between two parts.
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

  /// An element: a part in a color, as LEGO numbers it.
  public struct Element: Model {
    /// The table `elements`.
    public static var table: TableDescription { elements }

    /// LEGO's number of the element, as text.
    public var id: String
    /// The part's number.
    public var partNumber: String
    /// The color's id.
    public var colorID: Int
    /// LEGO's number of the part; nil if unknown.
    public var designID: String?

    /// Creates an element.
    public init(id: String, partNumber: String, colorID: Int, designID: String? = nil) {
      self.id = id
      self.partNumber = partNumber
      self.colorID = colorID
      self.designID = designID
    }

    /// Reads a row, which may have more columns than the table.
    @inlinable
    public init(reading row: borrowing some NamedColumns & ~Escapable) throws(SQLiteError) {
      id = try row["element_id"]
      partNumber = try row["part_num"]
      colorID = try row["color_id"]
      designID = try row["design_id"]
    }

    /// The values, in the order of the table's columns.
    public var values: [(any SQLiteValueConvertible)?] { [id, partNumber, colorID, designID] }
  }

  /// The material of a part, in Rebrickable's words; unknown ones are preserved, because it adds words without warning.
  public struct Material: RawRepresentable, Hashable, Sendable, QueryDecodableValue,
    SQLiteValueConvertible, CustomStringConvertible
  {
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

    /// The word.
    public var description: String { rawValue }
  }

  /// The kind of a relation between parts, by Rebrickable's letter; unknown ones are preserved, as for `Material`.
  public struct RelationKind: RawRepresentable, Hashable, Sendable, QueryDecodableValue,
    SQLiteValueConvertible, CustomStringConvertible
  {
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

    /// The letter.
    public var description: String { rawValue }
  }
}
