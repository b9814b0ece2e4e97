import Schema
import RebrickableCatalog
import SQLiteSwiftly
import SQLiteSwiftlyData
import Testing

struct ModelTests {
  /// A store with the model's table, and nothing in it.
  private func makeHelper<Model: RebrickableCatalog.Model>(
    of type: Model.Type
  ) throws -> (Model.Helper, Connection) {
    let connection = try Connection.inMemory()
    let helper = Model.Helper(store: DataStore(connection))
    try helper.createTable()
    return (helper, connection)
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
