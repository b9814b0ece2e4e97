import Foundation
import RebrickableCatalog
import SQLiteSwiftly
import SQLiteSwiftlyData
import TestSupport
import Testing

/// The models of catalogs that were loaded from dumps.
@Suite(.needs(.python)) struct LoadedModelTests {
  /// Compares what a helper reads with the dump, and writes it to another database.
  private func check<Model: RebrickableCatalog.Model>(
    _ type: Model.Type, _ catalog: LoadedCatalog, _ copy: DataStore, columns: String,
    _ properties: (Model) -> [any CustomStringConvertible]
  ) throws {
    let table = Model.table.name
    guard FileManager.default.fileExists(atPath: catalog.dumps + "/\(table).csv.gz") else { return }
    let store = DataStore(catalog.path, opening: .readOnly)
    let models = try Model.Helper(store: store).findAll()
    let found = models.map { model in properties(model).map(\.description).joined(separator: "|") }
    let expected = try catalog.rows(
      ofDump: table, columns: columns.split(separator: " ").map(String.init))
    #expect(found.count == expected.count && !found.isEmpty, "\(table)")
    #expect(Set(found).symmetricDifference(expected).sorted().prefix(5) == [], "\(table)")

    let helper = Model.Helper(store: copy)
    try helper.createTable()
    #expect(try helper.insert(all: models) == models.count)
    let connection = try #require(copy.connection)
    let differences = try connection.query(
      """
      SELECT * FROM (
        SELECT 'read', * FROM (SELECT * FROM catalog.\(identifier: table)
          EXCEPT SELECT * FROM main.\(identifier: table))
        UNION ALL
        SELECT 'written', * FROM (SELECT * FROM main.\(identifier: table)
          EXCEPT SELECT * FROM catalog.\(identifier: table)))
      LIMIT 5
      """)
    #expect(differences == [], "\(table)")
    let count = try connection.value(of: "SELECT count(*) FROM main.\(identifier: table)")
    #expect(count == .integer(Int64(models.count)), "\(table)")

    // A row is known by its key.
    guard let first = models.first else { return }
    #expect(throws: DataAccessError.self) { try helper.insert(first) }
    try helper.upsert(first)
    #expect(try helper.find(like: first).contains(first), "\(table)")
    try helper.delete(first)
    #expect(throws: DataAccessError.self) { try helper.delete(first) }
    #expect(try helper.findAll().count == models.count - 1, "\(table)")
  }

  /// Compares all models of a catalog with its dumps and with a copy.
  private func check(_ catalog: LoadedCatalog) throws {
    let copy = DataStore(catalog.copy, opening: .createNew)
    try copy.connection?.execute("ATTACH \(catalog.path) AS catalog")
    try check(RebrickableCatalog.Theme.self, catalog, copy, columns: "id name parent_id") {
      [$0.id, $0.name, text($0.parentID)]
    }
    try check(
      RebrickableCatalog.Color.self, catalog, copy,
      columns: "id name rgb is_trans num_parts num_sets y1 y2"
    ) {
      [
        $0.id, $0.name, $0.rgb, $0.isTransparent, text($0.partCount), text($0.setCount),
        text($0.firstYear), text($0.lastYear),
      ]
    }
    try check(RebrickableCatalog.PartCategory.self, catalog, copy, columns: "id name") {
      [$0.id, $0.name]
    }
    try check(
      RebrickableCatalog.Part.self, catalog, copy,
      columns: "part_num name part_cat_id part_material"
    ) {
      [$0.partNumber, $0.name, $0.categoryID, text($0.material)]
    }
    try check(
      RebrickableCatalog.PartRelationship.self, catalog, copy,
      columns: "rel_type child_part_num parent_part_num"
    ) {
      [$0.kind, $0.childPartNumber, $0.parentPartNumber]
    }
    try check(
      RebrickableCatalog.Element.self, catalog, copy,
      columns: "element_id part_num color_id design_id"
    ) {
      [$0.id, $0.partNumber, $0.colorID, text($0.designID)]
    }
    try checkSets(catalog, copy)
  }

  private func checkSets(_ catalog: LoadedCatalog, _ copy: DataStore) throws {
    try check(
      RebrickableCatalog.LegoSet.self, catalog, copy,
      columns: "set_num name year theme_id num_parts img_url"
    ) {
      [$0.setNumber, $0.name, $0.year, $0.themeID, $0.partCount, text($0.imageURL)]
    }
    try check(
      RebrickableCatalog.Minifig.self, catalog, copy, columns: "fig_num name num_parts img_url"
    ) {
      [$0.figNumber, $0.name, $0.partCount, text($0.imageURL)]
    }
    try check(RebrickableCatalog.Inventory.self, catalog, copy, columns: "id version set_num") {
      [$0.id, $0.version, $0.setNumber]
    }
    try check(
      RebrickableCatalog.InventoryPart.self, catalog, copy,
      columns: "inventory_id part_num color_id quantity is_spare img_url"
    ) {
      [$0.inventoryID, $0.partNumber, $0.colorID, $0.quantity, $0.isSpare, text($0.imageURL)]
    }
    try check(
      RebrickableCatalog.InventorySet.self, catalog, copy,
      columns: "inventory_id set_num quantity"
    ) {
      [$0.inventoryID, $0.setNumber, $0.quantity]
    }
    try check(
      RebrickableCatalog.InventoryMinifig.self, catalog, copy,
      columns: "inventory_id fig_num quantity"
    ) {
      [$0.inventoryID, $0.figNumber, $0.quantity]
    }
  }

  @Test(arguments: ["dumps", "dumps-2020"])
  func `a catalog of the fixtures is read and written whole`(folder: String) throws {
    try check(LoadedCatalog(of: LoadedCatalog.package + "/fixtures/" + folder))
  }

  static let snapshot = LoadedCatalog.package + "/../shared/data/rebrickable-2020-06-09"
  static var snapshotIsThere: Bool { FileManager.default.fileExists(atPath: snapshot) }

  @Test(.enabled(if: snapshotIsThere, "real dumps are not beside the package"))
  func `the catalog of 2020 is read and written whole`() throws {
    // All tables take a debug build a minute and a half.
    let some = ["themes", "colors", "part_categories", "parts", "sets", "minifigs"]
    let catalog = try LoadedCatalog(of: Self.snapshot, only: LongTests.areOn ? nil : some)
    try check(catalog)

    let store = DataStore(catalog.path, opening: .readOnly)
    let sets = RebrickableCatalog.LegoSet.Helper(store: store)
    #expect(
      try sets.find("001-1")
        == .init(setNumber: "001-1", name: "Gears", year: 1965, themeID: 1, partCount: 43))
    var count = 0
    try sets.forEach(where: ["year": 1998]) { set in count += set.year == 1998 ? 1 : 0 }
    let year = 1998
    let queried = try #require(store.connection).query(
      "SELECT * FROM sets WHERE year = \(year)", as: RebrickableCatalog.LegoSet.self)
    // So many records Python's csv finds.
    #expect(count == 379 && queried.count == 379)
  }
}

private func text(_ value: (some CustomStringConvertible)?) -> String {
  value?.description ?? "nil"
}
