/// The rows of part_relationships, in no order.
struct PartRelationshipTable {
  private struct Relationship {
    var type: String
    var child: Int
    var parent: Int
  }

  private static let types = ["M", "A", "T", "R", "B"]
  /// Pairs and sub-parts came a few months after June 2020.
  private static let typesOf2020 = ["M", "A", "T", "M", "A"]

  private var relationships: [Relationship] = []
  private let parts: PartTable

  /// Makes prints of molds, and other relationships of any two parts.
  ///
  /// A part is the child of at most one relationship of either sort, so no triple comes twice.
  init(count: Int, parts: PartTable, random: RandomSource) {
    var random = random
    self.parts = parts
    var children = Array(0..<parts.count)
    random.shuffle(&children)
    for child in children where relationships.count < count * 4 / 5 {
      guard let mold = parts.molds[child] else { continue }
      relationships.append(Relationship(type: "P", child: child, parent: mold))
    }
    precondition(count - relationships.count <= parts.count, "each part is a child once")
    for child in children.prefix(count - relationships.count) {
      // Now and then a part is related to itself; the real dumps have five of these.
      let parent = random.happens(percent: 1) ? child : random.number(below: parts.count)
      let type = Self.types[random.rank(below: Self.types.count)]
      relationships.append(Relationship(type: type, child: child, parent: parent))
    }
    random.shuffle(&relationships)
  }

  func write(to rows: inout RowWriter) throws(DumpError) {
    for relationship in relationships {
      rows.add(type(of: relationship, in: rows.era))
      rows.add(plain: parts.numbers[relationship.child])
      rows.add(plain: parts.numbers[relationship.parent])
      try rows.endRow()
    }
  }

  private func type(of relationship: Relationship, in era: Era) -> String {
    guard era == .june2020, let index = Self.types.firstIndex(of: relationship.type) else {
      return relationship.type
    }
    return Self.typesOf2020[index]
  }
}
