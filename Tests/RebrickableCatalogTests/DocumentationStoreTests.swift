import SQLiteSwiftlyData
import RebrickableCatalog
import SQLiteSwiftly
import Testing

/// The examples of the store, with a castle and its knight.
struct DocumentationStoreTests {
  private let castle: CastleCatalog
  private let path: String
  private let catalog: CatalogStore

  init() throws {
    castle = try CastleCatalog()
    path = castle.path
    catalog = try CatalogStore(path)
  }

  @Test func `the store`() throws {
    let catalog = try CatalogStore(path)
    let parts = try catalog.parts(ofSet: "6024-1")
    let count = parts.map(\.quantity).reduce(0, +)
    let castle = try catalog.sets.find("6024-1")

    #expect(count == 12)
    #expect(castle?.name == "Bandit Ambush")
  }

  @Test func `opening it`() throws {
    let catalog = try CatalogStore(path)
    let technic = try catalog.themes.find(where: ["name": "Technic"])

    #expect(technic == [])
  }

  @Test func `its errors`() throws {
    var missing: String?

    do throws(CatalogError) {
      _ = try CatalogStore("/nowhere/catalog.sqlite")
    } catch {
      guard case .noFile(let path) = error else { throw error }
      missing = path
    }

    #expect(missing == "/nowhere/catalog.sqlite")
  }

  @Test func `the helpers`() throws {
    var spares = 0

    let red = try catalog.colors.find(4)
    let castles = try catalog.sets.find(where: ["theme_id": 186, "year": 1998])
    try catalog.inventoryParts.forEach(where: ["is_spare": true]) { spares += $0.quantity }

    #expect(red?.name == "Red")
    #expect(castles.map(\.setNumber) == ["6024-1"])
    #expect(spares == 1)
  }

  @Test func `open values`() throws {
    let store = catalog.store

    let relations = RebrickableCatalog.PartRelationship.Helper(store: store)
    let molds = try relations.find(where: ["rel_type": RebrickableCatalog.RelationKind.mold])

    let parts = RebrickableCatalog.Part.Helper(store: store)
    let tyres = try parts.find(where: ["part_material": RebrickableCatalog.Material.rubber])

    #expect(molds.map(\.childPartNumber) == ["2815"])
    #expect(tyres.map(\.name) == ["Tyre"])
  }

  @Test func `parts of a set`() throws {
    let bricks = try catalog.parts(ofSet: "6024-1").filter { $0.partNumber == "3001" }
    let own = try catalog.parts(ofSet: "6024-1", includingMinifigs: false)

    let heads = try catalog.parts(ofMinifig: "fig-000001").filter { $0.partNumber == "3626" }

    let list = try catalog.parts(ofSet: "6024-1").map { part in
      "\(part.quantity) x \(part.partName) in \(part.colorName)"
    }

    #expect(bricks.map(\.quantity) == [2, 6])
    #expect(own.map(\.partNumber) == ["3001", "3001", "3020"])
    #expect(heads.map(\.quantity) == [1])
    #expect(
      list == [
        "2 x Brick 2 x 4 in Black", "6 x Brick 2 x 4 in Red", "1 x Plate 2 x 4 in Red",
        "3 x Head in Black",
      ])
  }

  @Test func `what else is in a set`() throws {
    var names: [String] = []

    for knight in try catalog.minifigs(ofSet: "6024-1") {
      names.append("\(knight.quantity) x \(knight.item.name)")
    }

    let figures = try catalog.minifigs(ofSet: "6024-1")
    let count = figures.map(\.quantity).reduce(0, +)

    let inside = try catalog.subSets(ofSet: "6000-1").map(\.item.setNumber)

    #expect(names == ["3 x Knight"])
    #expect(count == 3)
    #expect(inside == ["6024-1"])
  }

  @Test func `where a part is used`() throws {
    let sets = try catalog.setsUsing(part: "3001", color: 4)
    let first = sets.first?.year

    let needed = try catalog.setsUsing(part: "3001", color: 4).map(\.quantity)

    #expect(first == 1998)
    #expect(needed == [6, 1, 4])
  }

  @Test func `similar sets`() throws {
    var lines: [String] = []

    for other in try catalog.similarSets(to: "6024-1", limit: 3) {
      lines.append("\(other.name): \(other.sharedPartCount) pieces")
    }

    let best = try catalog.similarSets(to: "6024-1").first?.similarity

    #expect(lines == ["Wall: 4 pieces", "Chest: 1 pieces"])
    #expect(best == 4.0 / 12)
  }

  @Test func `statistics`() throws {
    var text = ""

    if let brick = try catalog.statistics(ofPart: "3001") {
      text = "\(brick.colorCount) colors in \(brick.usage.setCount) sets"
    }

    let since = try catalog.statistics(ofPart: "3001", color: 4)?.usage.firstYear

    let parts = try catalog.statistics(ofColor: 4)?.uniquePartCount

    let castle = try catalog.statistics(ofTheme: 186)
    let below = (castle?.total.setCount ?? 0) - (castle?.own.setCount ?? 0)

    let pieces = try catalog.statistics(ofSet: "6024-1")?.partCount

    let usage = try catalog.statistics(ofColor: 4)?.usage
    let years = [usage?.firstYear, usage?.lastYear]

    #expect(text == "2 colors in 3 sets")
    #expect(since == 1998)
    #expect(parts == 2)
    #expect(below == 2)
    #expect(pieces == 12)
    #expect(years == [1998, 2001])
  }

  @Test func `statistics by queries of one's own`() throws {
    do {
      let query: SQL = "SELECT * FROM part_stats ORDER BY num_sets DESC LIMIT 3"
      let common = try catalog.connection.query(query, as: RebrickableCatalog.PartStatistics.self)

      #expect(common.first?.partNumber == "3001")
    }
    do {
      let query: SQL = "SELECT * FROM part_color_stats WHERE num_sets = 1"
      let rare = try catalog.connection.query(
        query, as: RebrickableCatalog.PartColorStatistics.self)

      #expect(Set(rare.map(\.partNumber)) == ["3001", "3020", "3626"])
    }
    do {
      let query: SQL = "SELECT * FROM color_stats WHERE max_year < 2000"
      let retired = try catalog.connection.query(query, as: RebrickableCatalog.ColorStatistics.self)

      #expect(retired.map(\.colorID) == [0])
    }
    do {
      let query: SQL = "SELECT * FROM theme_stats ORDER BY total_num_sets DESC LIMIT 3"
      let great = try catalog.connection.query(query, as: RebrickableCatalog.ThemeStatistics.self)

      #expect(great.map(\.themeID) == [186, 199])
    }
    do {
      let query: SQL = "SELECT * FROM set_stats WHERE num_lots < 3"
      let small = try catalog.connection.query(query, as: RebrickableCatalog.SetStatistics.self)

      #expect(small.map(\.setNumber) == ["6000-1", "6001-1"])
    }
  }

  @Test func `the path of a theme`() throws {
    let path = try catalog.themePath(of: 199).map(\.name).joined(separator: " / ")

    #expect(path == "Castle / Lion Knights")
  }

  @Test func `relations of parts`() throws {
    let plain = try catalog.canonicalPart(of: "3001pr1")

    let prints = try catalog.relations(of: "3001").filter { $0.kind == .print }

    let chains = try catalog.relations(of: "3001pr1").map(\.chain)

    #expect(plain?.partNumber == "3001")
    #expect(prints.map(\.childPartNumber) == ["3001pr1"])
    #expect(chains == ["3001pr1 > 3001"])
  }

  @Test func `searching`() throws {
    let found = try catalog.search("bandit amb", limit: 5).map(\.key)

    let sets = try catalog.search("bandit").filter { $0.kind == .set }

    let names = try catalog.search("knight").filter { $0.kind == .minifig }.map(\.name)

    #expect(found == ["6024-1"])
    #expect(sets.map(\.key) == ["6024-1"])
    #expect(names == ["Knight"])
  }
}
