/// The rows of inventories, by id: versions of the contents of sets and minifigs.
struct InventoryTable {
  /// What an inventory lists the contents of, by index.
  enum Owner {
    case set(Int)
    case minifig(Int)
  }

  struct Inventory {
    var id: Int
    var version: Int
    var owner: Owner
  }

  private(set) var inventories: [Inventory] = []
  private let setNumbers: TextList
  private let minifigNumbers: TextList

  init(
    sets: SetTable, minifigs: MinifigTable, furtherVersions: Int, random: RandomSource
  ) {
    var random = random
    setNumbers = sets.numbers
    minifigNumbers = minifigs.numbers
    let ofSets = Self.inventories(
      ofSets: sets.count, furtherVersions: furtherVersions, random: &random)
    let ofMinifigs = (0..<minifigs.count).map { Inventory(id: 0, version: 1, owner: .minifig($0)) }
    inventories = Self.interleaved(ofSets, ofMinifigs, random: &random)
    var id = 0
    for index in inventories.indices {
      id += random.happens(percent: 8) ? random.number(in: 2...12) : 1
      inventories[index].id = id
    }
  }

  /// The inventories of all sets in the order they were entered, which is none.
  private static func inventories(
    ofSets count: Int, furtherVersions: Int, random: inout RandomSource
  ) -> [Inventory] {
    var inventories: [Inventory] = []
    var versions = [Int](repeating: 0, count: count)
    for index in 0..<count + furtherVersions {
      // The last set gets at least a second and a third version.
      let set =
        index < count
        ? index : index < count + 2 ? count - 1 : random.number(below: count)
      // Versions need not begin with 1, nor follow each other.
      versions[set] += index == 1 || random.happens(percent: 1) ? 2 : 1
      inventories.append(Inventory(id: 0, version: versions[set], owner: .set(set)))
    }
    random.shuffle(&inventories)
    return inventories
  }

  /// Minifigs were entered in runs between the sets.
  private static func interleaved(
    _ first: [Inventory], _ second: [Inventory], random: inout RandomSource
  ) -> [Inventory] {
    var merged: [Inventory] = []
    var (firstRest, secondRest) = (first[...], second[...])
    while !firstRest.isEmpty || !secondRest.isEmpty {
      let run = random.number(in: 1...60)
      merged += firstRest.prefix(run)
      merged += secondRest.prefix(run / 2)
      firstRest = firstRest.dropFirst(run)
      secondRest = secondRest.dropFirst(run / 2)
    }
    return merged
  }

  func write(to rows: inout RowWriter) throws(DumpError) {
    for inventory in inventories {
      rows.add(inventory.id)
      rows.add(inventory.version)
      switch inventory.owner {
      case .set(let index): rows.add(plain: setNumbers[index])
      case .minifig(let index): rows.add(plain: minifigNumbers[index])
      }
      try rows.endRow()
    }
  }
}
