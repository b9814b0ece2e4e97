@testable import Vocabulary
import SQLiteSwiftly
import Schema
import Testing

/// Rows and keys of each size around those at which SQLite moves a part of them to other pages.
@Suite struct PublishedPageEdgeTests {
  /// Tables with and without rowids, each with an index that is loaded.
  private static let schema: SchemaDescription = {
    let columns = [ColumnDescription("a", .text), ColumnDescription("n", .integer)]
    return SchemaDescription(
      tables: [
        TableDescription("rows", columns: columns, primaryKey: ["n"], indexes: [["a"]]),
        TableDescription("keys", columns: columns, primaryKey: ["a"], indexes: [["n"]]),
        TableDescription(
          "loaded", columns: columns, primaryKey: ["a"], indexes: [["n", "a"]],
          isWithoutRowid: false),
      ], applicationID: 1, version: 1
    ).withSources { $0.formats[0].longestKey = 100_000 }
  }()

  /// The most bytes of a record in a page of a table, and in one of an index, and those with which as many
  /// overflow pages are full as well.
  private static let edges: [Int] = {
    let u = Tuning.pageBytes
    let (ofTable, ofIndex) = (u - 35, (u - 12) * 64 / 255 - 23)
    let least = (u - 12) * 32 / 255 - 23
    return [ofTable, ofIndex] + [ofTable, ofIndex, least].map { $0 + u - 4 }
  }()

  @Test(arguments: edges)
  func `records of each size are in the file that is published`(edge: Int) throws {
    let workplace = try Workplace()
    let rows = (edge - 20...edge + 10).enumerated().map { place, length in
      (text: "\(1000 + place * 7 % 31)" + String(repeating: "y", count: length - 4), number: place)
    }
    let lines = rows.map { "\($0.text),\($0.number)\n" }.joined()
    for table in Self.schema.tables { try workplace.write("\(table.name).csv", "a,n\n" + lines) }
    loaded(workplace, Self.schema)
    let connection = try Connection(workplace.output, opening: .readOnly)
    #expect(try connection.faults(.full) == [])
    for table in Self.schema.tables {
      let found = try connection.query(
        "SELECT a, n FROM \(identifier: table.name) NOT INDEXED ORDER BY n", as: (String, Int).self)
      #expect(found.elementsEqual(rows, by: ==))
    }
  }
}
