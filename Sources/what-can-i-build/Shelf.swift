import RebrickableCatalog
import SQLiteSwiftly

struct Shelf {
  /// How many there are of all that can take the place of each other.
  private var quantities: [Lot: Int] = [:]
  /// The part that stands for a part and all that can take its place, where that is another one.
  private var canonicalParts: [String: String] = [:]
  /// The parts that another one stands for.
  private var variants: [String: [String]] = [:]

  init(_ parts: [Lot: Int], substitutes: Bool, _ catalog: CatalogStore) throws {
    if substitutes {
      let pairs = try catalog.connection.query(
        """
        SELECT part_num, canonical_part_num FROM canonical_parts
        WHERE part_num <> canonical_part_num ORDER BY part_num
        """, as: (String, String).self)
      for (part, canonical) in pairs {
        canonicalParts[part] = canonical
        variants[canonical, default: []].append(part)
      }
    }
    for (lot, quantity) in parts { quantities[canonical(lot), default: 0] += quantity }
  }

  private func canonical(_ lot: Lot) -> Lot {
    Lot(part: canonicalParts[lot.part] ?? lot.part, color: lot.color)
  }

  /// The sets of which anything is there, the most complete ones first, and of these the greatest.
  func bestMatches(in catalog: CatalogStore) throws -> [Match] {
    var needs: [String: [(lot: Lot, quantity: Int)]] = [:]
    var sets: [String: RebrickableCatalog.PartUse] = [:]
    for lot in quantities.keys {
      for part in [lot.part] + variants[lot.part, default: []] {
        for use in try catalog.setsUsing(part: part, color: lot.color) where use.quantity > 0 {
          needs[use.setNumber, default: []].append((lot, use.quantity))
          sets[use.setNumber] = use
        }
      }
    }
    let matches = try sets.values.compactMap { set -> Match? in
      guard let all = try catalog.statistics(ofSet: set.setNumber), let pieces = all.partCount
      else { return nil }
      var match = Match(set: set, pieces: pieces, lots: all.lotCount)
      var rest = quantities
      for (lot, quantity) in needs[set.setNumber, default: []] {
        let taken = min(quantity, rest[lot, default: 0])
        rest[lot, default: 0] -= taken
        match.piecesThere += taken
        if taken == quantity { match.lotsThere += 1 }
      }
      return match
    }
    return matches.sorted { $0.isBefore($1) }
  }
}

struct Match {
  let set: RebrickableCatalog.PartUse
  let pieces: Int
  let lots: Int
  var piecesThere = 0
  var lotsThere = 0

  init(set: RebrickableCatalog.PartUse, pieces: Int, lots: Int) {
    self.set = set
    self.pieces = pieces
    self.lots = lots
  }

  private var share: Double { Double(piecesThere) / Double(pieces) }

  func isBefore(_ other: Match) -> Bool {
    (other.share, other.pieces, set.setNumber) < (share, pieces, other.set.setNumber)
  }

  var line: String {
    let percent = piecesThere * 100 / pieces
    return "\(percent)\t\(piecesThere)\t\(pieces)\t\(lotsThere)\t\(lots)"
      + "\t\(set.setNumber)\t\(set.year)\t\(set.name)"
  }
}
