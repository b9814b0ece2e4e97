/// The rows of inventory_minifigs, by inventory and then by minifig.
struct InventoryMinifigTable {
  private let shares: [Int]
  private let inventories: InventoryTable
  private let minifigs: MinifigTable
  private let random: RandomSource

  init(count: Int, inventories: InventoryTable, minifigs: MinifigTable, random: RandomSource) {
    var random = random
    self.inventories = inventories
    self.minifigs = minifigs
    shares = apportion(
      count,
      by: inventories.inventories.enumerated().map { index, inventory in
        guard case .set = inventory.owner else { return 0 }
        return index == 0 || random.happens(percent: 45) ? 1 + random.rank(below: 12) : 0
      })
    self.random = random
  }

  func write(to rows: inout RowWriter) throws(DumpError) {
    var random = random
    for (share, inventory) in zip(shares, inventories.inventories) where share > 0 {
      precondition(share <= minifigs.count, "a set holds each minifig once")
      let first = random.number(below: minifigs.count - share + 1)
      for minifig in first..<first + share {
        rows.add(inventory.id)
        rows.add(plain: minifigs.numbers[minifig])
        rows.add(random.happens(percent: 92) ? 1 : random.number(in: 2...8))
        try rows.endRow()
      }
    }
  }
}
