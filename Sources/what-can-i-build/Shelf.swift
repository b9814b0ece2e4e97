import RebrickableCatalog
import SQLiteSwiftly

struct Shelf {
  /// The quantities by canonical part.
  private var quantities: [Lot: Int] = [:]
  /// The canonical parts, for parts that have another one.
  private var canonicalParts: [String: String] = [:]
  /// The parts by their canonical part.
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

  /// The sets with at least one available piece, the most complete first, then the largest.
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
        let used = min(quantity, rest[lot, default: 0])
        rest[lot, default: 0] -= used
        match.availablePieces += used
        if used == quantity { match.availableLots += 1 }
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
  var availablePieces = 0
  var availableLots = 0

  private var share: Double { Double(availablePieces) / Double(pieces) }

  func isBefore(_ other: Match) -> Bool {
    (other.share, other.pieces, set.setNumber) < (share, pieces, other.set.setNumber)
  }

  var line: String {
    let percent = availablePieces * 100 / pieces
    return "\(percent)\t\(availablePieces)\t\(pieces)\t\(availableLots)\t\(lots)"
      + "\t\(set.setNumber)\t\(set.year)\t\(set.name)"
  }
}
