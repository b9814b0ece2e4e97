/// The rows of part_categories.
struct PartCategoryTable {
  /// The ids, ascending; a few numbers are unused, as in the real dumps.
  let ids: [Int]

  static let names = [
    "Baseplates", "Bricks", "Plates", "Stickers", "Minifig Upper Body", "Minifig Heads",
    "Minifig Lower Body", "Tiles", "Bricks Sloped", "Duplo, Quatro and Primo", "Bricks Special",
    "Bricks Wedged", "Containers", "Technic Bricks", "Plates Special", "Technic Connectors",
    "Minifigs", "Tiles Special", "Windows and Doors", "Non-LEGO", "Hinges, Arms and Turntables",
    "Bricks Round and Cones", "Plates Round Curved and Dishes", "Pneumatics", "Panels", "Other",
    "Technic Steering, Suspension and Engine", "Technic Special", "Minifig Accessories",
    "Plants and Animals", "Wheels and Tyres", "Tubes and Hoses", "String, Bands and Reels",
    "Bars, Ladders and Fences", "Rock", "Supports, Girders and Cranes",
    "Transportation - Sea and Air", "Transportation - Land", "Bricks Curved",
    "Flags, Signs, Plastics and Cloth", "Magnets and Holders", "Technic Panels",
    "Large Buildable Figures", "Belville, Scala and Fabuland", "Znap", "Mechanical", "Electronics",
    "Technic Axles", "Windscreens and Fuselage", "Clikits", "Plates Angled", "HO Scale",
    "Technic Beams", "Technic Gears", "Technic Pins", "Technic Bushes", "Technic Beams Special",
    "Tools", "Non-Buildable Figures (Duplo, Fabuland, etc)", "Minidoll Heads",
    "Minidoll Upper Body", "Minidoll Lower Body", "Minifig Headwear", "Modulex",
    "Tiles Round and Curved", "Projectiles / Launchers", "Energy Effects",
  ]

  init(count: Int) {
    ids = (0..<count).map { index in index + 1 + (index > 0 ? 1 : 0) + (index > 7 ? 1 : 0) }
  }

  func write(to rows: inout RowWriter) throws(DumpError) {
    for index in ids.indices {
      rows.add(ids[index])
      rows.add(Self.names[index])
      try rows.endRow()
    }
  }
}
