import TestSupport

/// What is in dumps, as Python reads it, without SQLite: to compute answers another way.
struct Dumps {
  struct Lot {
    let part: String
    let color: Int
    let quantity: Int
    let isSpare: Bool
  }

  /// A set's own inventory or that of one of its minifigs, with how many of it there are.
  struct Content {
    let minifig: String?
    let lots: [Lot]
    let times: Int
  }

  private(set) var sets: [String: (name: String, year: Int, theme: Int)] = [:]
  private(set) var themes: [Int: (name: String, parent: Int?)] = [:]
  private(set) var lots: [Int: [Lot]] = [:]
  private(set) var inventories: [String: [Int: Int]] = [:]
  private(set) var minifigs: [Int: [(number: String, quantity: Int)]] = [:]
  private(set) var inner: [Int: [(number: String, quantity: Int)]] = [:]
  private(set) var relations: [(kind: String, child: String, parent: String)] = []

  init(of catalog: LoadedCatalog) throws {
    func records(_ table: String, _ columns: String) throws -> [[String]] {
      try catalog.rows(ofDump: table, columns: columns.split(separator: " ").map(String.init))
        .map { $0.split(separator: "|", omittingEmptySubsequences: false).map(String.init) }
    }
    // The name is last, since it may have bars in it.
    for row in try records("sets", "set_num year theme_id name") {
      sets[row[0]] = (row[3...].joined(separator: "|"), Int(row[1]) ?? 0, Int(row[2]) ?? 0)
    }
    for row in try records("themes", "id parent_id name") {
      themes[Int(row[0]) ?? 0] = (row[2...].joined(separator: "|"), Int(row[1]))
    }
    for row in try records("inventories", "id version set_num") {
      inventories[row[2], default: [:]][Int(row[1]) ?? 0] = Int(row[0]) ?? 0
    }
    for row in try records("inventory_parts", "inventory_id color_id quantity is_spare part_num") {
      lots[Int(row[0]) ?? 0, default: []].append(
        Lot(
          part: row[4], color: Int(row[1]) ?? 0, quantity: Int(row[2]) ?? 0,
          isSpare: row[3] == "true"))
    }
    for row in try records("inventory_minifigs", "inventory_id quantity fig_num") {
      minifigs[Int(row[0]) ?? 0, default: []].append((row[2], Int(row[1]) ?? 0))
    }
    for row in try records("inventory_sets", "inventory_id quantity set_num") {
      inner[Int(row[0]) ?? 0, default: []].append((row[2], Int(row[1]) ?? 0))
    }
    for row in try records("part_relationships", "rel_type child_part_num parent_part_num") {
      relations.append((row[0], row[1], row[2]))
    }
  }

  /// The inventory of the latest version of a set or a minifig.
  func latest(_ number: String) -> Int? { inventories[number]?.max { $0.key < $1.key }?.value }

  /// What is in a set, sets inside it apart.
  func contents(of set: String) -> [Content] {
    guard let own = latest(set) else { return [] }
    return [Content(minifig: nil, lots: lots[own] ?? [], times: 1)]
      + (minifigs[own] ?? []).compactMap { minifig in
        latest(minifig.number).map {
          Content(minifig: minifig.number, lots: lots[$0] ?? [], times: minifig.quantity)
        }
      }
  }

  /// The pieces of a set, spare ones not counted, that are as asked.
  func pieces(of set: String, where isWanted: (Lot) -> Bool) -> Int {
    contents(of: set).reduce(0) { sum, content in
      content.lots.filter { !$0.isSpare && isWanted($0) }
        .reduce(sum) { $0 + $1.quantity * content.times }
    }
  }

  /// The sets inside a set, however deep, with how many of each there are.
  func setsInside(_ set: String) -> [String: Int] {
    var found: [String: Int] = [:]
    func look(into set: String, times: Int) {
      for one in latest(set).flatMap({ inner[$0] }) ?? [] {
        found[one.number, default: 0] += times * one.quantity
        look(into: one.number, times: times * one.quantity)
      }
    }
    look(into: set, times: 1)
    return found
  }

  /// Whether a theme is another one or below it.
  func isTheme(_ theme: Int, within other: Int) -> Bool {
    theme == other || themes[theme]?.parent.map { isTheme($0, within: other) } == true
  }
}
