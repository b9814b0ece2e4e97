/// The rows of inventory_sets, by inventory: sets that come inside other sets.
struct InventorySetTable {
  private let shares: [Int]
  private let inventories: InventoryTable
  private let sets: SetTable
  private let random: RandomSource

  init(count: Int, inventories: InventoryTable, sets: SetTable, random: RandomSource) {
    var random = random
    self.inventories = inventories
    self.sets = sets
    shares = apportion(
      count,
      by: inventories.inventories.enumerated().map { index, inventory in
        guard case .set = inventory.owner else { return 0 }
        return index == 0 || random.happens(percent: 10) ? random.number(in: 1...8) : 0
      })
    self.random = random
  }

  func write(to rows: inout RowWriter) throws(DumpError) {
    var random = random
    for (share, inventory) in zip(shares, inventories.inventories) {
      guard share > 0, case .set(let container) = inventory.owner else { continue }
      precondition(share < sets.count, "a set holds each other set once")
      // The sets after the container, from anywhere on, but never the container itself.
      let first = random.number(below: sets.count - share)
      for offset in first..<first + share {
        rows.add(inventory.id)
        rows.add(plain: sets.numbers[(container + 1 + offset) % sets.count])
        rows.add(random.happens(percent: 90) ? 1 : random.number(in: 2...24))
        try rows.endRow()
      }
    }
  }
}
