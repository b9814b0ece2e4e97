import RebrickableCatalog
import SQLiteSwiftly
import Schema
import TestSupport
import Testing

/// The example in the comment of the catalog.
struct CatalogExamples {
  @Test func `the example of the catalog`() throws {
    // Example: RebrickableCatalog.swift # RebrickableCatalog

    #expect(try catalog.readAllRows(fromTable: RebrickableCatalog.themes).count == 1)
  }

  @Test func `the example of a question`() throws {
    let loaded = try LoadedCatalog(of: LoadedCatalog.package + "/fixtures/dumps")
    let catalog = try Connection(loaded.path, opening: .readOnly)
    // Example: CatalogQuestion.swift # CatalogQuestion

    #expect(rows.contains { $0[1].textValue != nil && $0[0].isNull })
  }

  @Test func `the example of a new night`() throws {
    let fixtures = LoadedCatalog.package + "/fixtures/"
    let loaded = try LoadedCatalog(of: fixtures + "dumps-2020")
    let path = loaded.path
    var catalog = try CatalogStore(path)
    let run: SQL = "SELECT max(run) FROM ingest_history"

    func openNewest() throws {
      // Example: Updates # Updates
    }

    try openNewest()
    #expect(try catalog.connection.value(of: run) == 1)
    for night in 2...3 {
      try loaded.load(fixtures + (night == 2 ? "dumps" : "dumps-2020"))
      #expect(try catalog.connection.value(of: run)?.integerValue == Int64(night - 1))
      try openNewest()
      #expect(try catalog.connection.value(of: run)?.integerValue == Int64(night))
    }
  }
}
