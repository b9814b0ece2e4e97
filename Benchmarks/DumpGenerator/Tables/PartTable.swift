/// The rows of parts, by part number in the order of a locale.
///
/// Parts come in families: a mold and its prints, molded variants and assemblies.
struct PartTable {
  struct Part {
    var number: String
    var name: String
    /// Index of the category.
    var category: Int
    /// Index of the material; nil where the dump has none.
    var material: Int? = 0
    /// Which family; nil for parts without relatives.
    var family: Int?
    var isMold = false
  }

  let parts: [Part]
  /// The part numbers once more, for fast copying.
  let numbers: TextList
  /// The index of the mold of each part that is a variant of another.
  let molds: [Int?]
  private let categoryIds: [Int]

  static let materials = [
    "Plastic", "Rubber", "Cloth", "Foam", "Cardboard/Paper", "Flexible Plastic", "Metal",
  ]

  var count: Int { parts.count }

  init(count: Int, categories: PartCategoryTable, random: RandomSource) {
    var families = PartFamilies(categoryCount: categories.ids.count, random: random)
    var parts = PartTraps.parts
    precondition(count >= parts.count, "the traps are always there")
    while parts.count < count {
      parts += families.nextFamily(atMost: count - parts.count)
    }
    parts.sortAsInDumps(by: \.number)
    self.parts = parts
    numbers = TextList(parts.lazy.map(\.number))
    categoryIds = categories.ids
    var moldOfFamily = [Int](repeating: 0, count: families.count)
    for index in parts.indices where parts[index].isMold {
      if let family = parts[index].family { moldOfFamily[family] = index }
    }
    molds = parts.map { $0.isMold ? nil : $0.family.map { moldOfFamily[$0] } }
  }

  func write(to rows: inout RowWriter) throws(DumpError) {
    for part in parts {
      rows.add(part.number)
      rows.add(part.name)
      rows.add(categoryIds[part.category])
      addMaterial(of: part, to: &rows)
      try rows.endRow()
    }
  }

  private func addMaterial(of part: Part, to rows: inout RowWriter) {
    guard let material = part.material else { return rows.addNothing() }
    switch rows.era {
    case .today: rows.add(Self.materials[material])
    // The numbers of old were 1 to 5: the two youngest materials had none of their own.
    case .june2020: rows.add(material < 5 ? material + 1 : 1)
    }
  }
}
