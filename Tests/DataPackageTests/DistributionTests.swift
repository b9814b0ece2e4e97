import Schema
import Testing

@testable import DataPackage

@Suite struct DistributionTests {
  private static func description(_ distribute: String) -> [UInt8] {
    let text = """
      {"resources": [{"name": "moves", "path": "moves.csv", "schema": {"primaryKey": "id", "fields": [
        {"name": "id", "type": "integer"}, {"name": "box", "type": "integer", "constraints": {"required": true}},
        {"name": "note", "type": "string"}]}}], "ingest": {"distribute": \(distribute)}}
      """
    return Array(text.utf8)
  }

  @Test(arguments: ["id", "box"])
  func `a description names the distributed table, also as it is written`(column: String) throws {
    let text = Self.description(#"{"table": "moves", "column": "\#(column)"}"#)
    let schema = try DataPackage.read(text, named: "d").schema
    #expect(schema.distributed == DistributedTable(table: "moves", column: column))
    let written = Array(DataPackage.json(of: schema, name: "d").utf8)
    #expect(try DataPackage.read(written, named: "d").schema.distributed == schema.distributed)
  }

  @Test(
    arguments: [
      (
        #"{"table": "moves", "column": "note"}"#, "/ingest/distribute",
        #""moves" has no required field "note""#
      ),
      (
        #"{"table": "move", "column": "id"}"#, "/ingest/distribute",
        #""move" has no required field "id""#
      ),
      (#"{"table": "moves"}"#, "/ingest/distribute", "missing property column"),
      (#"{"table": "moves", "column": 1}"#, "/ingest/distribute/column", "1"),
      (
        #"{"table": "moves", "column": "id", "by": 1}"#, "/ingest/distribute/by",
        #"unknown property "by""#
      ),
      (#""moves=id""#, "/ingest/distribute", #""moves=id""#),
    ])
  func `a wrong distribution is a fault`(text: String, pointer: String, problem: String) throws {
    let error = try #require(throws: DataPackageError.self) {
      try DataPackage.read(Self.description(text), named: "d")
    }
    #expect(error.faults.map(\.pointer) == [pointer])
    #expect(error.faults.first?.message.contains(problem) == true, "\(error.faults)")
  }
}
