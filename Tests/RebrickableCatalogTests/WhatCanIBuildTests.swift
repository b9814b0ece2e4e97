import Foundation
import SQLiteSwiftly
import TestSupport
import Testing

/// The example program, run on catalogs.
struct WhatCanIBuildTests {
  private static let header = "percent\tpieces\tof\tlots\tof\tset\tyear\tname"

  private func run(_ arguments: [String], _ list: String) throws -> ChildProcess.Outcome {
    let workplace = try Workplace()
    try workplace.write("list.csv", list)
    let bundle = try #require(CommandLine.arguments.first { $0.hasSuffix(".xctest") })
    let folder = URL(fileURLWithPath: bundle).deletingLastPathComponent().path
    return try ChildProcess(
      "/bin/sh",
      [
        "-c", "input=$1; shift; exec \"$@\" < \"$input\"", "sh",
        workplace.path + "/dumps/list.csv", folder + "/what-can-i-build",
      ] + arguments
    ).run()
  }

  @Test func `sets are listed by completeness`() throws {
    let castle = try CastleCatalog()
    let outcome = try run(
      [castle.path],
      "part_num,color_id,quantity\n3001,4,2\n3001,4,3\n3001,0,2\n3626,0,1\n3020,0,5\n")
    #expect(outcome.status == 0)
    #expect(
      outcome.output == """
        \(Self.header)
        100\t4\t4\t1\t1\t6001-1\t2001\tWall
        100\t1\t1\t1\t1\t6000-1\t1999\tChest
        66\t8\t12\t1\t4\t6024-1\t1998\tBandit Ambush

        """)
  }

  @Test func `a print replaces a part if substitutes are allowed`() throws {
    let castle = try CastleCatalog()
    let list = "part_num,color_id,quantity\n3001pr1,4,4\n"
    #expect(try run([castle.path], list).output == Self.header + "\n")
    #expect(
      try run(["--substitutes", castle.path], list).output.split(separator: "\n").dropFirst()
        .first == "100\t4\t4\t1\t1\t6001-1\t2001\tWall")
  }

  @Test func `the shares are those of the tables`() throws {
    let loaded = try LoadedCatalog(of: LoadedCatalog.package + "/fixtures/dumps")
    let connection = try Connection(loaded.path, opening: .readOnly)
    let set = try #require(
      try connection.first(
        "SELECT set_num FROM set_stats ORDER BY num_lots DESC LIMIT 1", as: String.self))
    let own: SQL = """
      SELECT part_num, color_id, sum(used.quantity * inventory_parts.quantity) AS quantity
      FROM set_inventories AS used JOIN inventory_parts USING (inventory_id)
      WHERE set_num = \(set) AND NOT is_sub_set AND NOT is_spare GROUP BY part_num, color_id
      """
    let parts = try connection.query(own, as: (String, Int, Int).self)
    let list = "part_num,color_id,quantity\n" + parts.map { "\($0),\($1),\($2)\n" }.joined()
    let outcome = try run([loaded.path], list)
    let expected = try connection.query(
      """
      WITH need AS (
        SELECT set_num, part_num, color_id, sum(used.quantity * inventory_parts.quantity) AS quantity
        FROM set_inventories AS used JOIN inventory_parts USING (inventory_id)
        WHERE NOT is_sub_set AND NOT is_spare GROUP BY set_num, part_num, color_id
      )
      SELECT sum(min(need.quantity, ifnull(own.quantity, 0))) AS there, sum(need.quantity) AS pieces,
        sum(ifnull(own.quantity, 0) >= need.quantity), count(*), set_num
      FROM need LEFT JOIN (\(sql: own)) AS own USING (part_num, color_id)
      GROUP BY set_num HAVING there > 0
      ORDER BY 1.0 * there / pieces DESC, pieces DESC, set_num LIMIT 20
      """, as: (Int, Int, Int, Int, String).self)
    let lines = outcome.output.split(separator: "\n").dropFirst().map { line in
      line.split(separator: "\t")[1...5].joined(separator: " ")
    }
    #expect(outcome.status == 0)
    #expect(lines == expected.map { "\($0) \($1) \($2) \($3) \($4)" })
    #expect(lines.count > 1)
    #expect(expected.contains { $0.4 == set && $0.0 == $0.1 })
  }

  @Test(arguments: [
    ("", "line 1: expected the header part_num,color_id,quantity"),
    ("part,color\n", "line 1: expected the header part_num,color_id,quantity"),
    (
      "part_num,color_id,quantity\n3001,4\n",
      "line 2: 3001,4; expected a part, a color id and a quantity"
    ),
    (
      "part_num,color_id,quantity\n3001,red,1\n",
      "line 2: 3001,red,1; expected a part, a color id and a quantity"
    ),
    (
      "part_num,color_id,quantity\n3001,4,-1\n",
      "line 2: 3001,4,-1; expected a part, a color id and a quantity"
    ),
    ("part_num,color_id,quantity\n\n", "line 2: ; expected a part, a color id and a quantity"),
  ])
  func `an invalid list is refused`(list: String, words: String) throws {
    let castle = try CastleCatalog()
    let outcome = try run([castle.path], list)
    #expect(outcome.status == 65)
    #expect(outcome.output == "")
    #expect(outcome.errors.contains(words), "\(outcome)")
  }

  @Test func `an unknown part is reported`() throws {
    let castle = try CastleCatalog()
    let list = "part_num,color_id,quantity\n3001,4,1\n9999,4,1\n"
    let outcome = try run([castle.path], list)
    #expect(outcome.status == 0)
    #expect(outcome.errors == "line 3: unknown part 9999\n")
    #expect(try run(["/nowhere"], list).status == 66)
    #expect(try run([], list).status == 64)
    #expect(try run(["--nonsense", castle.path], list).status == 64)
  }
}
