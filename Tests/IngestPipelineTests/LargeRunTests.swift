import Vocabulary
import Foundation
import SQLiteSwiftly
import Schema
import Testing

@Suite struct LargeRunTests {
  @Test func `every row of many batches arrives, and twice the same file`() throws {
    let count = 60_000
    let labels = ["x\r\n"] + (1..<count).map { "label \($0 * 2_654_435_761 % 1_000_000_007)\r\n" }
    let workplace = try Family.workplace(["labels.csv": "label\r\n" + labels.joined()])
    let outcome = load(workplace, Family.schema, limit: .records(0))
    #expect(outcome.report?.tables[2].inserted == count)
    let found = Set(try workplace.rows("SELECT label FROM labels"))
    #expect(found == Set(labels.map { "'\($0.dropLast(1))'" }))
    let first = try workplace.bytesOfOutput()
    #expect(load(workplace, Family.schema, limit: .records(0)).error == nil)
    #expect(try workplace.bytesOfOutput() == first)
  }

  @Test func `all is read and counted after the limit is passed`() throws {
    let labels = (0..<120_000).map { "\($0)\n" }.joined()
    let workplace = try Family.workplace([
      "nodes.csv": "name,parent\nroot,nobody\n", "labels.csv": "label\nx\n\(labels)x\n",
    ])
    let outcome = load(workplace, Family.schema, limit: .records(0))
    #expect(
      outcome.rejected == [
        "nodes.csv:2 missing-parent parent", "things.csv:2 missing-parent node",
        "labels.csv:120003 duplicate-key label", "owners.csv:2 missing-parent of",
      ])
    #expect(outcome.error?.message.hasPrefix("4 of 120,006 records are rejected") == true)
    #expect(try workplace.names == ["dumps", "out.sqlite.rejects"])
  }

  @Test func `a field larger than a block comes through whole`() throws {
    let long = String(repeating: "0123456789", count: 100_000)
    let quoted = String(repeating: "\"\"", count: 300_000)
    let labels = TableDescription(
      "labels", columns: [ColumnDescription("label", .text)], primaryKey: ["label"])
    let schema = SchemaDescription(tables: [labels], applicationID: 1, version: 1)
      .withSources { $0.formats[0].longestKey = long.utf8.count }
    let workplace = try Workplace()
    try workplace.write("labels.csv", "label\nx\n\(long)\n\"\(quoted)\"\nlast\n")
    #expect(load(workplace, schema, limit: .records(0)).error == nil)
    #expect(
      try workplace.rows("SELECT length(label) FROM labels ORDER BY 1") == [
        "1", "4", "300000", "1000000",
      ])
    #expect(
      try workplace.rows("SELECT count(*) FROM labels WHERE replace(label, '\"', '') = ''") == ["1"]
    )
  }

  @Test func `a record over the limit is rejected alone`() throws {
    let long = String(repeating: "0123456789", count: 100_000)
    let workplace = try Family.workplace(["labels.csv": "label\nx\n\(long)\nlast\n"])
    let outcome = load(workplace, Family.schema, limit: .records(1), recordLimit: 500_000)
    #expect(outcome.rejected == ["labels.csv:3 record-too-long label"])
    #expect(try workplace.rows("SELECT label FROM labels") == ["'last'", "'x'"])
  }
}
