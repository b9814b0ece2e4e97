import RebrickableCatalog
import SQLiteSwiftly
import Testing

/// The example in the comment of the catalogue.
struct DocumentationCatalogTests {
  @Test func `the example of the catalogue`() throws {
    let catalog = try Connection.inMemory()
    for table in RebrickableCatalog.schema.tables { try catalog.createTable(describedBy: table) }
    var insert = try catalog.prepareInsertIntoTable(describedBy: RebrickableCatalog.themes)
    try insert.insert(["id": 1, "name": "Technic", "parent_id": .null])

    #expect(try catalog.readAllRows(fromTable: RebrickableCatalog.themes).count == 1)
  }
}
