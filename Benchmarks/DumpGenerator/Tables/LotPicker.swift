/// Picks the lots of one inventory after the other: which parts, how often, with spares or without.
struct LotPicker {
  /// Rows of one part and color: the lot itself, and perhaps its spare.
  struct Lot {
    var part: Int
    /// Which of the part's colors the inventory begins with.
    var shade: Int
    /// How many lots of the same part come before this one; each has another color.
    var turn: Int
    var hasSpare: Bool
  }

  /// The lots of the last inventory, by part.
  private(set) var picked: [Lot] = []

  private var hasPickedSpares = false
  private let partsByRank: [Int]
  private let colorCount: Int
  /// How many lots of each part are picked; all zero between two inventories.
  private var turns: [Int]
  /// The picked parts, times two, and one more for those with a spare.
  private var picks: [Int] = []

  init(partsByRank: [Int], colorCount: Int) {
    self.partsByRank = partsByRank
    self.colorCount = colorCount
    turns = Array(repeating: 0, count: partsByRank.count)
  }

  /// Picks lots that make `rowCount` rows.
  mutating func pick(_ rowCount: Int, random: inout RandomSource) {
    precondition(rowCount <= turns.count * colorCount, "an inventory has each lot once")
    var spares = rowCount / 2 * random.number(below: 24) / 100
    // The smallest catalog has one, too.
    if !hasPickedSpares, rowCount > 1 { spares = max(1, spares) }
    hasPickedSpares = hasPickedSpares || spares > 0
    picks.removeAll(keepingCapacity: true)
    for index in 0..<rowCount - spares {
      // The most common part is in no more than a fiftieth of the lots.
      let rank = random.rank(below: partsByRank.count) + random.number(below: 4)
      var part = partsByRank[rank % partsByRank.count]
      while turns[part] == colorCount { part = (part + 1) % turns.count }
      turns[part] += 1
      picks.append(part << 1 | (index < spares ? 1 : 0))
    }
    picks.sort()
    for pick in picks { turns[pick >> 1] = 0 }
    setPicked(random: &random)
  }

  private mutating func setPicked(random: inout RandomSource) {
    picked.removeAll(keepingCapacity: true)
    for pick in picks {
      let part = pick >> 1
      var lot = Lot(part: part, shade: 0, turn: 0, hasSpare: pick & 1 == 1)
      if let last = picked.last, last.part == part {
        (lot.shade, lot.turn) = (last.shade, last.turn + 1)
      } else {
        lot.shade = random.number(below: Palette.shades)
      }
      picked.append(lot)
    }
  }
}
