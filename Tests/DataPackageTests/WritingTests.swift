import Foundation
import RebrickableCatalog
import SQLiteSwiftly
import Schema
import Testing

@testable import DataPackage

@Suite struct WritingTests {
  @Test func `the LEGO catalog reads as it was written`() throws {
    let schema = RebrickableCatalog.schema
    let text = DataPackage.json(of: schema, name: "rebrickable")
    let read = try DataPackage.read(Array(text.utf8), named: "d", needsPlaces: true)
    #expect(read.name == "rebrickable" && read.warnings == [])
    #expect(read.schema.tables.map(\.name) == schema.tables.map(\.name))
    for (table, original) in zip(read.schema.tables, schema.tables) {
      #expect(table == original)
      #expect(table.columns.map(\.name) == original.columns.map(\.name))
      #expect(table.meaning == original.meaning && table.since == original.since)
      for (column, original) in zip(table.columns, original.columns) {
        #expect(column == original && column.domain == original.domain)
        #expect(column.knownValues == original.knownValues && column.since == original.since)
        #expect(column.meaning == original.meaning && column.example == original.example)
      }
    }
    var sources = schema.sources
    for index in sources.indices {
      sources[index].place = .files([sources[index].table + ".csv.gz"])
    }
    #expect(read.schema.sources == sources)
    #expect(read.schema.keyUnions == schema.keyUnions)
    #expect(read.schema.keyUnions.first?.meaning == schema.keyUnions.first?.meaning)
    #expect(read.schema.applicationID == schema.applicationID)
    #expect(read.schema.version == schema.version)
  }

  @Test(arguments: ["C:/b", "~a", #"a\b"#, ".a", "a//b", "../a"])
  func `a table whose name is not a valid path reads as it was written`(name: String) throws {
    let schema = SchemaDescription(
      tables: [
        TableDescription(name, columns: [ColumnDescription("c", .text)], primaryKey: ["c"])
      ], applicationID: 1, version: 1)
    let text = DataPackage.json(of: schema, name: "d")
    let read = try DataPackage.read(Array(text.utf8), named: "d")
    #expect(read.schema.tables == schema.tables)
    #expect(read.schema.sources.first?.place == .named)
  }

  /// What is read of a description is said again by the one that is written of it.
  @Test func `every accepted description reads as it was written`() throws {
    for given in DescriptorCase.all where given.faults.isEmpty {
      let first = try DataPackage.read(given.bytes, named: "d")
      let text = DataPackage.json(of: first.schema, name: first.name)
      let second = try DataPackage.read(Array(text.utf8), named: "d")
      #expect(second.schema.tables == first.schema.tables, "\(given.name)")
      // The size and digest belong to one file, not to the family.
      var sources = first.schema.sources
      for place in sources.indices { sources[place].claims = nil }
      #expect(second.schema.sources == sources, "\(given.name)")
      for (table, original) in zip(second.schema.tables, first.schema.tables) {
        let isAlike = zip(table.columns, original.columns).allSatisfy { $0.domain == $1.domain }
        #expect(isAlike, "\(given.name)")
      }
    }
  }

  @Test func `inline data is written without the dialect, which it does not have`() throws {
    let text = #"""
      {"resources": [{"name": "a", "format": "csv", "data": "k,t\nA,;\n", "dialect": {"delimiter": ";"},
        "schema": {"fields": [{"name": "k"}, {"name": "t"}]}}]}
      """#
    let first = try DataPackage.read(Array(text.utf8), named: "d", ignoringUnsupported: true)
    let written = DataPackage.json(of: first.schema, name: "d")
    let second = try DataPackage.read(Array(written.utf8), named: "d")
    #expect(second.schema.sources == first.schema.sources)
    #expect(second.schema.sources.first?.dialect == SourceDescription.Dialect())
  }
}
