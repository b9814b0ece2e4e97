/// The rows of inventory_parts, by inventory and then by part number as in parts.
///
/// This table is most of a dump set, so its rows are never held in memory, and no row allocates.
struct InventoryPartTable {
  private let shares: [Int]
  private let inventories: InventoryTable
  private let parts: PartTable
  private let palette: Palette
  /// The part of each rank of popularity.
  private let partsByRank: [Int]
  private let random: RandomSource

  init(
    count: Int, inventories: InventoryTable, parts: PartTable, colors: ColorTable,
    random: RandomSource
  ) {
    var random = random
    self.inventories = inventories
    self.parts = parts
    palette = Palette(colors: colors)
    shares = apportion(
      count,
      by: inventories.inventories.map { Self.weight(of: $0, random: &random) })
    var partsByRank = Array(0..<parts.count)
    random.shuffle(&partsByRank)
    self.partsByRank = partsByRank
    self.random = random
  }

  /// A minifig has a handful of parts; sets range from one part to a thousand different ones.
  private static func weight(
    of inventory: InventoryTable.Inventory, random: inout RandomSource
  ) -> Int {
    guard case .set = inventory.owner else { return random.number(in: 3...8) }
    let size =
      1 << (random.happens(percent: 2) ? random.number(in: 7...9) : random.number(in: 0...7))
    return size + random.number(below: size)
  }

  func write(to rows: inout RowWriter) throws(DumpError) {
    var random = random
    var lots = LotPicker(partsByRank: partsByRank, colorCount: palette.count)
    for (share, inventory) in zip(shares, inventories.inventories) {
      lots.pick(share, random: &random)
      for lot in lots.picked {
        let color = palette.color(of: lot.part, shade: lot.shade, turn: lot.turn)
        let quantity = Vocabulary.quantities[random.number(below: Vocabulary.quantities.count)]
        try write(inventory.id, lot.part, color, quantity, isSpare: false, to: &rows)
        guard lot.hasSpare else { continue }
        try write(inventory.id, lot.part, color, 1, isSpare: true, to: &rows)
      }
    }
  }

  // Nearly all rows of a set pass here, so it appends to one buffer and makes no strings.
  private func write(
    _ inventory: Int, _ part: Int, _ color: Int, _ quantity: Int, isSpare: Bool,
    to rows: inout RowWriter
  ) throws(DumpError) {
    let number = parts.numbers[part]
    rows.add(inventory)
    rows.add(plain: number)
    rows.add(color)
    rows.add(quantity)
    rows.add(isSpare)
    if rows.era == .today { PartImage(part: part, color: color).add(number, to: &rows) }
    try rows.endRow()
  }
}
