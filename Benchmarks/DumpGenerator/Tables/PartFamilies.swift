/// Makes families of parts, each with numbers of its own.
struct PartFamilies {
  /// The number of families so far.
  private(set) var count = 0
  private let categoryCount: Int
  private var random: RandomSource
  private var lastNumber = 3000
  private var lastSheet = 3400

  private static let molds: [(noun: String, category: Int)] = [
    ("Brick", 1), ("Plate", 2), ("Tile", 7), ("Slope", 8), ("Technic Brick", 13),
    ("Plate Special", 14), ("Technic Beam", 52), ("Panel", 24), ("Dish", 22), ("Wedge", 11),
    ("Minifig Head", 5), ("Torso", 4), ("Hips and Legs", 6), ("Minifig Hair", 62),
    ("Duplo Brick", 9), ("Brick Round", 21), ("Bracket", 14), ("Windscreen", 48), ("Wheel", 30),
    ("Animal", 29), ("Technic Panel Fairing", 41), ("Minidoll Hips and Skirt", 61), ("Bar", 33),
    ("Trading Card", 19), ("Neckwear Cape", 39), ("Modulex Tile", 63),
  ]

  private static let variants = ["pr", "pr", "pr", "pb", "c", "pat", "px"]

  init(categoryCount: Int, random: RandomSource) {
    self.categoryCount = categoryCount
    self.random = random
  }

  /// Makes one to `limit` parts; the first is the mold of the others.
  mutating func nextFamily(atMost limit: Int) -> [PartTable.Part] {
    defer { count += 1 }
    if random.happens(percent: 6) { return [stickerSheet()] }
    let mold = random.element(of: Self.molds)
    let name = moldName(mold.noun)
    let number = nextNumber()
    let size = min(limit, 1 + (random.happens(percent: 40) ? random.rank(below: 24) : 0))
    return (0..<size).map { member in
      PartTable.Part(
        number: member == 0 ? number : number + variant(member),
        name: member == 0 ? name : name + printName(),
        category: mold.category % categoryCount, material: material(), family: count,
        isMold: member == 0)
    }
  }

  private mutating func nextNumber() -> String {
    repeat {
      lastNumber += random.number(in: 1...7)
    } while PartTraps.takenNumbers.contains(lastNumber)
    return switch random.number(below: 20) {
    case 0: "cardupn\(lastNumber)"
    case 1, 2: "\(lastNumber)\(random.element(of: ["a", "b", "c", "stk"]))"
    default: String(lastNumber)
    }
  }

  /// The end of a number, which differs between the members of a family.
  private mutating func variant(_ member: Int) -> String {
    let digits = String(member + (random.happens(percent: 15) ? 9900 : 0))
    let zeros = String(repeating: "0", count: max(0, 4 - digits.utf8.count))
    return random.element(of: Self.variants) + zeros + digits
  }

  private mutating func stickerSheet() -> PartTable.Part {
    lastSheet += random.number(in: 1...9)
    let digits = String(lastSheet)
    let zeros = String(repeating: "0", count: max(1, 6 - digits.utf8.count))
    let set = random.number(in: 300...60_000)
    let isForTwo = random.happens(percent: 20)
    return PartTable.Part(
      number: zeros + digits,
      name: "Sticker Sheet for Set" + (isForTwo ? "s \(set)-1, \(set + 9)-1" : " \(set)-1"),
      category: 3, material: random.happens(percent: 70) ? 4 : 0)
  }

  private mutating func moldName(_ noun: String) -> String {
    var name = "\(noun) \(random.number(in: 1...8)) x \(random.number(in: 1...16))"
    if random.happens(percent: 30) { name += " x \(random.number(in: 1...6))" }
    if random.happens(percent: 70) { name += " " + random.element(of: Vocabulary.details) }
    return name
  }

  private mutating func printName() -> String {
    let hue = random.element(of: Vocabulary.hues)
    var name = " with \(hue) \(random.element(of: Vocabulary.motifs))"
    // The longest name of the real dumps has 223 characters.
    while name.utf8.count < 120, random.happens(percent: 45) {
      let garment = random.element(of: Vocabulary.garments)
      name += ", \(random.element(of: Vocabulary.hues)) \(garment)"
    }
    return name + (random.happens(percent: 85) ? " Print" : " Pattern")
  }

  private mutating func material() -> Int? {
    switch random.number(below: 200) {
    case 0: nil
    case 1...12: random.number(below: PartTable.materials.count)
    default: 0
    }
  }
}
