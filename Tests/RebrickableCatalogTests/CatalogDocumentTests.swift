import SQLiteSwiftly
import Schema
import Testing
@testable import RebrickableCatalog
@testable import ingest
@testable import DataPackage

/// How the catalog is shown to those who browse it.
struct CatalogDocumentTests {
  private let document = RebrickableCatalog.document
  private var tables: [DescribedTable] { document.schema.describedTables }

  @Test func `every table is in the diagram, once`() {
    let names = (document.schema.tables + document.schema.allDerivedTables).map(\.name)
    #expect(document.diagram.joined().sorted() == names.sorted())
  }

  @Test func `display settings refer to existing columns`() throws {
    for (name, display) in document.displays {
      let table = try #require(tables.first { $0.name == name }, "\(name)")
      var columns = display.facets + [display.label].compactMap(\.self)
      switch display.order {
      case .ascending(let column), .descending(let column): columns.append(column)
      case nil: break
      }
      #expect(Set(columns).isSubset(of: table.columns.map(\.name)), "\(name): \(columns)")
    }
  }

  @Test func `questions use existing tables`() throws {
    let connection = try Connection.inMemory()
    for table in document.schema.tables + document.schema.allDerivedTables {
      try connection.createTable(describedBy: table)
    }
    for view in document.schema.views { try connection.execute(view.creation) }
    if let search = document.schema.search { _ = try connection.createSearch(search) }
    for question in document.questions {
      // A search for nothing is an error to FTS5.
      let query = question.sql.replacing(/MATCH :\w+/, with: "MATCH 'x'").replacing(
        /:\w+/, with: "NULL")
      #expect(throws: Never.self, "\(question.name)") {
        try connection.query(SQL(generated: query))
      }
    }
    #expect(Set(document.questions.map(\.name)).count == document.questions.count)
    #expect(document.questions.first?.title == "Search")
  }
}
