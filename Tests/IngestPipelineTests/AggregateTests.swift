import Vocabulary
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
      ColumnDescription("version", .integer),
    ],
    primaryKey: ["box", "owner", "version"])

  private static let holdingsHeader = "box,owner,year,times,version\n"

  private static func table(
    _ name: String, _ keys: [ColumnDescription], counting inner: [String] = []
  ) -> TableDescription {
    let measures = ["", "ever_"].flatMap { prefix in
      (inner + ["owners", "least", "greatest", "amount", "extras"]).map {
        ColumnDescription(prefix + $0, .integer, isNullable: $0 != "owners" && !inner.contains($0))
      }
    }
    return TableDescription(name, columns: keys + measures, primaryKey: keys.map(\.name))
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
        uses: "SELECT box, owner, year, times, nullif(version, 0) FROM holdings ORDER BY owner",
        pairs: table("of_pairs", [item, tone]),
        first: table("of_items", [item], counting: ["num_tones"]),
        second: table("of_tones", [tone], counting: ["num_items"]),
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
  private func expected(_ columns: String, inner: String? = nil) -> SQL {
    let measures = [("is_user", ""), ("was_user", "most_")].flatMap { used, prefix in
      ([inner, "owner"].compactMap(\.self).map { "count(DISTINCT iif(\(used), \($0), NULL))" })
        + ["min(iif(\(used), year, NULL))", "max(iif(\(used), year, NULL))"]
        + ["sum(\(prefix)amount)", "sum(\(prefix)extras)"]
    }
    return SQL(
      generated: """
        WITH of_version AS (
          SELECT item, tone, owner, year, version, max(NOT is_extra) AS is_user,
            sum(iif(is_extra, 0, amount * times)) AS amount,
            sum(iif(is_extra, amount * times, 0)) AS extras
          FROM lots JOIN holdings USING (box) GROUP BY item, tone, owner, version
        ), of_owner AS (
          SELECT item, tone, owner, year, max(is_user AND version = 0) AS is_user,
            sum(iif(version = 0, amount, 0)) AS amount, sum(iif(version = 0, extras, 0)) AS extras,
            max(is_user) AS was_user, max(amount) AS most_amount, max(extras) AS most_extras
          FROM of_version GROUP BY item, tone, owner
        )
        SELECT \(columns), \(measures.joined(separator: ", "))
        FROM of_owner GROUP BY \(columns) ORDER BY \(columns)
        """)
  }

  @Test(arguments: [
    UInt64(1), 2, 3, 4, 5, 6, 7, 8, 9, 10,
  ])
  func `statistics are those of SQL`(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let (boxes, items) = (Int.random(in: 1...40, using: &generator), ["a", "ab", "ä", "b", "1"])
    var holdings = Self.holdingsHeader
    for box in 0..<boxes {
      for owner in ["x", "xy", "z", "é"] where Bool.random(using: &generator) {
        let year = 1990 + 7 * owner.utf8.count + Int(owner.utf8.first ?? 0) % 5
        let version = Int.random(in: 0...2, using: &generator)
        for version in Set([version, 2]).sorted() where owner != "xy" || version == 0 {
          let times = Int.random(in: 0...3, using: &generator)
          holdings += "\(box * 1000 - 7),\(owner),\(year),\(times),\(version)\n"
        }
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
        == workplace.rows(expected("item, tone")))
    #expect(
      try workplace.rows("SELECT * FROM of_items")
        == workplace.rows(expected("item", inner: "tone")))
    #expect(
      try workplace.rows("SELECT * FROM of_tones")
        == workplace.rows(expected("tone", inner: "item")))
    #expect(
      try workplace.rows("SELECT * FROM of_owners")
        == workplace.rows(
          """
          SELECT owner, count(DISTINCT CASE WHEN NOT is_extra THEN item || ',' || tone END),
            ifnull(sum(CASE WHEN is_extra THEN 0 ELSE amount * times END), 0),
            ifnull(sum(CASE WHEN is_extra THEN amount * times END), 0)
          FROM holdings LEFT JOIN lots ON lots.box = holdings.box AND version = 0
          GROUP BY owner ORDER BY owner
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
    try workplace.write("holdings.csv", Self.holdingsHeader + "1,x,2000,2,0\n2,y,2001,1,0\n")
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
      "holdings.csv", Self.holdingsHeader + "1,x,2000,2,0\n1,y,2001,1,0\n2,y,2001,1,0\n")
    try workplace.write(
      "lots.csv", "box,item,tone,is_extra,amount\n1,a,0,f,\(Int64.max)\n2,b,0,f,7\n")
    #expect(load(workplace, Self.schema).error == nil)
    #expect(
      try workplace.rows("SELECT * FROM of_pairs")
        == ["'a'|0|2|2000|2001|-|0|2|2000|2001|-|0", "'b'|0|1|2001|2001|7|0|1|2001|2001|7|0"])
    #expect(
      try workplace.rows("SELECT * FROM of_items WHERE item = 'b'") == [
        "'b'|1|1|2001|2001|7|0|1|1|2001|2001|7|0"
      ])
    #expect(
      try workplace.rows("SELECT * FROM of_tones") == ["0|2|2|2000|2001|-|0|2|2|2000|2001|-|0"])
    #expect(try workplace.rows("SELECT * FROM of_owners") == ["'x'|1|-|0", "'y'|2|-|0"])
    #expect(try faults(workplace) == [])
  }

  /// Owner x has three versions: the current one in box 1; one in box 2 with twice box 9; one in box 3.
  @Test func `of several versions the largest quantity of each pair counts`() throws {
    let workplace = try Workplace()
    try workplace.write(
      "holdings.csv",
      Self.holdingsHeader + """
        1,x,2000,1,0
        2,x,2000,1,7
        9,x,2000,2,7
        3,x,2000,1,5
        4,y,2001,1,0

        """)
    try workplace.write(
      "lots.csv",
      """
      box,item,tone,is_extra,amount
      1,a,0,f,3
      1,b,0,f,1
      1,c,0,t,2
      2,a,0,f,5
      2,c,0,f,1
      2,d,1,f,7
      3,a,0,f,6
      3,e,0,t,3
      4,a,0,f,10
      9,a,0,f,1

      """)
    #expect(load(workplace, Self.schema).error == nil)
    #expect(
      try workplace.rows("SELECT * FROM of_pairs") == [
        "'a'|0|2|2000|2001|13|0|2|2000|2001|17|0", "'b'|0|1|2000|2000|1|0|1|2000|2000|1|0",
        "'c'|0|0|-|-|0|2|1|2000|2000|1|2", "'d'|1|0|-|-|0|0|1|2000|2000|7|0",
        "'e'|0|0|-|-|0|0|0|-|-|0|3",
      ])
    #expect(
      try workplace.rows("SELECT * FROM of_items WHERE item > 'b'") == [
        "'c'|0|0|-|-|0|2|1|1|2000|2000|1|2", "'d'|0|0|-|-|0|0|1|1|2000|2000|7|0",
        "'e'|0|0|-|-|0|0|0|0|-|-|0|3",
      ])
    #expect(
      try workplace.rows("SELECT * FROM of_tones") == [
        "0|2|2|2000|2001|14|2|3|2|2000|2001|19|5", "1|0|0|-|-|0|0|1|1|2000|2000|7|0",
      ])
    #expect(try workplace.rows("SELECT * FROM of_owners") == ["'x'|2|4|2", "'y'|1|10|0"])
    #expect(try faults(workplace) == [])
  }

  @Test(arguments: [
    ("1,1", "\(Int64.max),1", "1|\(Int64.max)"),
    ("\(Int64.max),1", "1,1", "\(Int64.max)|\(Int64.max)"),
    ("1,1", "\(Int64.max),2", "1|-"), ("\(Int64.max),2", "1,1", "-|-"),
    ("\(Int64.max),2", "\(Int64.max),2", "-|-"),
  ])
  func `a version beyond 64 bits counts as the largest`(
    current: String, older: String, expected: String
  ) throws {
    let amounts = [current, older].map { $0.split(separator: ",") }
    let workplace = try Workplace()
    try workplace.write(
      "holdings.csv",
      Self.holdingsHeader + "1,x,2000,\(amounts[0][1]),0\n2,x,2000,\(amounts[1][1]),7\n")
    try workplace.write(
      "lots.csv",
      "box,item,tone,is_extra,amount\n1,a,0,f,\(amounts[0][0])\n2,a,0,f,\(amounts[1][0])\n")
    #expect(load(workplace, Self.schema).error == nil)
    for table in ["of_pairs", "of_items", "of_tones"] {
      #expect(
        try workplace.rows(SQL(generated: "SELECT amount, ever_amount FROM \(table)")) == [expected]
      )
    }
    #expect(try faults(workplace) == [])
  }

  @Test func `without rows there are no groups, but users`() throws {
    let workplace = try Workplace()
    try workplace.write("holdings.csv", Self.holdingsHeader + "1,x,2000,2,0\n")
    try workplace.write("lots.csv", "box,item,tone,is_extra,amount\n")
    #expect(load(workplace, Self.schema).error == nil)
    #expect(
      try workplace.rows("SELECT item FROM of_pairs UNION ALL SELECT item FROM of_items") == [])
    #expect(try workplace.rows("SELECT * FROM of_owners") == ["'x'|0|0|0"])
    #expect(try faults(workplace) == [])
  }

  @Test func `only what is used merely as an extra has no years`() throws {
    let workplace = try Workplace()
    try workplace.write("holdings.csv", Self.holdingsHeader + "1,x,2000,2,0\n")
    try workplace.write("lots.csv", "box,item,tone,is_extra,amount\n1,a,0,t,3\n2,b,0,f,3\n")
    #expect(load(workplace, Self.schema).error == nil)
    #expect(try workplace.rows("SELECT * FROM of_items") == ["'a'|0|0|-|-|0|6|0|0|-|-|0|6"])
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
