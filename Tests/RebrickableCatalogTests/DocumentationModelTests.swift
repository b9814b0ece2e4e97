import Schema
import RebrickableCatalog
import SQLiteSwiftly
import SQLiteSwiftlyData
import TestSupport
import Testing

/// The examples of the models, with a castle and its knight.
struct DocumentationModelTests {
  private let workplace: Workplace
  private let path: String
  private let store: DataStore
  private let connection: Connection

  init() throws {
    workplace = try Workplace()
    path = workplace.output
    connection = try Connection(path, opening: .createNew)
    store = DataStore(connection)
    for table in RebrickableCatalog.schema.tables { try connection.createTable(describedBy: table) }
    for row: SQL in [
      "INSERT INTO themes VALUES (186, 'Castle', NULL), (199, 'Lion Knights', 186)",
      "INSERT INTO colors (id, name, rgb, is_trans) VALUES (4, 'Red', 'C91A09', 0)",
      "INSERT INTO part_categories VALUES (11, 'Bricks')",
      "INSERT INTO parts VALUES ('3001', 'Brick 2 x 4', 11, 'Plastic'), ('3020', 'Plate', 14, NULL)",
      "INSERT INTO parts VALUES ('3001pr1', 'Brick 2 x 4 with Eyes', 11, NULL)",
      "INSERT INTO part_relationships VALUES ('P', '3001pr1', '3001'), ('M', '3001', '3001old')",
      "INSERT INTO elements VALUES ('300121', '3001', 4, '3001'), ('300126', '3001', 0, NULL)",
      "INSERT INTO sets VALUES ('6024-1', 'Bandit Ambush', 1998, 186, 9, NULL)",
      "INSERT INTO sets VALUES ('6000-1', 'Chest', 1999, 199, 0, NULL)",
      "INSERT INTO minifigs VALUES ('fig-000001', 'Knight', 4, NULL)",
      "INSERT INTO inventories VALUES (7, 1, '6024-1'), (8, 1, '6000-1')",
      "INSERT INTO inventory_parts VALUES (7, '3001', 4, 6, 0, NULL), (7, '3001', 0, 2, 0, NULL)",
      "INSERT INTO inventory_parts VALUES (7, '3020', 4, 1, 0, NULL), (7, '3020', 4, 1, 1, NULL)",
      "INSERT INTO inventory_parts VALUES (8, '3001', 4, 1, 0, NULL)",
      "INSERT INTO inventory_sets VALUES (8, '6024-1', 2)",
      "INSERT INTO inventory_minifigs VALUES (7, 'fig-000001', 3)",
    ] {
      try connection.execute(row)
    }
  }

  @Test func `the article of the module`() throws {
    let store = DataStore(path, opening: .readOnly)
    let inventories = RebrickableCatalog.Inventory.Helper(store: store)
    let contents = RebrickableCatalog.InventoryPart.Helper(store: store)

    var pieces: [String: Int] = [:]
    for inventory in try inventories.find(where: ["set_num": "6024-1", "version": 1]) {
      for part in try contents.find(where: ["inventory_id": inventory.id, "is_spare": false]) {
        pieces[part.partNumber, default: 0] += part.quantity
      }
    }

    #expect(pieces == ["3001": 8, "3020": 1])
  }

  @Test func `the article of the module by a query`() throws {
    let connection = try Connection(path, opening: .readOnly)
    let number = "6024-1"
    let parts = try connection.query(
      """
      SELECT DISTINCT parts.*
      FROM inventories
        JOIN inventory_parts ON inventory_id = inventories.id
        JOIN parts USING (part_num)
      WHERE set_num = \(number) AND version = 1 AND NOT is_spare
      """, as: RebrickableCatalog.Part.self)

    #expect(Set(parts.map(\.partNumber)) == ["3001", "3020"])
  }

  @Test func `the helper`() throws {
    var years: [Int] = []

    let store = DataStore(path, opening: .readOnly)
    let sets = RebrickableCatalog.LegoSet.Helper(store: store)
    let castle = try sets.find("6024-1")
    try sets.forEach(where: ["theme_id": 186]) { set in years.append(set.year) }

    #expect(castle?.name == "Bandit Ambush")
    #expect(years == [1998])
  }

  @Test func `the helper's name`() throws {
    let themes = RebrickableCatalog.Theme.Helper(store: store)
    try themes.upsert(RebrickableCatalog.Theme(id: 186, name: "Castle"))

    #expect(try themes.findAll().map(\.name) == ["Castle", "Lion Knights"])
  }

  @Test func `the protocol of models`() throws {
    func count<Model: RebrickableCatalog.Model>(of type: Model.Type) throws(SQLiteError) -> Int {
      let query: SQL = "SELECT count(*) FROM \(identifier: Model.table.name)"
      return try connection.first(query, as: Int.self) ?? 0
    }

    #expect(try count(of: RebrickableCatalog.InventoryPart.self) == 5)
  }

  @Test func `themes, colors and categories`() throws {
    let themes = RebrickableCatalog.Theme.Helper(store: store)
    let roots = try themes.find(where: ["parent_id": nil])

    let colors = RebrickableCatalog.Color.Helper(store: store)
    let red = try colors.find(4)

    let categories = RebrickableCatalog.PartCategory.Helper(store: store)
    let names = try categories.findAll().map(\.name)

    #expect(roots == [.init(id: 186, name: "Castle")])
    #expect(red == .init(id: 4, name: "Red", rgb: "C91A09", isTransparent: false))
    #expect(names == ["Bricks"])
  }

  @Test func `parts, their relations and elements`() throws {
    let bricks = try connection.query(
      "SELECT * FROM parts WHERE name LIKE 'Brick %'", as: RebrickableCatalog.Part.self)

    let relations = RebrickableCatalog.PartRelationship.Helper(store: store)
    let prints = try relations.find(where: ["rel_type": "P", "parent_part_num": "3001"])

    let elements = RebrickableCatalog.Element.Helper(store: store)
    let redBricks = try elements.find(where: ["part_num": "3001", "color_id": 4])

    #expect(bricks.map(\.partNumber) == ["3001", "3001pr1"])
    #expect(bricks.map(\.material) == [.plastic, nil])
    #expect(prints.map(\.childPartNumber) == ["3001pr1"])
    #expect(redBricks == [.init(id: "300121", partNumber: "3001", colorID: 4, designID: "3001")])
  }

  @Test func `sets, minifigs and inventories`() throws {
    let year = 1998
    let sets = try connection.query(
      "SELECT * FROM sets WHERE year = \(year)", as: RebrickableCatalog.LegoSet.self)

    let minifigs = RebrickableCatalog.Minifig.Helper(store: store)
    let knight = try minifigs.find("fig-000001")

    let inventories = RebrickableCatalog.Inventory.Helper(store: store)
    let versions = try inventories.find(where: ["set_num": "6024-1"])

    #expect(sets.map(\.setNumber) == ["6024-1"])
    #expect(knight == .init(figNumber: "fig-000001", name: "Knight", partCount: 4))
    #expect(versions == [.init(id: 7, version: 1, setNumber: "6024-1")])
  }

  @Test func `what inventories contain`() throws {
    let contents = RebrickableCatalog.InventoryPart.Helper(store: store)
    let spares = try contents.find(where: ["inventory_id": 7, "is_spare": true])

    let contained = RebrickableCatalog.InventorySet.Helper(store: store)
    let containing = try contained.find(where: ["set_num": "6024-1"]).map(\.inventoryID)

    let figures = RebrickableCatalog.InventoryMinifig.Helper(store: store)
    let knights = try figures.find(7, "fig-000001")?.quantity

    #expect(
      spares == [
        .init(inventoryID: 7, partNumber: "3020", colorID: 4, quantity: 1, isSpare: true)
      ])
    #expect(containing == [8])
    #expect(knights == 3)
  }
}
