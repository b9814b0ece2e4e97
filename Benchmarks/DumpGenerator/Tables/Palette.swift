/// The colors of each part, the same in every inventory.
struct Palette {
  private let ids: [Int]

  var count: Int { ids.count }

  init(colors: ColorTable) { ids = colors.ids }

  /// The number of shades.
  static let shades = 24

  /// The id of the color of a part's lot; differs for each turn below `count`.
  ///
  /// Most parts are made in one to three colors, some in all shades.
  func color(of part: Int, shade: Int, turn: Int) -> Int {
    let bits = RandomSource.mixed(UInt64(part))
    let variety = (bits >> 32) % 16 == 0 ? Self.shades : Int((bits >> 36) % 3) + 1
    // Half of the parts begin with one of a few colors, as black and white are everywhere.
    let first = bits & 1 == 0 ? (bits >> 1) % 8 : (bits >> 1) % UInt64(ids.count)
    return ids[(Int(first) + shade % variety + turn) % ids.count]
  }
}
