/// The rows of colors, by id.
struct ColorTable {
  private struct Color {
    var id: Int
    var name: String
    var rgb: String
    var isTransparent = false
    var statistics: Statistics?
  }

  private struct Statistics {
    var parts: Int
    var sets: Int
    var years: ClosedRange<Int>
  }

  private let colors: [Color]

  /// The ids of all colors, ascending.
  let ids: [Int]

  var count: Int { ids.count }

  /// The colors of every set: special ids, an rgb that looks like a float, one name in two forms.
  private static let fixed = [
    Color(id: -1, name: "[Unknown]", rgb: "0033B2"),
    Color(id: 0, name: "Black", rgb: "05131D"),
    Color(id: 1, name: "Blue", rgb: "0055BF"),
    Color(id: 15, name: "White", rgb: "FFFFFF"),
    Color(id: 47, name: "Trans-Clear", rgb: "FCFCFC", isTransparent: true),
    Color(id: 373, name: "Sand Purple", rgb: "845E84"),
    // Equal for Unicode, two names for SQLite.
    Color(id: 1200, name: "Fabuland Cr\u{E8}me", rgb: "e6dfc8"),
    Color(id: 1201, name: "Fabuland Cre\u{300}me", rgb: "000000"),
    Color(id: 9999, name: "[No Color/Any Color]", rgb: "05131D"),
  ]

  init(count: Int, era: Era, random: RandomSource) {
    precondition(count >= Self.fixed.count, "the fixed colors are always there")
    var random = random
    var colors = Self.fixed
    for index in 0..<count - colors.count {
      let hue = Vocabulary.hues[index % Vocabulary.hues.count]
      let finish = Vocabulary.finishes[index / Vocabulary.hues.count]
      let isTransparent = finish.hasSuffix("-")
      colors.append(
        Color(
          id: index < 150 ? 100 + index : 1000 + index - 150,
          name: finish + (isTransparent ? "" : " ") + hue, rgb: Self.rgb(&random),
          isTransparent: isTransparent))
    }
    colors.sort { $0.id < $1.id }
    for index in colors.indices where !Self.isUnused(colors[index].id) {
      colors[index].statistics = Self.statistics(lastYear: era.lastYear, &random)
    }
    self.colors = colors
    ids = colors.map(\.id)
  }

  private static func isUnused(_ id: Int) -> Bool { id == 1201 || id % 50 == 49 }

  private static func rgb(_ random: inout RandomSource) -> String {
    // The real dumps have a few in lower case.
    let isUppercase = !random.happens(percent: 5)
    let digits = String(random.number(below: 1 << 24), radix: 16, uppercase: isUppercase)
    return String(repeating: "0", count: 6 - digits.utf8.count) + digits
  }

  private static func statistics(lastYear: Int, _ random: inout RandomSource) -> Statistics {
    let parts = random.rank(below: 700_000) + 1
    let first = random.number(in: 1949...lastYear)
    return Statistics(
      parts: parts, sets: parts / random.number(in: 2...6) + 1,
      years: first...random.number(in: first...lastYear))
  }

  func write(to rows: inout RowWriter) throws(DumpError) {
    for color in colors {
      rows.add(color.id)
      rows.add(color.name)
      rows.add(color.rgb)
      rows.add(color.isTransparent)
      if rows.era == .today { addStatistics(of: color, to: &rows) }
      try rows.endRow()
    }
  }

  private func addStatistics(of color: Color, to rows: inout RowWriter) {
    rows.add(color.statistics?.parts ?? 0)
    rows.add(color.statistics?.sets ?? 0)
    if let years = color.statistics?.years {
      rows.add(years.lowerBound)
      rows.add(years.upperBound)
    } else {
      rows.addNothing()
      rows.addNothing()
    }
  }
}
