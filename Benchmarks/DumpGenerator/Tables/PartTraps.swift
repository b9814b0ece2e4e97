/// Parts in every set that a careless loader would lose or change.
enum PartTraps {
  static let parts = [
    // Two parts, one number.
    part("3383", "Tap 1 x 1 with Hole in Nozzle End"),
    part("003383", "Sticker Sheet for Sets 618-1, 628-2", material: 4),
    // Equal as floating-point numbers.
    part("1e5", "Duplo Animal Eye"),
    part("100000", "Brick 1 x 1 with Clip"),
    part("973e104", "Torso with \"POLICE\" Print"),
    // In bytewise order the capital would come first.
    part("x99b", "String Reel 2 x 2, \"Old\" Style, 1/2\" Hole"),
    part("X99a", "Rubber Band Small", material: 1),
    // Equal for Unicode, two names for SQLite.
    part("6950", "Minifig Sign, Caf\u{E9} Print"),
    part("6951", "Minifig Sign, Cafe\u{301} Print"),
    part("6952", "Duplo Figure Child,\u{A0}White Legs, \u{FEFF}Blue Top"),
    part("6953", " Cat Tail with Flames Print"),
    part("6954", "Rock Panel 2 x 4 x 3 with Fractures (Icecage) "),
    part("6955", "Sm\u{F8}rrebr\u{F8}d Tile \u{2013} \u{130}stanbul, \u{5317}\u{4EAC}, \u{1F9F1}"),
    part("6956", "Cape [Traditional Starched Fabric]", material: nil),
  ]

  private static func part(
    _ number: String, _ name: String, material: Int? = 0
  ) -> PartTable.Part {
    PartTable.Part(number: number, name: name, category: 1, material: material)
  }

  /// Numbers without letters, which a family must not be given.
  static let takenNumbers = [3383, 100_000, 6950, 6951, 6952, 6953, 6954, 6955, 6956]
}
