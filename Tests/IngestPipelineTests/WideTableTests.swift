@testable import SQLiteDestination
@testable import Vocabulary
import Foundation
import SQLiteSwiftly
import Schema
import TestSupport
import Testing
@testable import SQLiteFormat

/// A table of very many columns.
@Suite struct WideTableTests {
  private static let columns = 1000

  private static func schema() -> SchemaDescription {
    let columns = (0..<Self.columns).map { ColumnDescription("c\($0)", .text, isNullable: true) }
    return SchemaDescription(
      tables: [TableDescription("places", columns: columns, primaryKey: [])], applicationID: 78,
      version: 1)
  }

  /// The batches between the threads have records of the widest table.
  @Test func `batches of wide tables take no more than those of narrow ones`() {
    let cells = [1, 12, 85, 86, 2000].map { Tuning.batchRecords(columns: $0) * $0 }
    #expect(cells == [12_288, 147_456, 1_044_480, 1_048_512, 1_048_000])
  }

  @Test func `its records are loaded, more than a batch has of them`() throws {
    let header = (0..<Self.columns).map { "c\($0)" }.joined(separator: ",")
    let records = (0..<2200).map { "\($0)" + String(repeating: ",", count: Self.columns - 1) }
    let workplace = try Places.workplace([
      "places.csv": ([header] + records).joined(separator: "\n") + "\n"
    ])
    let outcome = loaded(workplace, Self.schema())
    #expect(outcome.report?.tables.map(\.inserted) == [2200])
  }

  // MARK: - As many columns as SQLite can have

  private static let most = 2000

  /// Columns of every type, the first of which is the key.
  private static func widest(_ count: Int = most) -> SchemaDescription {
    let types: [ColumnDescription.DataType] = [.integer, .text, .real, .boolean]
    let columns = (0..<count).map { ColumnDescription("c\($0)", types[$0 % 4], isNullable: $0 > 0) }
    return SchemaDescription(
      tables: [TableDescription("wide", columns: columns, primaryKey: ["c0"])],
      applicationID: 79, version: 1)
  }

  /// A value as it is written in the dump, and as a query shows it; every seventh is missing.
  private static func value(_ row: Int, _ column: Int) -> (written: String, stored: String) {
    let number = row * 10_000 + column
    if column > 0, number % 7 == 0 { return ("", "-") }
    switch column % 4 {
    case 0: return ("\(number)", "\(number)")
    case 1: return ("text \(number)", "'text \(number)'")
    case 2: return ("\(number).5", "\(number).5r")
    default: return number % 2 == 0 ? ("f", "0") : ("t", "1")
    }
  }

  private static func header(_ count: Int) -> String {
    (0..<count).map { "c\($0)" }.joined(separator: ",") + "\n"
  }

  private static func dump(rows: Range<Int>) -> String {
    header(most)
      + rows.map { row in
        (0..<most).map { value(row, $0).written }.joined(separator: ",") + "\n"
      }.joined()
  }

  @Test func `a table of as many columns as SQLite can have is loaded whole, compared and checked`()
    throws
  {
    let workplace = try Workplace()
    let tooLong = String(repeating: ",", count: Self.most) + "\n"
    try workplace.write("wide.csv", Self.dump(rows: 0..<40) + tooLong)
    let first = loaded(workplace, Self.widest())
    #expect(first.rejected == ["wide.csv:42 wrong-field-count -"])
    let expected = (0..<40).map { row in
      (0..<Self.most).map { Self.value(row, $0).stored }.joined(separator: "|")
    }
    #expect(try workplace.rows("SELECT * FROM wide ORDER BY c0") == expected)
    let old = workplace.path + "/old.sqlite"
    try FileManager.default.copyItem(atPath: workplace.output, toPath: old)
    try workplace.write(
      "wide.csv", Self.dump(rows: 1..<41).replacing(",text 11997,", with: ",other,"))
    let second = load(workplace, Self.widest())
    #expect(second.error == nil && second.rejected.isEmpty)
    let keys = second.report?.changes?.tables.first?.keys
    #expect(keys?.added == 1 && keys?.removed == 1 && keys?.changed == 1)
    #expect(try DatabaseCheck(workplace.output, schema: Self.widest()).run().faults == 0)
    let diff = try DatabaseDiff(old, workplace.output, schema: Self.widest())
    var changed: [String] = []
    let found = try diff.compare(diff.tables[0]) { change in
      changed += change.fields.map { diff.tables[0].columns[$0.column] }
    }
    #expect(found.keys?.changed == 1 && changed == ["c1997"])
  }

  @Test func `a dump of as many columns is read where the table has few, and of more is not`()
    throws
  {
    let few = TableDescription(
      "wide", columns: [ColumnDescription("c1999", .text, isNullable: true)], primaryKey: [])
    let schema = SchemaDescription(tables: [few], applicationID: 79, version: 1)
    let workplace = try Workplace()
    try workplace.write("wide.csv", Self.header(2000) + String(repeating: ",", count: 1999) + "x\n")
    #expect(load(workplace, schema).error == nil)
    #expect(try workplace.rows("SELECT c1999 FROM wide") == ["'x'"])
    try workplace.write("wide.csv", Self.header(2001))
    let error = load(workplace, schema).error
    #expect(error?.code == .file(.tooManyColumns))
    #expect(
      error?.message.contains("line 1: 2,001 columns; at most 2,000 are supported") == true,
      "\(error?.message ?? "")")
  }
}
