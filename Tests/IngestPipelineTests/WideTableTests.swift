import SQLiteSwiftly
import TestSupport
import Testing

@testable import IngestPipeline

/// A table of very many columns.
@Suite struct WideTableTests {
  private static let columns = 1000

  private static func schema() -> SchemaDescription {
    let columns = (0..<Self.columns).map { ColumnDescription("c\($0)", .text, isNullable: true) }
    return SchemaDescription(
      tables: [TableDescription("places", columns: columns, primaryKey: [])], applicationID: 78,
      version: 1)
  }

  /// The batches of rows between the threads are made for the widest table.
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
    let outcome = load(workplace, Self.schema())
    #expect(outcome.error == nil)
    #expect(outcome.report?.tables.map(\.inserted) == [2200])
  }
}
