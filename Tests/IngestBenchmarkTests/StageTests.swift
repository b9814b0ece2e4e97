import Vocabulary
import Foundation
import SQLiteSwiftly
import Schema
import TestSupport
import Testing
@testable import ingest_benchmark

struct StageTests {
  private let schema = SchemaDescription(
    tables: [
      TableDescription("colors", columns: [ColumnDescription("id", .integer)], primaryKey: ["id"]),
      TableDescription(
        "parts",
        columns: [
          ColumnDescription("part_num", .text),
          ColumnDescription("color_id", .integer),
          ColumnDescription("note", .text, isNullable: true),
        ],
        primaryKey: ["part_num"],
        foreignKeys: [ForeignKeyDescription("color_id", references: "colors", "id")],
        indexes: [["color_id"]]),
    ],
    applicationID: 1, version: 1)

  private func makeDumps() throws -> Workplace {
    let workplace = try Workplace()
    try workplace.write("colors.csv", "id\n1\n2\n")
    try workplace.write("parts.csv", "part_num,color_id,note\n3001,2,a\n3003,1,\n")
    return workplace
  }

  @Test func `the rows that are read can be inspected and written`() throws {
    let workplace = try makeDumps()
    try Data().write(to: URL(fileURLWithPath: workplace.output))
    var writing = try WritingStage(workplace.output, schema: schema)
    var texts: [[String]] = []
    let reading = try ReadingStage(schema, source: workplace.path + "/dumps")
    let outcome = try reading.run { batch, table throws(SQLiteError) in
      try writing.insert(batch, table: table)
      for row in 0..<batch.rows {
        texts.append(
          (0..<batch.columns).map { column in
            switch batch.cell(row: row, column: column) {
            case .null: "NULL"
            case .integer(let number): "\(number)"
            case .text(let place): "'\(String(decoding: batch.text[place], as: UTF8.self))'"
            }
          })
      }
    }
    #expect(texts == [["1"], ["2"], ["'3001'", "2", "'a'"], ["'3003'", "1", "NULL"]])
    #expect(outcome.accounts.map(\.read) == [2, 2] && outcome.accounts.map(\.rejected) == [0, 0])
    #expect(outcome.processorSeconds > 0)
    try writing.end(table: 1)
    let settings = try writing.settings().map(\.text)
    #expect(settings.contains("PRAGMA foreign_keys = 0"))
    // The file is locked while it is written.
    _ = consume writing
    let connection = try Connection(workplace.output, opening: .readOnly)
    #expect(try connection.query("SELECT count(*) FROM parts", as: Int.self) == [2])
  }

  @Test func `a failure of the reader or the consumer is thrown`() throws {
    let workplace = try makeDumps()
    let reading = try ReadingStage(schema, source: workplace.path + "/dumps")
    #expect(throws: IngestError.self) {
      try reading.run { _, _ throws(SQLiteError) in throw SQLiteError(.full, "no room") }
    }
    try workplace.write("parts.csv", "part_num,note\n")
    #expect(throws: IngestError.self) { try reading.run { _, _ in } }
  }
}
