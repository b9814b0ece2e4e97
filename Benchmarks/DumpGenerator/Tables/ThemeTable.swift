/// The rows of themes: a forest, at most three levels deep, in which children may come first.
struct ThemeTable {
  private(set) var ids: [Int] = []
  private var names: [String] = []
  /// The index of each theme's parent.
  private var parents: [Int?] = []

  var count: Int { ids.count }

  init(count: Int, random: RandomSource) {
    var random = random
    var id = 0
    for index in 0..<count {
      id += random.happens(percent: 20) ? random.number(in: 2...4) : 1
      ids.append(id)
      parents.append(Self.parent(of: index, count: count, random: &random))
      names.append(Self.name(at: index, isRoot: parents[index] == nil, random: &random))
    }
  }

  /// Every third theme is a root, and every third of the others may be a grandchild.
  private static func parent(of index: Int, count: Int, random: inout RandomSource) -> Int? {
    func third(_ remainder: Int) -> Int {
      remainder + 3 * random.number(below: (count - remainder + 2) / 3)
    }
    // The first theme is the child of a later one in every set.
    if index == 0 { return 2 }
    return switch index % 3 {
    case 0: third(2)
    case 1: random.happens(percent: 50) ? third(0) : third(2)
    default: nil
    }
  }

  private static func name(at index: Int, isRoot: Bool, random: inout RandomSource) -> String {
    switch index {
    case 0: "Arctic Technic"
    case 1: "Bags, Totes, & Luggage"
    case 3: "Ch\u{E2}teau\u{A0}Fort"
    case _ where isRoot: Vocabulary.themes[index / 3 % Vocabulary.themes.count]
    case _ where random.happens(percent: 20): "Series \(index % 27 + 1) Minifigures"
    default: random.element(of: Vocabulary.subthemes)
    }
  }

  func write(to rows: inout RowWriter) throws(DumpError) {
    for index in ids.indices {
      rows.add(ids[index])
      rows.add(names[index])
      if let parent = parents[index] { rows.add(ids[parent]) } else { rows.addNothing() }
      try rows.endRow()
    }
  }
}
