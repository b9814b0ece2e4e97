import Vocabulary
import SQLiteSwiftly
import Schema
import Testing

/// Keys of several columns, which are kept as one number where they fit into one.
@Suite struct CompositeKeyTests {
  /// Values that are told apart in few bits, in many, and in none that are to be had.
  private static let numbers = [
    "0", "1", "2", "3", "7", "255", "256", "2147483647", "4294967295", "4294967296",
    "9223372036854775807", "-1", "-2", "-9223372036854775808",
  ]
  private static let texts = ["a", "b", "ab", "0", "1", "10", "a,b", "a\u{1F}b", "é"]

  private static func table(_ types: String, _ keys: [[Int]]) -> TableDescription {
    let columns = types.enumerated().map { place, type in
      switch type {
      case "t": ColumnDescription("c\(place)", .text)
      case "n": ColumnDescription("c\(place)", .integer, isNullable: true)
      case "b": ColumnDescription("c\(place)", .integer)
      case "s": ColumnDescription("c\(place)", .integer, domain: .within(0...300))
      default: ColumnDescription("c\(place)", .real)
      }
    }
    let names = keys.map { $0.map { "c\($0)" } }
    return TableDescription(
      "t", columns: columns, primaryKey: types.contains("n") ? [] : names[0],
      uniqueKeys: types.contains("n") ? names : Array(names.dropFirst()))
  }

  @Test(
    arguments: [
      ("tn", [[0, 1]]), ("nt", [[0, 1]]), ("nn", [[0, 1]]), ("tt", [[0, 1]]), ("ttn", [[2, 0, 1]]),
      ("ts", [[0, 1]]), ("ss", [[0, 1]]), ("st", [[0, 1]]), ("tr", [[0, 1]]),
      ("bbbbbbbb", [[0, 1, 2, 3, 4, 5, 6, 7]]), ("tns", [[0, 2], [1, 0]]),
      ("tts", [[0, 1], [1, 2], [2, 0]]), ("snt", [[0, 1, 2], [2, 1]]),
    ], 1...3)
  func `duplicates are those that a set of texts finds`(
    shape: (types: String, keys: [[Int]]), seed: Int
  ) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var seen = shape.keys.map { _ in Set<[String]>() }
    var lines = [shape.types.indices.enumerated().map { "c\($0.offset)" }.joined(separator: ",")]
    var kept: [[String]] = []
    var rejected = 0
    for _ in 0..<1_500 {
      let record = shape.types.map { type in
        switch type {
        case "t": Self.texts.randomElement(using: &random) ?? ""
        case "n":
          Int.random(in: 0..<9, using: &random) == 0
            ? "" : Self.numbers.randomElement(using: &random) ?? ""
        case "b": Bool.random(using: &random) ? "7" : "-7"
        case "s": "\(Int.random(in: 0...300, using: &random))"
        default: ["1.5", "-0.25", "2.75"].randomElement(using: &random) ?? ""
        }
      }
      lines.append(record.map { $0.contains(",") ? "\"\($0)\"" : $0 }.joined(separator: ","))
      let keys = shape.keys.map { key in key.map { record[$0] } }
      guard !keys.indices.contains(where: { !keys[$0].contains("") && seen[$0].contains(keys[$0]) })
      else {
        rejected += 1
        continue
      }
      for (place, key) in keys.enumerated() { seen[place].insert(key) }
      kept.append(record)
    }
    let workplace = try Workplace()
    try workplace.write("t.csv", lines.map { $0 + "\n" }.joined())
    let schema = SchemaDescription(
      tables: [Self.table(shape.types, shape.keys)], applicationID: 1, version: 1)
    let outcome = loaded(workplace, schema, limit: .records(2_000))
    #expect(outcome.whole.rejected == rejected && rejected > 0)
    let connection = try Connection(workplace.output, opening: .readOnly)
    let rows = try connection.query("SELECT * FROM t").map { row in
      row.map { value in
        switch value {
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let text): text
        default: ""
        }
      }
    }
    #expect(Set(rows) == Set(kept) && rows.count == kept.count)
  }

  /// A trip's stops, a shape's points: 80,000 keys of a text and a number take 8 bytes each, as long as there
  /// are few texts.
  @Test func `a key of a text that many records share takes a number's memory`() throws {
    let workplace = try Workplace()
    let records = (0..<80_000).map { "trip number \($0 / 400),\($0 % 400)\n" }
    try workplace.write("t.csv", "c0,c1\n" + records.joined())
    let table = TableDescription(
      "t",
      columns: [
        ColumnDescription("c0", .text), ColumnDescription("c1", .integer, domain: .atLeast(0)),
      ], primaryKey: ["c0", "c1"])
    loaded(
      workplace, SchemaDescription(tables: [table], applicationID: 1, version: 1)
    ) { $0.keyMemory = 2 << 20 }
    #expect(try workplace.rows("SELECT count(*) FROM t") == ["80000"])
  }
}
