import GzipWriting
@testable import Vocabulary
import Foundation
import SQLiteSwiftly
import Schema
import Testing
import Text

@Suite struct ProvenanceTests {
  @Test func `a database records its sources`() throws {
    let workplace = try Family.workplace([
      "things.csv":
        "\u{feff}id,node,size,kind,is_new,\"a \"\"b\"\", c\",code\n1,leaf,,,,,\n\n1,leaf,,,,,\n"
    ])
    #expect(load(workplace, Family.schema).error == nil)
    #expect(
      try workplace.rows("SELECT tool_version, schema_version FROM ingest_catalog") == [
        "'\(toolVersion)'|3"
      ])
    #expect(
      try workplace.rows(
        """
        SELECT table_name, file_name, is_repaired, size, crc32, gzip_members, gzip_time_stamp,
          gzip_original_name, header, bytes, records, inserted, rejected, replaced
        FROM ingest_sources ORDER BY table_name
        """) == [
          "'labels'|'labels.csv'|0|8|'a01dac2d'|-|-|-|'label'|8|1|1|0|0",
          "'nodes'|'nodes.csv'|0|28|'b4c045c7'|-|-|-|'name,parent'|28|2|2|0|0",
          "'owners'|'owners.csv'|0|31|'50ede166'|-|-|-|'owner,of,rank'|31|2|2|0|0",
          "'things'|'things.csv'|0|71|'4c43c698'|-|-|-|"
            + "'id,node,size,kind,is_new,\"a \"\"b\"\", c\",code'|71|2|1|1|0",
        ])
  }

  @Test func `a gzip file is described by its header, and a missing one is not there`() throws {
    let workplace = try Family.workplace()
    try FileManager.default.removeItem(atPath: workplace.path + "/dumps/labels.csv")
    try FileManager.default.removeItem(atPath: workplace.path + "/dumps/owners.csv")
    try workplace.compress("nodes.csv", time: 1_700_000_000, name: "../nodes\n.csv")
    loaded(workplace, Family.schema, allowedMissing: .tables(["labels", "owners"]))
    #expect(
      try workplace.rows(
        """
        SELECT file_name, gzip_members, datetime(gzip_time_stamp, 'unixepoch'), gzip_original_name
        FROM ingest_sources ORDER BY table_name
        """) == [
          #"'nodes.csv.gz'|1|'2023-11-14 22:13:20'|'../nodes\n.csv'"#, "'things.csv'|-|-|-",
        ])
  }

  @Test(
    arguments: [
      ([1_700_000_000, 1_700_003_600, nil, 1_700_001_000], nil),
      (
        [1_700_003_601, 1_700_000_000, nil, 1_700_001_000],
        """
        things.csv.gz things compressed at 2023-11-14T22:13:20Z, but nodes.csv.gz at \
        2023-11-14T23:13:21Z: the source files may be from different days; download all of them again \
        together
        """
      ),
      (
        [1, .max, 0, nil],
        """
        nodes.csv.gz nodes compressed at 1970-01-01T00:00:01Z, but things.csv.gz at \
        2106-02-07T06:28:15Z: the source files may be from different days; download all of them again \
        together
        """
      ),
      ([nil, 7, nil, nil], nil), ([nil, nil, nil, nil], nil),
    ] as [([UInt32?], String?)])
  func `source files from different days produce a warning`(times: [UInt32?], expected: String?)
    throws
  {
    let workplace = try Family.workplace()
    for (table, time) in zip(Family.schema.tables, times) {
      if let time { try workplace.compress("\(table.name).csv", time: time) }
    }
    let warnings = load(workplace, Family.schema).warnings.filter { $0.code != .sourcesInFuture }
    #expect(
      warnings.map { "\($0.file) \($0.table ?? "-") \($0.message)" }
        == (expected.map { [$0] } ?? [])
    )
    #expect(warnings.allSatisfy { $0.code == .mixedGenerations && !$0.code.isSchemaDrift })
  }

  @Test(arguments: ["ingest_sources", "INGEST_x"])
  func `a schema with a table of such a name is refused`(name: String) throws {
    let table = TableDescription(
      name, columns: [ColumnDescription("a", .integer)], primaryKey: ["a"])
    let schema = SchemaDescription(tables: [table], applicationID: 1, version: 1)
    let workplace = try Workplace()
    try workplace.write("\(name).csv", "a\n1\n")
    let error = try #require(load(workplace, schema).error)
    #expect(error.kind == .fault)
    #expect(
      error.message.contains(
        "The schema has a table or view \(name); names that begin with ingest_ are reserved"))
    #expect(try workplace.names == ["dumps"])
  }

  @Test(
    arguments: [
      ("plain", "plain"), ("", ""), ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""),
      ("a\nb", "\"a\nb\""),
      ("\"\u{301}", "\"\"\"\u{301}\""),
    ])
  func `a field is in quotes where it must be`(text: String, expected: String) {
    var line = TextBuffer()
    line.append(field: text)
    #expect(Array(line.string.utf8) == Array(expected.utf8))
  }
}

extension Workplace {
  /// Replaces a dump by its compressed form, whose header says when it was made, and from what.
  func compress(_ dump: String, time: UInt32, name: String? = nil) throws {
    let path = self.path + "/dumps/" + dump
    var writer = GzipWriter()
    writer.write(Array(try Data(contentsOf: URL(fileURLWithPath: path))).span)
    var bytes = writer.finish()
    for index in 0..<4 { bytes[4 + index] = UInt8(truncatingIfNeeded: time >> (8 * UInt32(index))) }
    if let name {
      bytes[3] |= 0x08
      bytes.insert(contentsOf: Array(name.utf8) + [0], at: 10)
    }
    try FileManager.default.removeItem(atPath: path)
    try Data(bytes).write(to: URL(fileURLWithPath: path + ".gz"))
  }
}
