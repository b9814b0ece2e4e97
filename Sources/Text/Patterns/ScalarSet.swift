/// A set of Unicode scalars, as sorted ranges with gaps between them.
package struct ScalarSet: Hashable {
  package private(set) var ranges: [ClosedRange<UInt32>] = []

  init(_ ranges: [ClosedRange<UInt32>]) {
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = self.ranges.last, range.lowerBound <= last.upperBound &+ 1 {
        let end = max(last.upperBound, range.upperBound)
        self.ranges[self.ranges.count - 1] = last.lowerBound...end
      } else {
        self.ranges.append(range)
      }
    }
  }

  init(_ scalars: Unicode.Scalar...) { self.init(scalars.map { $0.value...$0.value }) }

  /// All scalars of the general categories whose names begin with a prefix, such as `L` or `Lu`.
  init(category: String) { self = Self.sets[category] ?? ScalarSet([]) }

  /// The set of each category and each group of them; cached, because computing it checks all scalars.
  private static let sets: [String: ScalarSet] = {
    // Ranges of adjacent scalars of one category.
    var ranges: [(category: Unicode.GeneralCategory, scalars: ClosedRange<UInt32>)] = []
    for value in UInt32(0)...0x10_ffff {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let category = scalar.properties.generalCategory
      if let last = ranges.last, last.category == category, last.scalars.upperBound + 1 == value {
        ranges[ranges.count - 1].scalars = last.scalars.lowerBound...value
      } else {
        ranges.append((category, value...value))
      }
    }
    var sets: [String: [ClosedRange<UInt32>]] = [:]
    for (category, scalars) in ranges {
      let name = categoryNames[category] ?? "Cn"
      sets[name, default: []].append(scalars)
      sets[String(name.prefix(1)), default: []].append(scalars)
    }
    return sets.mapValues { ScalarSet($0) }
  }()

  static var all: ScalarSet { ScalarSet([0...0xd7ff, 0xe000...0x10_ffff]) }
  static var digits: ScalarSet { ScalarSet([0x30...0x39]) }
  static var blanks: ScalarSet { ScalarSet("\t", "\n", "\r", " ") }
  static var lineEnds: ScalarSet { ScalarSet("\n", "\r") }

  /// Word characters as in Python and most other languages; XML Schema includes symbols and excludes the underscore.
  static var word: ScalarSet {
    ScalarSet(category: "L").union(ScalarSet(category: "N")).union(ScalarSet("_"))
  }

  /// The first characters of an XML name (<https://www.w3.org/TR/xml/#NT-NameStartChar>).
  static var nameStart: ScalarSet {
    ScalarSet([
      0x3a...0x3a, 0x41...0x5a, 0x5f...0x5f, 0x61...0x7a, 0xc0...0xd6, 0xd8...0xf6, 0xf8...0x2ff,
      0x370...0x37d, 0x37f...0x1fff, 0x200c...0x200d, 0x2070...0x218f, 0x2c00...0x2fef,
      0x3001...0xd7ff, 0xf900...0xfdcf, 0xfdf0...0xfffd, 0x10000...0xeffff,
    ])
  }

  static var name: ScalarSet {
    nameStart.union(
      ScalarSet([0x2d...0x2e, 0x30...0x39, 0xb7...0xb7, 0x300...0x36f, 0x203f...0x2040]))
  }

  func union(_ other: ScalarSet) -> ScalarSet { ScalarSet(ranges + other.ranges) }

  var inverted: ScalarSet { ScalarSet.all.subtracting(self) }

  func subtracting(_ other: ScalarSet) -> ScalarSet {
    var rest: [ClosedRange<UInt32>] = []
    for range in ranges {
      var start = range.lowerBound
      for hole in other.ranges where hole.overlaps(range) && hole.upperBound >= start {
        if hole.lowerBound > start { rest.append(start...hole.lowerBound - 1) }
        start = hole.upperBound + 1
      }
      if start <= range.upperBound { rest.append(start...range.upperBound) }
    }
    return ScalarSet(rest)
  }
}

private let categoryNames: [Unicode.GeneralCategory: String] = [
  .uppercaseLetter: "Lu", .lowercaseLetter: "Ll", .titlecaseLetter: "Lt", .modifierLetter: "Lm",
  .otherLetter: "Lo", .nonspacingMark: "Mn", .spacingMark: "Mc", .enclosingMark: "Me",
  .decimalNumber: "Nd", .letterNumber: "Nl", .otherNumber: "No", .connectorPunctuation: "Pc",
  .dashPunctuation: "Pd", .openPunctuation: "Ps", .closePunctuation: "Pe",
  .initialPunctuation: "Pi", .finalPunctuation: "Pf", .otherPunctuation: "Po", .mathSymbol: "Sm",
  .currencySymbol: "Sc", .modifierSymbol: "Sk", .otherSymbol: "So", .spaceSeparator: "Zs",
  .lineSeparator: "Zl", .paragraphSeparator: "Zp", .control: "Cc", .format: "Cf",
  .surrogate: "Cs", .privateUse: "Co",
]
