import Vocabulary
import SQLiteSwiftly
import Schema
import TestSupport
import Testing

/// Random tables with references of all kinds, against a model of plain sets.
@Suite struct RandomReferenceTests {
  @Test(arguments: LongTests.seeds(few: 8, many: 400))
  func `what is loaded of random dumps agrees with a model`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<2 {
      let schema = Self.schema(using: &generator)
      let workplace = try Workplace()
      var dumps: [[[String]]] = []
      for table in schema.tables {
        let records = (0..<Int.random(in: 0...24, using: &generator)).map { _ in
          Self.record(using: &generator)
        }
        try workplace.write(
          "\(table.name).csv",
          "a,b,c,d\n" + records.map { $0.joined(separator: ",") + "\n" }.joined())
        dumps.append(records)
      }
      let model = ReferenceModel(schema, dumps)
      let outcome = load(workplace, schema)
      #expect(outcome.error == nil, "\(schema)")
      // Of many records with one code only some are told.
      let told = outcome.rejected.map { String($0.prefix { $0 != " " }) }
      #expect(Set(told).isSubset(of: model.rejected), "\(schema)")
      let sums = outcome.report?.tables.map(\.rejected)
      #expect(sums?.reduce(0, +) == model.rejected.count, "\(schema)")
      for (table, rows) in zip(schema.tables, model.loaded) {
        let found = try workplace.rows(SQL(generated: "SELECT a, b, c, d FROM \(table.name)"))
        #expect(found.sorted() == rows.sorted(), "\(schema)")
      }
      try expectSound(workplace, schema)
    }
  }

  private static func record(using generator: inout SeededGenerator) -> [String] {
    let texts = ["", "x", "y", "z", "xx"]
    return (0..<4).map { column in
      switch Int.random(in: 0..<12, using: &generator) {
      case 0: ""
      case 1 where column < 2: "no"
      default:
        column < 2
          ? "\(Int.random(in: 0...5, using: &generator))"
          : texts[Int.random(in: 1..<texts.count, using: &generator)]
      }
    }
  }

  /// Three tables of two numbers and two texts each, some of which may be NULL, and a union.
  private static func schema(using generator: inout SeededGenerator) -> SchemaDescription {
    let unions = [
      KeyUnionDescription(
        "u", column: "k", type: .text, members: [.init("t0", "c"), .init("t1", "d")])
    ]
    var tables: [TableDescription] = []
    for number in 0..<3 {
      let primary = pick([[], ["a"], ["c"], ["a", "b"], ["c", "a"]], &generator)
      let unique = pick([[["b"]], [["d"]], [["d", "b"]], [["a"]], [], [], []], &generator)
      func description(_ keys: [ForeignKeyDescription]) -> TableDescription {
        TableDescription(
          "t\(number)",
          columns: [
            ColumnDescription("a", .integer), ColumnDescription("b", .integer, isNullable: true),
            ColumnDescription("c", .text), ColumnDescription("d", .text, isNullable: true),
          ], primaryKey: primary, uniqueKeys: unique, foreignKeys: keys)
      }
      let keys = (0..<Int.random(in: 0...2, using: &generator)).map { _ in
        let parent = Int.random(in: 0...number, using: &generator)
        let columns = pick([["a"], ["b"], ["d"], ["b", "d"], ["b", "a"]], &generator)
        let keyColumns = columns.map { pick($0 < "c" ? ["a", "b"] : ["c", "d"], &generator) }
        let parentTable = parent == number ? description([]) : tables[parent]
        // SQLite lets no column be there twice in what is referred to.
        let isTwice = Set(keyColumns).count < keyColumns.count
        var key = ForeignKeyDescription(
          columns, references: "t\(parent)", isTwice ? ["a", "b"] : keyColumns)
        key.isDeclared = parentTable.isKey(key.keyColumns)
        return key
      }
      let toUnion =
        number == 2 && Bool.random(using: &generator)
        ? [ForeignKeyDescription("d", references: "u", "k")] : []
      tables.append(description(keys + toUnion))
    }
    return SchemaDescription(tables: tables, keyUnions: unions, applicationID: 1, version: 1)
  }
}

private func pick<Value>(_ values: [Value], _ generator: inout SeededGenerator) -> Value {
  values[Int.random(in: values.indices, using: &generator)]
}

/// What must become of the records of tables, told by going through all of them again and again.
private struct ReferenceModel {
  typealias Values = [String: String]
  /// For each table the rows, as `Workplace.rows` has them.
  private(set) var loaded: [[String]] = []
  /// The records that are rejected, as `file:line`.
  private(set) var rejected: [String] = []
  private var rows: [[Values]] = []

  init(_ schema: SchemaDescription, _ dumps: [[[String]]]) {
    for (table, records) in zip(schema.tables, dumps) {
      let values = records.map { record in
        Values(
          uniqueKeysWithValues: zip(table.columns, record).filter { !$1.isEmpty }.map {
            ($0.name, $1)
          })
      }
      let others = table.foreignKeys.filter { $0.table != table.name }
      let sound = values.indices.filter { index in
        let row = values[index]
        let isSound = table.columns.allSatisfy { column in
          guard let text = row[column.name] else { return !table.requires(column) }
          return column.type == .text || Int64(text) != nil
        }
        return isSound
          && others.allSatisfy { key in
            guard let wanted = Self.values(row, key.columns) else { return true }
            return schema.sources(of: key).contains { source in
              rows[source.table].contains { Self.values($0, source.columns) == wanted }
            }
          }
      }
      let chosen = Self.choose(sound, of: values, table)
      rows.append(chosen.map { values[$0] })
      loaded.append(
        chosen.map { index in
          table.columns.map { column in
            let text = values[index][column.name]
            return text.map { column.type == .text ? "'\($0)'" : $0 } ?? "-"
          }.joined(separator: "|")
        })
      let lines = values.indices.filter { !chosen.contains($0) }.map { $0 + 2 }
      rejected += lines.map { "\(table.name).csv:\($0)" }
    }
  }

  private static func values(_ row: Values, _ columns: [String]) -> [String]? {
    let values = columns.compactMap { row[$0] }
    return values.count == columns.count ? values : nil
  }

  /// The records that are loaded of those that are sound but for their own keys and references.
  private static func choose(
    _ sound: [Int], of values: [Values], _ table: TableDescription
  ) -> [Int] {
    let own = table.foreignKeys.filter { $0.table == table.name }
    let keys = [table.primaryKey].filter { !$0.isEmpty } + table.uniqueKeys
    func firstOfEachKey(_ records: [Int]) -> [Int] {
      var taken = keys.map { _ in Set<[String]>() }
      return records.filter { index in
        let wanted = keys.map { Self.values(values[index], $0) }
        let isFree = zip(taken, wanted).allSatisfy { taken, key in
          key.map { !taken.contains($0) } ?? true
        }
        guard isFree else { return false }
        for (place, key) in wanted.enumerated() {
          if let key { taken[place].insert(key) }
        }
        return true
      }
    }
    func withParents(_ records: [Int]) -> [Int] {
      var alive = records
      while true {
        let next = alive.filter { index in
          own.allSatisfy { key in
            guard let wanted = Self.values(values[index], key.columns) else { return true }
            return alive.contains { Self.values(values[$0], key.keyColumns) == wanted }
          }
        }
        if next.count == alive.count { return alive }
        alive = next
      }
    }
    let isOnlyKey = keys.allSatisfy { key in own.allSatisfy { Set($0.keyColumns) == Set(key) } }
    return isOnlyKey ? firstOfEachKey(withParents(sound)) : withParents(firstOfEachKey(sound))
  }
}
