/// The rows of minifigs, by number.
struct MinifigTable {
  private struct Minifig {
    var number: String
    var name: String
    var parts: Int
    var hasImage: Bool
  }

  private var minifigs: [Minifig] = []
  /// The numbers once more, for fast copying.
  let numbers: TextList

  var count: Int { minifigs.count }

  init(count: Int, random: RandomSource) {
    var random = random
    var number = 0
    for index in 0..<count {
      number += random.happens(percent: 5) ? 2 : 1
      let digits = String(number)
      let zeros = String(repeating: "0", count: max(0, 6 - digits.utf8.count))
      minifigs.append(
        Minifig(
          number: "fig-\(zeros)\(digits)",
          name: index == 0 ? "Zo\u{EB}, \"Z\" on Cap\u{200B}" : Self.name(&random),
          parts: 3 + random.rank(below: 30), hasImage: index != 1 && !random.happens(percent: 1)))
    }
    numbers = TextList(minifigs.lazy.map(\.number))
  }

  private static func name(_ random: inout RandomSource) -> String {
    var name = random.element(of: Vocabulary.people)
    repeat {
      let garment = random.element(of: Vocabulary.garments)
      name += ", \(random.element(of: Vocabulary.hues)) \(garment)"
    } while random.happens(percent: 60)
    return name
  }

  func write(to rows: inout RowWriter) throws(DumpError) {
    for minifig in minifigs {
      rows.add(minifig.number)
      rows.add(minifig.name)
      rows.add(minifig.parts)
      if rows.era == .today {
        if minifig.hasImage {
          rows.add("https://cdn.rebrickable.com/media/sets/\(minifig.number).jpg")
        } else {
          rows.addNothing()
        }
      }
      try rows.endRow()
    }
  }
}
