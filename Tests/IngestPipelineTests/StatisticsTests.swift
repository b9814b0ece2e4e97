import Vocabulary
import RebrickableCatalog
import SQLiteSwiftly
import Schema
import Testing

@testable import SQLiteDestination

/// Statistics that are computed while an index is written, beside the rows of their queries, with which a check of the
/// database compares them.
@Suite struct StatisticsTests {
  /// The source files that statistics depend on.
  private struct Dumps {
    var sets = ""
    var minifigs = ""
    var inventories = ""
    var inventorySets = ""
    var inventoryMinifigs = ""
    var inventoryParts = ""

    static let parts = ["a", "ab", "ä", "b", "c", "d", "e", "1"]

    func write(to workplace: Workplace) throws {
      let parts = Self.parts.map { "\($0),Part,1\n" }.joined()
      let colors = (-1...2).map { "\($0),Color \($0),FFFFFF,f\n" }.joined()
      for (table, header, records) in [
        ("themes", "id,name,parent_id", "1,Theme,\n"), ("colors", "id,name,rgb,is_trans", colors),
        ("part_categories", "id,name", "1,Category\n"),
        ("parts", "part_num,name,part_cat_id", parts),
        ("part_relationships", "rel_type,child_part_num,parent_part_num", ""),
        ("elements", "element_id,part_num,color_id", ""),
        ("sets", "set_num,name,year,theme_id,num_parts", sets),
        ("minifigs", "fig_num,name,num_parts", minifigs),
        ("inventories", "id,version,set_num", inventories),
        ("inventory_parts", "inventory_id,part_num,color_id,quantity,is_spare", inventoryParts),
        ("inventory_sets", "inventory_id,set_num,quantity", inventorySets),
        ("inventory_minifigs", "inventory_id,fig_num,quantity", inventoryMinifigs),
      ] {
        try workplace.write("\(table).csv", header + "\n" + records)
      }
    }
  }

  private static let schema = RebrickableCatalog.schema

  /// Loads the dumps, and expects that the check finds no fault.
  private func loaded(_ dumps: Dumps) throws -> Workplace {
    let workplace = try Workplace()
    try dumps.write(to: workplace)
    #expect(load(workplace, Self.schema, limit: .records(0)).error == nil)
    let outcome = try DatabaseCheck(workplace.output, schema: Self.schema).run()
    #expect(outcome.findings.flatMap(\.faults) == [])
    return workplace
  }

  /// The rows of a table of statistics.
  private func rows(_ table: String, _ workplace: Workplace) throws -> [String] {
    try workplace.rows("SELECT * FROM \(identifier: table) ORDER BY 1, 2")
  }

  @Test(arguments: LongTests.seeds(few: 10, many: 400))
  func `statistics are those of their queries`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    func some(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    var dumps = Dumps()
    var inventory = -7
    for number in 0...some(0...3) {
      dumps.minifigs += "fig-\(number),Minifig,1\n"
      dumps.inventories += "\(inventory),1,fig-\(number)\n"
      inventory += some(1...1000)
    }
    let figures = dumps.minifigs.split(separator: "\n").count
    let sets = ["é-1", "x-1", "xy-1", "y-1", "z-1"].prefix(some(1...5))
    for set in sets {
      dumps.sets += "\(set),Set,\(some(1990...2020)),1,1\n"
      for version in 1...3 where some(0...2) > 0 {
        dumps.inventories += "\(inventory),\(version),\(set)\n"
        for figure in 0..<figures where some(0...2) == 0 {
          dumps.inventoryMinifigs += "\(inventory),fig-\(figure),\(some(0...3))\n"
        }
        for inner in sets where inner != set && some(0...4) == 0 {
          dumps.inventorySets += "\(inventory),\(inner),\(some(1...3))\n"
        }
        inventory += some(1...1000)
      }
    }
    for line in dumps.inventories.split(separator: "\n") {
      for part in Dumps.parts {
        for color in -1...2 {
          for isSpare in ["f", "t"] where some(0...3) == 0 {
            dumps.inventoryParts +=
              "\(line.prefix { $0 != "," }),\(part),\(color),\(some(0...300)),\(isSpare)\n"
          }
        }
      }
    }
    let parts = dumps.inventoryParts.split(separator: "\n").count
    #expect(try rows("inventory_parts", loaded(dumps)).count == parts)
  }

  @Test func `a sum beyond 64 bits is NULL`() throws {
    let workplace = try loaded(
      Dumps(
        sets: "x-1,X,2000,1,1\ny-1,Y,2001,1,1\n", minifigs: "f,F,1\n",
        inventories: "1,1,f\n2,1,y-1\n3,1,x-1\n", inventoryMinifigs: "3,f,2\n2,f,1\n",
        inventoryParts: "1,a,0,\(Int64.max),f\n2,b,0,7,f\n"))
    #expect(
      try rows("part_color_stats", workplace)
        == ["'a'|0|2|2000|2001|-|0|2|2000|2001|-|0", "'b'|0|1|2001|2001|7|0|1|2001|2001|7|0"])
    #expect(try rows("part_stats", workplace).last == "'b'|1|1|2001|2001|7|0|1|1|2001|2001|7|0")
    #expect(try rows("color_stats", workplace) == ["0|2|2|2000|2001|-|0|2|2|2000|2001|-|0"])
    #expect(try rows("set_stats", workplace) == ["'x-1'|1|-|0", "'y-1'|2|-|0"])
  }

  /// Set x has three versions: the latest in inventory 1; one in inventory 2 with twice minifig f, which has inventory
  /// 9; one in inventory 3.
  @Test func `of several versions the largest quantity of each part and color counts`() throws {
    let workplace = try loaded(
      Dumps(
        sets: "x-1,X,2000,1,1\ny-1,Y,2001,1,1\n", minifigs: "f,F,1\n",
        inventories: "1,9,x-1\n2,7,x-1\n3,5,x-1\n4,1,y-1\n9,1,f\n", inventoryMinifigs: "2,f,2\n",
        inventoryParts: """
          1,a,0,3,f
          1,b,0,1,f
          1,c,0,2,t
          2,a,0,5,f
          2,c,0,1,f
          2,d,1,7,f
          3,a,0,6,f
          3,e,0,3,t
          4,a,0,10,f
          9,a,0,1,f

          """))
    #expect(
      try rows("part_color_stats", workplace) == [
        "'a'|0|2|2000|2001|13|0|2|2000|2001|17|0", "'b'|0|1|2000|2000|1|0|1|2000|2000|1|0",
        "'c'|0|0|-|-|0|2|1|2000|2000|1|2", "'d'|1|0|-|-|0|0|1|2000|2000|7|0",
        "'e'|0|0|-|-|0|0|0|-|-|0|3",
      ])
    #expect(
      try rows("part_stats", workplace).suffix(3) == [
        "'c'|0|0|-|-|0|2|1|1|2000|2000|1|2", "'d'|0|0|-|-|0|0|1|1|2000|2000|7|0",
        "'e'|0|0|-|-|0|0|0|0|-|-|0|3",
      ])
    #expect(
      try rows("color_stats", workplace) == [
        "0|2|2|2000|2001|14|2|3|2|2000|2001|19|5", "1|0|0|-|-|0|0|1|1|2000|2000|7|0",
      ])
    #expect(try rows("set_stats", workplace) == ["'x-1'|2|4|2", "'y-1'|1|10|0"])
  }

  @Test(
    arguments: [
      ((1, 1), (Int64.max, 1), "1|\(Int64.max)"),
      ((Int64.max, 1), (1, 1), "\(Int64.max)|\(Int64.max)"),
      ((1, 1), (Int64.max, 2), "1|-"), ((Int64.max, 2), (1, 1), "-|-"),
      ((Int64.max, 2), (Int64.max, 2), "-|-"),
    ] as [((Int64, Int64), (Int64, Int64), String)])
  func `a version beyond 64 bits counts as the largest`(
    latest: (pieces: Int64, times: Int64), older: (pieces: Int64, times: Int64), expected: String
  ) throws {
    let workplace = try loaded(
      Dumps(
        sets: "x-1,X,2000,1,1\n", minifigs: "f,F,1\ng,G,1\n",
        inventories: "1,7,x-1\n2,5,x-1\n11,1,f\n12,1,g\n",
        inventoryMinifigs: "1,f,\(latest.times)\n2,g,\(older.times)\n",
        inventoryParts: "11,a,0,\(latest.pieces),f\n12,a,0,\(older.pieces),f\n"))
    for table in ["part_color_stats", "part_stats", "color_stats"] {
      #expect(
        try workplace.rows("SELECT num_parts, ever_num_parts FROM \(identifier: table)")
          == [expected])
    }
  }

  @Test func `without parts there are only sets`() throws {
    let workplace = try loaded(Dumps(sets: "x-1,X,2000,1,1\n", inventories: "1,1,x-1\n"))
    #expect(try rows("part_color_stats", workplace) + rows("part_stats", workplace) == [])
    #expect(try rows("set_stats", workplace) == ["'x-1'|0|0|0"])
  }

  @Test func `parts that are only spares have no years`() throws {
    let workplace = try loaded(
      Dumps(
        sets: "x-1,X,2000,1,1\n", minifigs: "f,F,1\n", inventories: "1,1,x-1\n2,1,f\n",
        inventoryParts: "1,a,0,6,t\n2,b,0,3,f\n"))
    #expect(try rows("part_stats", workplace) == ["'a'|0|0|-|-|0|6|0|0|-|-|0|6"])
  }

  @Test(arguments: [
    ("nobody", ["part_num"], "no table nobody"),
    ("inventory_parts", ["quantity"], "inventory_parts has no index of quantity"),
  ])
  func `a missing index is named`(_ table: String, _ index: [String], _ part: String) throws {
    var schema = Self.schema
    let statistics = try #require(schema.statistics)
    let source =
      schema.tables.first { $0.name == table }
      ?? TableDescription(table, columns: [], primaryKey: [])
    schema.statistics = StatisticsDescription(
      of: source, index: index, orderedColumns: 1, sharing: statistics.shared,
      tables: statistics.tables, derivedTables: statistics.derivedTables,
      reading: statistics.contents, compute: statistics.compute)
    let error = try load(Workplace(), schema).error
    #expect(error?.message.contains(part) == true)
  }
}
