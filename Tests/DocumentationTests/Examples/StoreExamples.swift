import RebrickableCatalog
import SQLiteSwiftly
import SQLiteSwiftlyData
import TestSupport
import Testing

/// The examples of the store, with a castle and its knight.
struct StoreExamples {
  private let castle: CastleCatalog
  private let path: String
  private let catalog: CatalogStore

  init() throws {
    castle = try CastleCatalog()
    path = castle.path
    catalog = try CatalogStore(path)
  }

  @Test func `the store`() throws {
    // Example: QueryTheCatalog # Overview

    #expect(count == 12)
    #expect(castle?.name == "Bandit Ambush")
  }

  @Test func `its errors`() throws {
    var missing: String?

    // Example: CatalogStore.swift # CatalogError

    #expect(missing == "/nowhere/catalog.sqlite")
  }

  @Test func `the helpers`() throws {
    var spares = 0

    // Example: QueryTheCatalog # Helpers and SQL

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
    // Example: CatalogStore+Sets.swift # parts

    // Example: CatalogStore+Sets.swift # parts (2)

    // Example: QueryTheCatalog # Functions

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

    // Example: CatalogStore+Sets.swift # minifigs

    // Example: CatalogStore+Sets.swift # subSets

    #expect(names == ["3 x Knight"])
    #expect(inside == ["6024-1"])
  }

  @Test func `where a part is used`() throws {
    // Example: CatalogStore+Parts.swift # setsUsing

    #expect(first == 1998)
    #expect(sets.map(\.quantity) == [6, 1, 4])
  }

  @Test func `similar sets`() throws {
    var lines: [String] = []

    // Example: CatalogStore+Sets.swift # similarSets

    #expect(lines == ["Wall: 4 pieces", "Chest: 1 pieces"])
    #expect(try catalog.similarSets(to: "6024-1").first?.similarity == 4.0 / 12)
  }

  @Test func `statistics`() throws {
    var text = ""

    // Example: CatalogStore+Statistics.swift # statistics

    // Example: CatalogStore+Statistics.swift # statistics (2)

    #expect(text == "2 colors in 3 sets")
    #expect(below == 2)
    #expect(try catalog.statistics(ofPart: "3001", color: 4)?.usage.firstYear == 1998)
  }

  @Test func `statistics by queries`() throws {
    // Example: QueryTheCatalog # Helpers and SQL (2)

    #expect(common.first?.partNumber == "3001")
    let rare = try catalog.connection.query(
      "SELECT * FROM part_color_stats WHERE num_sets = 1",
      as: RebrickableCatalog.PartColorStatistics.self)
    #expect(Set(rare.map(\.partNumber)) == ["3001", "3020", "3626"])
    let retired = try catalog.connection.query(
      "SELECT * FROM color_stats WHERE max_year < 2000", as: RebrickableCatalog.ColorStatistics.self
    )
    #expect(retired.map(\.colorID) == [0])
    let large = try catalog.connection.query(
      "SELECT * FROM theme_stats ORDER BY total_num_sets DESC LIMIT 3",
      as: RebrickableCatalog.ThemeStatistics.self)
    #expect(large.map(\.themeID) == [186, 199])
    let small = try catalog.connection.query(
      "SELECT * FROM set_stats WHERE num_lots < 3", as: RebrickableCatalog.SetStatistics.self)
    #expect(small.map(\.setNumber) == ["6000-1", "6001-1"])
  }

  @Test func `the path of a theme`() throws {
    // Example: CatalogStore+Sets.swift # themePath

    #expect(path == "Castle / Lion Knights")
  }

  @Test func `relations of parts`() throws {
    // Example: CatalogStore+Parts.swift # canonicalPart

    // Example: CatalogStore+Parts.swift # relations

    #expect(plain?.partNumber == "3001")
    #expect(prints.map(\.childPartNumber) == ["3001pr1"])
    #expect(try catalog.relations(of: "3001pr1").map(\.chain) == ["3001pr1 > 3001"])
  }

  @Test func `searching`() throws {
    // Example: Searching # Overview

    #expect(found == ["6024-1"])
  }
}
