@testable import Vocabulary
import Foundation
import SQLiteSwiftly
import Testing

@Suite struct AccountTests {
  @Test func `every byte of every file is counted`() throws {
    let workplace = try Family.workplace([
      "nodes.csv": "\u{FEFF}\n\r\nname,parent\r\nroot,\r\n\n\nleaf,root\n\nlost,nobody\n,",
      "labels.csv": "label\n\"x\"\n\"x\ny\"",
    ])
    let outcome = load(workplace, Family.schema)
    let tables = try #require(outcome.report).tables
    let nodes = try #require(tables[0].sources.first)
    #expect(nodes.headerBytes == 3 + 13)
    #expect(nodes.blankBytes == 1 + 2 + 1 + 1 + 1)
    #expect(nodes.loaded == .init(records: 2, bytes: 7 + 10))
    #expect(nodes.rejected == .init(records: 2, bytes: 12 + 1))
    #expect(nodes.records == 4)
    for source in tables.flatMap(\.sources) {
      let path = workplace.path + "/dumps/" + source.name
      let content = try Data(contentsOf: URL(fileURLWithPath: path))
      #expect(source.bytes == content.count)
      #expect(source.size == content.count)
    }
    #expect(tables.flatMap(\.imbalances) == [])
    #expect(tables.compactMap(\.imbalanceOfRows) == [])
  }

  private func account() -> TableCounts {
    var source = SourceCounts(name: "parts.csv.gz")
    source.bytes = 100
    source.headerBytes = 20
    source.blankBytes = 1
    source.records = 6
    source.loaded = .init(records: 3, bytes: 50)
    source.rejected = .init(records: 2, bytes: 19)
    source.leftOut = .init(records: 1, bytes: 10)
    var account = TableCounts(table: "parts")
    account.sources = [source]
    account.inserted = 3
    return account
  }

  @Test func `mismatched counts are reported`() {
    func imbalances(_ change: (inout TableCounts) -> Void) -> [String] {
      var account = account()
      change(&account)
      return account.imbalances + [account.imbalanceOfRows].compactMap { $0 }
    }
    #expect(imbalances { _ in } == [])
    #expect(
      imbalances { $0.sources[0].records += 1 } == [
        "parts.csv.gz: 7 records read, but counted: 3 loaded, 2 rejected, 1 skipped"
      ])
    #expect(
      imbalances { $0.sources[0].records = 176_997 } == [
        "parts.csv.gz: 176,997 records read, but counted: 3 loaded, 2 rejected, 1 skipped"
      ])
    #expect(
      imbalances { $0.sources[0].loaded.bytes -= 1 } == [
        "parts.csv.gz: 100 bytes read, but counted: 20 in the header, 1 in blank lines, "
          + "49 in loaded records, 19 in rejected records, 10 in skipped records"
      ])
    #expect(imbalances { $0.inserted = 2 } == ["parts: 3 records loaded, but 2 rows inserted"])
  }

  @Test(
    arguments: [
      (RejectLimits(run: .records(4)), []),
      (RejectLimits(), ["4 of 20 records are rejected, more than --max-rejects 0 allows"]),
      (RejectLimits(run: .records(3), tables: ["a": .records(2)]), []),
      (
        RejectLimits(run: .records(1), tables: ["a": .records(2)]),
        ["2 of 10 records are rejected, more than --max-rejects 1 allows"]
      ),
      (
        RejectLimits(tables: ["a": .records(1), "b": .percent(10)]),
        [
          "2 of 10 records of a are rejected, more than --max-rejects a=1 allows",
          "2 of 10 records of b are rejected, more than --max-rejects b=10% allows",
        ]
      ),
      (RejectLimits(tables: ["a": .records(2), "b": .percent(20)]), []),
    ])
  func `a table with its own limit is checked separately`(
    limits: RejectLimits, excesses: [String]
  ) {
    // Each of the two tables has rejected 2 of 10 records.
    let accounts = ["a", "b"].map { name in
      var source = SourceCounts(name: name)
      source.records = 10
      source.rejected.records = 2
      var account = TableCounts(table: name)
      account.sources = [source]
      return account
    }
    #expect(limits.excesses(in: accounts) == excesses)
  }
}
