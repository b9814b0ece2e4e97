import Facts
@testable import Inspection
import SQLiteSwiftly
import Schema
import Testing

/// Statistics that are added up while an index is written, beside those that SQL comes to.
@Suite struct AggregateTests {
  private static let lots = TableDescription(
    "lots",
    columns: [
      ColumnDescription("box", .integer), ColumnDescription("item", .text),
      ColumnDescription("tone", .integer), ColumnDescription("is_extra", .boolean),
      ColumnDescription("amount", .integer),
    ],
    primaryKey: ["box", "item", "tone", "is_extra"],
    indexes: [["item", "tone", "box", "is_extra", "amount"]])

  private static let holdings = TableDescription(
    "holdings",
    columns: [
      ColumnDescription("box", .integer), ColumnDescription("owner", .text),
      ColumnDescription("year", .integer), ColumnDescription("times", .integer),
    ],
    primaryKey: ["box", "owner"])

  private static func table(_ name: String, _ keys: [ColumnDescription]) -> TableDescription {
    let measures = ["owners", "least", "greatest", "amount", "extras"].map {
      ColumnDescription($0, .integer, isNullable: $0 != "owners")
    }
    return TableDescription(
      name, columns: keys + measures, primaryKey: keys.map(\.name).filter { !$0.hasPrefix("num_") })
  }

  private static var schema: SchemaDescription {
    let item = ColumnDescription("item", .text)
    let tone = ColumnDescription("tone", .integer)
    var schema = SchemaDescription(
      tables: [holdings, lots],
      views: [ViewDescription("known_items", "SELECT item FROM of_items")],
      applicationID: 1, version: 1)
    schema.aggregates = [
      AggregateDescription(
        of: "lots", index: lots.indexes[0],
        uses: "SELECT box, owner, year, times FROM holdings ORDER BY owner",
        pairs: table("of_pairs", [item, tone]),
        first: table("of_items", [item, ColumnDescription("num_tones", .integer)]),
        second: table("of_tones", [tone, ColumnDescription("num_items", .integer)]),
        users: TableDescription(
          "of_owners",
          columns: [
            ColumnDescription("owner", .text), ColumnDescription("pairs", .integer),
            ColumnDescription("amount", .integer, isNullable: true),
            ColumnDescription("extras", .integer, isNullable: true),
          ],
          primaryKey: ["owner"]),
        derivedTables: [
          DerivedTableDescription(
            TableDescription(
              "of_all", columns: [ColumnDescription("amount", .integer)], primaryKey: ["amount"]),
            filledBy: "SELECT ifnull(sum(amount), 0) FROM of_owners")
        ])
    ]
    return schema
  }

  /// What SQL makes of the same, for groups by `columns`; `inner` is counted in each.
  private func expected(_ columns: String, inner: String) -> SQL {
    SQL(
      generated: """
        SELECT \(columns), \(inner)
          count(DISTINCT CASE WHEN NOT is_extra THEN owner END),
          min(CASE WHEN NOT is_extra THEN year END), max(CASE WHEN NOT is_extra THEN year END),
          sum(CASE WHEN is_extra THEN 0 ELSE amount * times END),
          sum(CASE WHEN is_extra THEN amount * times ELSE 0 END)
        FROM lots JOIN holdings USING (box) GROUP BY \(columns) ORDER BY \(columns)
        """)
  }

  @Test(arguments: [
    UInt64(1), 2, 3, 4, 5, 6, 7, 8, 9, 10,
  ])
  func `statistics are those of SQL`(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let (boxes, items) = (Int.random(in: 1...40, using: &generator), ["a", "ab", "ä", "b", "1"])
    var holdings = "box,owner,year,times\n"
    for box in 0..<boxes {
      for owner in ["x", "xy", "z", "é"] where Bool.random(using: &generator) {
        let year = 1990 + 7 * owner.utf8.count + Int(owner.utf8.first ?? 0) % 5
        holdings +=
          "\(box * 1000 - 7),\(owner),\(year),\(Int.random(in: 0...3, using: &generator))\n"
      }
    }
    var lots = "box,item,tone,is_extra,amount\n"
    for box in 0...boxes {
      for item in items {
        for tone in -1...2 {
          for isExtra in ["f", "t"] where Int.random(in: 0...3, using: &generator) == 0 {
            let amount = Int.random(in: 0...300, using: &generator)
            lots += "\(box * 1000 - 7),\(item),\(tone),\(isExtra),\(amount)\n"
          }
        }
      }
    }
    let workplace = try Workplace()
    try workplace.write("holdings.csv", holdings)
    try workplace.write("lots.csv", lots)
    #expect(load(workplace, Self.schema).error == nil)
    #expect(
      try workplace.rows("SELECT * FROM of_pairs")
        == workplace.rows(expected("item, tone", inner: "")))
    #expect(
      try workplace.rows("SELECT * FROM of_items")
        == workplace.rows(
          expected("item", inner: "count(DISTINCT CASE WHEN NOT is_extra THEN tone END),")))
    #expect(
      try workplace.rows("SELECT * FROM of_tones")
        == workplace.rows(
          expected("tone", inner: "count(DISTINCT CASE WHEN NOT is_extra THEN item END),")))
    #expect(
      try workplace.rows("SELECT * FROM of_owners")
        == workplace.rows(
          """
          SELECT owner, count(DISTINCT CASE WHEN NOT is_extra THEN item || ',' || tone END),
            ifnull(sum(CASE WHEN is_extra THEN 0 ELSE amount * times END), 0),
            ifnull(sum(CASE WHEN is_extra THEN amount * times END), 0)
          FROM holdings LEFT JOIN lots USING (box) GROUP BY owner ORDER BY owner
          """))
    #expect(
      try workplace.rows("SELECT * FROM of_all")
        == workplace.rows("SELECT ifnull(sum(amount), 0) FROM of_owners"))
    #expect(try faults(workplace) == [])
  }

  /// What the check of a catalog finds, which works all of it out by SQL.
  private func faults(_ workplace: Workplace) throws -> [String] {
    try CatalogCheck(workplace.output, schema: Self.schema).run().findings.flatMap(\.faults)
  }

  @Test func `a wrong number is found by the check`() throws {
    let workplace = try Workplace()
    try workplace.write("holdings.csv", "box,owner,year,times\n1,x,2000,2\n2,y,2001,1\n")
    try workplace.write("lots.csv", "box,item,tone,is_extra,amount\n1,a,0,f,3\n1,a,1,t,4\n")
    #expect(load(workplace, Self.schema).error == nil)
    #expect(try faults(workplace) == [])
    let connection = try Connection(workplace.output, opening: .openExisting)
    for change: SQL in [
      "UPDATE of_pairs SET amount = 7 WHERE tone = 0", "UPDATE of_items SET extras = NULL",
      "UPDATE of_tones SET least = NULL WHERE tone = 0", "DELETE FROM of_owners WHERE owner = 'y'",
    ] {
      try connection.execute(change)
    }
    try connection.close()
    #expect(
      try faults(workplace) == [
        "of_pairs ('a', 0), column amount: expected 6, found 7",
        "of_items ('a'), column extras: expected 8, found NULL",
        "of_tones (0), column least: expected 2000, found NULL",
        "of_owners ('y'): missing, but expected from lots",
      ])
  }

  @Test func `a sum beyond 64 bits is NULL`() throws {
    let workplace = try Workplace()
    try workplace.write(
      "holdings.csv", "box,owner,year,times\n1,x,2000,2\n1,y,2001,1\n2,y,2001,1\n")
    try workplace.write(
      "lots.csv", "box,item,tone,is_extra,amount\n1,a,0,f,\(Int64.max)\n2,b,0,f,7\n")
    #expect(load(workplace, Self.schema).error == nil)
    #expect(
      try workplace.rows("SELECT * FROM of_pairs")
        == ["'a'|0|2|2000|2001|-|0", "'b'|0|1|2001|2001|7|0"])
    #expect(
      try workplace.rows("SELECT * FROM of_items WHERE item = 'b'") == ["'b'|1|1|2001|2001|7|0"])
    #expect(try workplace.rows("SELECT * FROM of_tones") == ["0|2|2|2000|2001|-|0"])
    #expect(try workplace.rows("SELECT * FROM of_owners") == ["'x'|1|-|0", "'y'|2|-|0"])
    #expect(try faults(workplace) == [])
  }

  @Test func `without rows there are no groups, but users`() throws {
    let workplace = try Workplace()
    try workplace.write("holdings.csv", "box,owner,year,times\n1,x,2000,2\n")
    try workplace.write("lots.csv", "box,item,tone,is_extra,amount\n")
    #expect(load(workplace, Self.schema).error == nil)
    #expect(try workplace.rows("SELECT * FROM of_pairs UNION ALL SELECT * FROM of_items") == [])
    #expect(try workplace.rows("SELECT * FROM of_owners") == ["'x'|0|0|0"])
    #expect(try faults(workplace) == [])
  }

  @Test func `only what is used merely as an extra has no years`() throws {
    let workplace = try Workplace()
    try workplace.write("holdings.csv", "box,owner,year,times\n1,x,2000,2\n")
    try workplace.write("lots.csv", "box,item,tone,is_extra,amount\n1,a,0,t,3\n2,b,0,f,3\n")
    #expect(load(workplace, Self.schema).error == nil)
    #expect(try workplace.rows("SELECT * FROM of_items") == ["'a'|0|0|-|-|0|6"])
  }

  @Test(arguments: [
    (["item", "tone"], "no table nobody"),
    (["item", "tone", "box", "is_extra", "owner"], "no such index"),
  ])
  func `an index that is not there is named`(_ index: [String], _ part: String) throws {
    var schema = Self.schema
    let aggregate = schema.aggregates[0]
    schema.aggregates = [
      AggregateDescription(
        of: part == "no table nobody" ? "nobody" : "lots", index: index, uses: aggregate.uses,
        pairs: aggregate.pairs, first: aggregate.first, second: aggregate.second,
        users: aggregate.users)
    ]
    let workplace = try Workplace()
    let error = load(workplace, schema).error
    #expect(error?.message.contains(part) == true)
  }
}
