/// The rows of sets, by set number in the order of a locale.
struct SetTable {
  private struct Set {
    var number: String
    var name: String
    var year: Int
    var theme: Int
    var parts: Int
    var hasImage = true
  }

  private let sets: [Set]
  /// The set numbers once more, for fast copying.
  let numbers: TextList
  private let themeIds: [Int]

  /// Sets in every catalog that a careless loader would lose or change.
  private static let traps = [
    Set(
      number: "0003977811-1", name: "Ninjago: Book of Adventures", year: 2019, theme: 0, parts: 1),
    Set(number: "1224.1-1", name: "Spare \"Wheels\", Small", year: 1964, theme: 1, parts: 8),
    Set(number: "4180878", name: "Bl\u{FC}tentraum\u{A0}Mosaik", year: 2003, theme: 2, parts: 0),
    Set(number: "700.3A-2", name: "Gift Package ", year: 1957, theme: 2, parts: 0),
    Set(
      number: "75192012345678901234-1", name: "Classic  Pencil Case", year: 2018, theme: 1,
      parts: 0,
      hasImage: false),
    Set(number: "001-1", name: "Gears", year: 1965, theme: 0, parts: 43),
    Set(number: "K8562-1", name: "Bohrok Kit", year: 1932, theme: 0, parts: 246),
  ]

  var count: Int { sets.count }

  init(count: Int, themes: ThemeTable, era: Era, random: RandomSource) {
    precondition(count >= Self.traps.count, "the traps are always there")
    var random = random
    var sets = Self.traps
    var number = 100
    while sets.count < count {
      number += random.number(in: 1...6)
      let releases = min(count - sets.count, random.happens(percent: 6) ? 2 : 1)
      let text = Self.text(of: number, random: &random)
      for release in 1...releases {
        sets.append(
          Set(
            number: "\(text)-\(release)", name: Self.name(&random),
            year: era.lastYear - random.rank(below: 78), theme: random.rank(below: themes.count),
            parts: random.happens(percent: 12) ? 0 : random.rank(below: 4000),
            hasImage: !random.happens(percent: 1)))
      }
    }
    sets.sortAsInDumps(by: \.number)
    self.sets = sets
    numbers = TextList(sets.lazy.map(\.number))
    themeIds = themes.ids
  }

  private static func text(of number: Int, random: inout RandomSource) -> String {
    switch random.number(below: 50) {
    case 0: "W\(number)"
    case 1: "ISBN\(number)"
    case 2, 3: String(5_711_013_000_000 + number)
    default: String(number)
    }
  }

  private static func name(_ random: inout RandomSource) -> String {
    let scene = random.element(of: Vocabulary.scenes)
    switch random.number(below: 8) {
    case 0: return "The \(scene)"
    case 1: return "\(random.element(of: Vocabulary.people))'s \(scene)"
    case 2: return "\(scene) & \(random.element(of: Vocabulary.scenes))"
    case 3:
      let quality = random.element(of: Vocabulary.qualities)
      return "\(scene), \(quality) Edition [\(random.element(of: Vocabulary.hues)) Box]"
    case 4:
      let theme = random.element(of: Vocabulary.themes)
      return "\(theme): \(random.element(of: Vocabulary.qualities)) \(scene)"
    default: return "\(random.element(of: Vocabulary.qualities)) \(scene)"
    }
  }

  func write(to rows: inout RowWriter) throws(DumpError) {
    for (index, set) in sets.enumerated() {
      rows.add(set.number)
      rows.add(set.name)
      rows.add(set.year)
      rows.add(themeIds[set.theme])
      // Old files have sets with uncounted parts.
      rows.add(index == 1 && rows.era == .june2020 ? -1 : set.parts)
      if rows.era == .today {
        if set.hasImage {
          rows.add("https://cdn.rebrickable.com/media/sets/\(set.number.lowercased()).jpg")
        } else {
          rows.addNothing()
        }
      }
      try rows.endRow()
    }
  }
}
