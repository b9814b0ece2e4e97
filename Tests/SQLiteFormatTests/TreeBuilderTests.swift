import Glibc
import SQLiteSwiftly
import TestSupport
import Testing

@testable import SQLiteFormat

struct TreeBuilderTests {
  /// Loads the indexes of a table, and expects that they are sound and the reader finds them so.
  private func expectSound(
    _ table: TableDescription, _ rows: [[SQLiteValue]],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let workplace = try Workplace()
    let both = BothWays(table: table, pageBytes: 512)
    let indexes = try both.load(workplace, rows).indexes
    #expect(indexes.count == table.indexes.count)
    let loaded = try Connection(workplace.path + "/loaded", opening: .readOnly)
    #expect(try loaded.faults(.full) == [], "\(rows.count) rows", sourceLocation: sourceLocation)
    let descriptor = try both.open(workplace.path + "/loaded")
    defer { close(descriptor) }
    for index in indexes {
      let name = table.indexName(index.place)
      let root = try loaded.value(of: "SELECT rootpage FROM sqlite_schema WHERE name = \(name)")
      let checksum = try index.storedChecksum(in: descriptor, root: Int(root?.integerValue ?? 0))
      #expect(checksum == index.checksum, "\(rows.count) rows", sourceLocation: sourceLocation)
      #expect(checksum.entries == rows.count, sourceLocation: sourceLocation)
      let pages = try loaded.value(
        of: "SELECT count(*) FROM dbstat WHERE name = \(name) AND pagetype <> 'overflow'")
      let sizes = index.sizes
      #expect(sizes.leastPages...sizes.maximumPages ~= Int(pages?.integerValue ?? 0))
    }
  }

  private func table(_ type: ColumnDescription.DataType) -> TableDescription {
    TableDescription("t", columns: [ColumnDescription("a", type)], primaryKey: [], indexes: [["a"]])
  }

  /// Four or five entries to a page, so that three levels end in every way.
  @Test func `trees of large entries end in every way`() throws {
    for count in 0...(LongTests.areOn ? 2000 : 170) {
      let rows: [[SQLiteValue]] = (0..<count).map { row in
        [.text(String(repeating: "x", count: 70 + row * 7 % 20) + "\(row * 7919 % 2003)")]
      }
      try expectSound(table(.text), rows)
    }
  }

  /// Entries of four bytes: nothing is smaller.
  @Test func `trees of small entries end in every way`() throws {
    let counts = LongTests.areOn ? Array(0...2000) : Array(70...100) + Array(2000...2010)
    for count in counts {
      try expectSound(table(.integer), (0..<count).map { [.integer(Int64($0) % 3)] })
    }
  }

  @Test func `trees of entries of all sizes end in every way`() throws {
    var random = SeededGenerator(seed: 1)
    let sizes = (0..<2000).map { _ in
      [0, 1, 30, 90, 100, 500, 1500].randomElement(using: &random) ?? 0
    }
    for count in stride(from: 1, through: LongTests.areOn ? 2000 : 150, by: LongTests.areOn ? 1 : 3)
    {
      try expectSound(
        table(.text), sizes[..<count].map { [.text(String(repeating: "y", count: $0))] })
    }
  }

  /// The records of 0 and 1, and of an empty text, have two bytes, and no leaf's cell has fewer than four.
  @Test func `entries that part pages are as small as any`() throws {
    func table(_ type: ColumnDescription.DataType) -> TableDescription {
      TableDescription(
        "t", columns: [ColumnDescription("a", type)], primaryKey: ["a"], indexes: [["a"]],
        isWithoutRowid: true)
    }
    for least in 70...90 {
      try expectSound(table(.integer), (-least..<100).map { [.integer(Int64($0))] })
    }
    try expectSound(table(.text), [[.text("")], [.text("a")]])
  }
}
