import Schema
import RebrickableCatalog
import SQLiteSwiftly
import SQLiteSwiftlyData
import Testing

struct ModelTests {
  /// A model, the row that it is, and a way to find it by its key.
  struct Example<Model: RebrickableCatalog.Model> {
    let model: Model
    let row: [SQLiteValue]
    /// Another model with the same key; nil if the key is all that it has.
    var other: Model?
    let find: (Model.Helper) throws -> Model?
  }

  /// A store with the model's table, and nothing in it.
  private func makeHelper<Model: RebrickableCatalog.Model>(
    of type: Model.Type
  ) throws -> (Model.Helper, Connection) {
    let connection = try Connection.inMemory()
    let helper = Model.Helper(store: DataStore(connection))
    try helper.createTable()
    return (helper, connection)
  }

  /// Tries all that a helper does with each of the examples.
  ///
  /// - Returns: How many of them went through all of it.
  private func check<Model>(_ examples: Example<Model>...) throws -> Int {
    var checked = 0
    let (helper, connection) = try makeHelper(of: Model.self)
    let query: SQL = "SELECT * FROM \(identifier: Model.table.name)"
    for example in examples {
      #expect(try example.find(helper) == nil)
      try helper.insert(example.model)
      #expect(try connection.query(query) == [example.row])
      #expect(try example.find(helper) == example.model)
      #expect(try helper.findAll() == [example.model])
      #expect(try connection.query(query, as: Model.self) == [example.model])
      let rows = try connection.readAllRows(fromTable: Model.table)
      #expect(try rows.map { row in try Model(row: row) } == [example.model])
      let error = #expect(throws: DataAccessError.self) { try helper.insert(example.model) }
      guard case .insert(let cause) = error else {
        Issue.record("\(Model.self): \(String(describing: error))")
        return checked
      }
      #expect(cause.code == .constraint)

      try helper.upsert(example.model)
      #expect(try helper.findAll() == [example.model])
      if let other = example.other {
        try helper.upsert(other)
        #expect(try helper.findAll() == [other])
        #expect(try example.find(helper) == other)
      }
      // The key alone says what is deleted.
      try helper.delete(example.model)
      #expect(try helper.findAll() == [])
      #expect(throws: DataAccessError.self) { try helper.delete(example.model) }
      checked += 1
    }
    #expect(try helper.insert(all: examples.map(\.model)) == examples.count)
    #expect(Set(try helper.findAll()) == Set(examples.map(\.model)))
    return checked
  }

  @Test func `themes`() throws {
    let checked = try check(
      Example(
        model: RebrickableCatalog.Theme(id: 0, name: "Tëchnic"), row: [0, "Tëchnic", .null],
        other: .init(id: 0, name: "Arctic", parentID: 7), find: { try $0.find(0) }),
      Example(
        model: .init(id: 5, name: "Model", parentID: 1), row: [5, "Model", 1],
        other: .init(id: 5, name: "Model"), find: { try $0.find(5) }))
    #expect(checked == 2)
  }

  @Test func `colors`() throws {
    let checked = try check(
      Example(
        model: RebrickableCatalog.Color(
          id: -1, name: "[Unknown]", rgb: "0033B2", isTransparent: false),
        row: [-1, "[Unknown]", "0033B2", 0, .null, .null, .null, .null],
        other: .init(id: -1, name: "?", rgb: "000000", isTransparent: true, lastYear: 2020),
        find: { try $0.find(-1) }),
      Example(
        model: .init(
          id: 33, name: "Trans-Dark Blue", rgb: "0020A0", isTransparent: true, partCount: 1,
          setCount: 2, firstYear: 1984, lastYear: 2019),
        row: [33, "Trans-Dark Blue", "0020A0", 1, 1, 2, 1984, 2019], find: { try $0.find(33) }))
    #expect(checked == 2)
  }

  @Test func `part categories`() throws {
    let checked = try check(
      Example(
        model: RebrickableCatalog.PartCategory(id: 3, name: "Bricks"), row: [3, "Bricks"],
        other: .init(id: 3, name: "Bricks Sloped"), find: { try $0.find(3) }))
    #expect(checked == 1)
  }

  @Test func `parts`() throws {
    let checked = try check(
      Example(
        model: RebrickableCatalog.Part(partNumber: "003383", name: "Sheet", categoryID: 58),
        row: ["003383", "Sheet", 58, .null],
        other: .init(partNumber: "003383", name: "x", categoryID: 1, material: .cloth),
        find: { try $0.find("003383") }),
      Example(
        model: .init(
          partNumber: "3383", name: " \u{FEFF}a ", categoryID: 1,
          material: .init(rawValue: "Chocolate")),
        row: ["3383", " \u{FEFF}a ", 1, "Chocolate"], find: { try $0.find("3383") }))
    #expect(checked == 2)
  }

  @Test func `relations of parts, which are all key`() throws {
    let checked = try check(
      Example(
        model: RebrickableCatalog.PartRelationship(
          kind: .print, childPartNumber: "3001pr1", parentPartNumber: "3001"),
        row: ["P", "3001pr1", "3001"], find: { try $0.find("P", "3001pr1", "3001") }),
      Example(
        model: .init(kind: .init(rawValue: "Z"), childPartNumber: "1", parentPartNumber: "1"),
        row: ["Z", "1", "1"],
        find: { try $0.find(RebrickableCatalog.RelationKind(rawValue: "Z"), "1", "1") }))
    #expect(checked == 2)
  }

  @Test func `elements`() throws {
    let checked = try check(
      Example(
        model: RebrickableCatalog.Element(id: "6000000000000", partNumber: "3001", colorID: 4),
        row: ["6000000000000", "3001", 4, .null],
        other: .init(id: "6000000000000", partNumber: "3002", colorID: 5, designID: "1"),
        find: { try $0.find("6000000000000") }),
      Example(
        model: .init(id: "testing", partNumber: "3001", colorID: -1, designID: "007"),
        row: ["testing", "3001", -1, "007"], find: { try $0.find("testing") }))
    #expect(checked == 2)
  }

  @Test func `sets`() throws {
    let checked = try check(
      Example(
        model: RebrickableCatalog.LegoSet(
          setNumber: "001-1", name: "Gears", year: 1965, themeID: 1, partCount: -1),
        row: ["001-1", "Gears", 1965, 1, -1, .null],
        other: .init(
          setNumber: "001-1", name: "G", year: 1966, themeID: 2, partCount: 3, imageURL: "i"),
        find: { try $0.find("001-1") }),
      Example(
        model: .init(
          setNumber: "1-1", name: "a", year: 2199, themeID: 9, partCount: 0, imageURL: ""),
        row: ["1-1", "a", 2199, 9, 0, ""], find: { try $0.find("1-1") }))
    #expect(checked == 2)
  }

  @Test func `minifigs`() throws {
    let checked = try check(
      Example(
        model: RebrickableCatalog.Minifig(figNumber: "fig-000001", name: "Zoë", partCount: 4),
        row: ["fig-000001", "Zoë", 4, .null],
        other: .init(figNumber: "fig-000001", name: "Zoe", partCount: 5, imageURL: "https://a"),
        find: { try $0.find("fig-000001") }))
    #expect(checked == 1)
  }

  @Test func `inventories`() throws {
    let checked = try check(
      Example(
        model: RebrickableCatalog.Inventory(id: 7, version: 1, setNumber: "fig-000001"),
        row: [7, 1, "fig-000001"], other: .init(id: 7, version: 2, setNumber: "10-1"),
        find: { try $0.find(7) }))
    #expect(checked == 1)
  }

  @Test func `parts of inventories, whose spares are apart`() throws {
    let checked = try check(
      Example(
        model: RebrickableCatalog.InventoryPart(
          inventoryID: 1, partNumber: "3001", colorID: 4, quantity: 6, isSpare: false),
        row: [1, "3001", 4, 6, 0, .null],
        other: .init(
          inventoryID: 1, partNumber: "3001", colorID: 4, quantity: 7, isSpare: false,
          imageURL: "https://a"),
        find: { try $0.find(1, "3001", 4, false) }),
      Example(
        model: .init(
          inventoryID: 1, partNumber: "3001", colorID: 4, quantity: 1, isSpare: true),
        row: [1, "3001", 4, 1, 1, .null], find: { try $0.find(1, "3001", 4, true) }))
    #expect(checked == 2)
  }

  @Test func `sets of inventories`() throws {
    let checked = try check(
      Example(
        model: RebrickableCatalog.InventorySet(inventoryID: 1, setNumber: "110-1", quantity: 2),
        row: [1, "110-1", 2], other: .init(inventoryID: 1, setNumber: "110-1", quantity: 3),
        find: { try $0.find(1, "110-1") }))
    #expect(checked == 1)
  }

  @Test func `minifigs of inventories`() throws {
    let checked = try check(
      Example(
        model: RebrickableCatalog.InventoryMinifig(
          inventoryID: 6, figNumber: "fig-000059", quantity: 1),
        row: [6, "fig-000059", 1],
        other: .init(inventoryID: 6, figNumber: "fig-000059", quantity: 0),
        find: { try $0.find(6, "fig-000059") }))
    #expect(checked == 1)
  }

  @Test func `columns are read by their names`() throws {
    let (_, connection) = try makeHelper(of: RebrickableCatalog.Theme.self)
    let theme = RebrickableCatalog.Theme(id: 5, name: "Model", parentID: 1)
    let query: SQL = "SELECT 'more', 1 AS parent_id, 'Model' AS Name, 5 AS id"
    #expect(try connection.query(query, as: RebrickableCatalog.Theme.self) == [theme])
    let error = #expect(throws: SQLiteError.self) {
      try connection.query("SELECT 5 AS id, 'Model' AS name", as: RebrickableCatalog.Theme.self)
    }
    #expect(error?.code == .range)
    #expect(error?.message.contains("parent_id") == true)
  }

  @Test func `required values have no defaults`() throws {
    let error = #expect(throws: SQLiteError.self) {
      try Connection.inMemory().query(
        "SELECT 5 AS id, NULL AS name, NULL AS parent_id", as: RebrickableCatalog.Theme.self)
    }
    #expect(error?.code == .mismatch)
    #expect(error?.message.contains("name") == true)
  }

  @Test func `the rows of a damaged table are refused by name`() throws {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE part_categories (id INTEGER, name)")
    try connection.execute("INSERT INTO part_categories VALUES (1, 'Plates'), (2, x'41')")
    let helper = RebrickableCatalog.PartCategory.Helper(store: DataStore(connection))
    #expect(try helper.find(1)?.name == "Plates")
    let error = #expect(throws: DataAccessError.self) { try helper.findAll() }
    guard case .search(let cause) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(cause.message == "row 1, column name: expected text, found a blob")
  }

  @Test func `invalid values are not inserted`() throws {
    let (helper, _) = try makeHelper(of: RebrickableCatalog.Color.self)
    let black = RebrickableCatalog.Color(id: 0, name: "Black", rgb: "05131D", isTransparent: false)
    var (red, sameName) = (black, black)
    (red.id, red.name, red.rgb) = (4, "Red", "C91A0")
    sameName.id = 1
    for refused in [red, sameName] {
      #expect(throws: DataAccessError.self) { try helper.insert(all: [black, refused]) }
      #expect(try helper.findAll() == [])
    }
  }

  @Test func `an example has all values that are required`() throws {
    let (helper, _) = try makeHelper(of: RebrickableCatalog.Theme.self)
    let model = RebrickableCatalog.Theme(id: 5, name: "Model", parentID: 1)
    try helper.insert(model)
    #expect(try helper.find(like: .init(id: 5, name: "Model")) == [model])
    #expect(try helper.find(like: .init(id: 6, name: "Model")) == [])
    #expect(try helper.find(where: ["name": "Model"]) == [model])
  }

  @Test func `properties are optional where their columns may be NULL`() throws {
    func check<Model: RebrickableCatalog.Model>(_ type: Model.Type) throws {
      let columns = Model.table.columns.map { column -> SQL in
        let value: SQLiteValue = column.isNullable ? .null : 1
        return "\(value) AS \(identifier: column.name)"
      }
      let model = try #require(
        try Connection.inMemory().first(
          "SELECT \(sql: columns.joined(separator: ", "))", as: Model.self, decoding: .lenient))
      let properties = Mirror(reflecting: model).children.map(\.value)
      #expect(
        properties.map { Mirror(reflecting: $0).displayStyle == .optional }
          == Model.table.columns.map(\.isNullable), "\(Model.self)")
    }
    let types: [any RebrickableCatalog.Model.Type] = [
      RebrickableCatalog.Theme.self, RebrickableCatalog.Color.self,
      RebrickableCatalog.PartCategory.self, RebrickableCatalog.Part.self,
      RebrickableCatalog.PartRelationship.self, RebrickableCatalog.Element.self,
      RebrickableCatalog.LegoSet.self, RebrickableCatalog.Minifig.self,
      RebrickableCatalog.Inventory.self, RebrickableCatalog.InventoryPart.self,
      RebrickableCatalog.InventorySet.self, RebrickableCatalog.InventoryMinifig.self,
    ]
    for type in types { try check(type) }
    #expect(types.map { $0.table } == RebrickableCatalog.schema.tables)
  }
}
