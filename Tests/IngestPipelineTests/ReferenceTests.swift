@testable import SQLiteDestination
import Vocabulary
import SQLiteSwiftly
import Schema
import TestSupport
import Testing

/// References that the catalog does not have: of several columns, to other keys, and to no keys.
@Suite struct ReferenceTests {
  /// Columns from words such as `id:int`, `name?:text`.
  private static func columns(_ words: String) -> [ColumnDescription] {
    words.split(separator: " ").map { word in
      let parts = word.split(separator: ":")
      let isNullable = parts[0].hasSuffix("?")
      return ColumnDescription(
        String(isNullable ? parts[0].dropLast() : parts[0]), parts[1] == "int" ? .integer : .text,
        isNullable: isNullable)
    }
  }

  private static func reference(
    _ columns: [String], _ table: String, _ keyColumns: [String], isDeclared: Bool = true
  ) -> ForeignKeyDescription {
    var key = ForeignKeyDescription(columns, references: table, keyColumns)
    key.isDeclared = isDeclared
    return key
  }

  /// Parents with a key of two columns, a unique key and a column that is no key.
  private static let parents = TableDescription(
    "parents", columns: columns("a:text b:int code?:int kind?:text"), primaryKey: ["a", "b"],
    uniqueKeys: [["code"]])
  private static let parentsDump = "a,b,code,kind\nx,1,10,big\nx,2,,big\ny,1,30,\n,5,50,odd\n"

  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let tables: [TableDescription]
    var unions: [KeyUnionDescription] = []
    var dumps: [String: String]
    /// Each as `file:line code column`.
    let rejected: [String]
    let rows: (query: SQL, rows: [String])
    var testDescription: String { name }
  }

  private static func children(
    _ columns: String, _ dump: String, _ keys: [ForeignKeyDescription], rejected: [Int: String],
    loaded: [String]
  ) -> Case {
    let table = TableDescription(
      "children", columns: Self.columns(columns), primaryKey: [], foreignKeys: keys)
    let names = table.columns.map(\.name).joined(separator: ",")
    return Case(
      name: "\(keys.map { "\($0.columns) to \($0.keyColumns)" })", tables: [parents, table],
      dumps: ["parents.csv": parentsDump, "children.csv": names + "\n" + dump],
      rejected: ["parents.csv:5 missing-value a"]
        + rejected.sorted { $0.key < $1.key }.map { "children.csv:\($0) missing-parent \($1)" },
      rows: ("SELECT * FROM children ORDER BY rowid", loaded))
  }

  static let cases: [Case] =
    [
      // A reference with a NULL in it is none.
      children(
        "p?:text q?:int", "x,2\nx,3\ny,2\n,7\nz,\n,\ny,1\n",
        [reference(["p", "q"], "parents", ["a", "b"])], rejected: [3: "p", 4: "p"],
        loaded: ["'x'|2", "-|7", "'z'|-", "-|-", "'y'|1"]),
      // The order of the key does not matter, nor that of the columns.
      children(
        "p:text q:int", "x,2\nx,3\n", [reference(["q", "p"], "parents", ["b", "a"])],
        rejected: [3: "q"], loaded: ["'x'|2"]),
      // A unique key, whose NULLs nothing refers to, and that of a rejected record is not there.
      children(
        "c?:int", "10\n30\n50\n\n10\n", [reference(["c"], "parents", ["code"])],
        rejected: [4: "c"], loaded: ["10", "30", "10"]),
      // No key at all.
      children(
        "k?:text", "big\nodd\nbig\n", [reference(["k"], "parents", ["kind"], isDeclared: false)],
        rejected: [3: "k"], loaded: ["'big'", "'big'"]),
      children(
        "k:text q:int", "big,2\nbig,3\n",
        [reference(["k", "q"], "parents", ["kind", "b"], isDeclared: false)],
        rejected: [3: "k"], loaded: ["'big'|2"]),
      // Half of a key, and a column in several references.
      children(
        "p:text q?:int", "x,\nz,1\nx,7\ny,1\n",
        [
          reference(["p"], "parents", ["a"], isDeclared: false),
          reference(["p", "q"], "parents", ["a", "b"]),
        ], rejected: [3: "p", 4: "p"], loaded: ["'x'|-", "'y'|1"]),
      children(
        "q:int", "10\n1\n30\n",
        [
          reference(["q"], "parents", ["code"]),
          reference(["q"], "parents", ["b"], isDeclared: false),
        ], rejected: [2: "q", 3: "q", 4: "q"], loaded: []),
    ] + itself + [services]

  private static func own(
    _ name: String, _ table: TableDescription, _ dump: String, rejected: [String],
    loaded: [String]
  ) -> Case {
    Case(
      name: name, tables: [table],
      dumps: ["t.csv": table.columns.map(\.name).joined(separator: ",") + "\n" + dump],
      rejected: rejected.map { "t.csv:\($0)" },
      rows: ("SELECT * FROM t ORDER BY id, 2", loaded))
  }

  /// Tables that refer to themselves.
  private static let itself: [Case] = [
    own(
      "a child before its parent, chains and cycles by a key of two columns",
      TableDescription(
        "t", columns: columns("id:int part:text of?:int of_part?:text"),
        primaryKey: ["id", "part"],
        foreignKeys: [reference(["of", "of_part"], "t", ["id", "part"])]),
      "2,a,1,a\n1,a,,b\n3,a,3,a\n4,a,5,a\n5,a,4,a\n6,a,7,a\n7,a,1,b\n8,a,6,a\n1,a,,\n",
      rejected: [
        "7 missing-parent of", "8 missing-parent of", "9 missing-parent of", "10 duplicate-key id",
      ],
      loaded: [
        "1|'a'|-|'b'", "2|'a'|1|'a'", "3|'a'|3|'a'", "4|'a'|5|'a'", "5|'a'|4|'a'",
      ]),
    // The first record takes code 7 and keeps it, though it lacks a parent; so 3 has none.
    own(
      "a unique key beside the key that is referred to",
      TableDescription(
        "t", columns: columns("id:int code:int of?:int"), primaryKey: ["id"],
        uniqueKeys: [["code"]], foreignKeys: [reference(["of"], "t", ["id"])]),
      "1,7,9\n2,7,\n3,8,2\n4,10,5\n5,11,4\n6,12,\n6,13,\n",
      rejected: [
        "2 missing-parent of", "3 duplicate-key code", "4 missing-parent of",
        "8 duplicate-key id",
      ],
      loaded: ["4|10|5", "5|11|4", "6|12|-"]),
    own(
      "several references, one to a unique key and one to no key",
      TableDescription(
        "t", columns: columns("id:int code?:text kind?:text of?:text like?:text"),
        primaryKey: ["id"], uniqueKeys: [["code"]],
        foreignKeys: [
          reference(["of"], "t", ["code"]), reference(["like"], "t", ["kind"], isDeclared: false),
        ]),
      "1,a,k,b,m\n2,b,m,,\n3,c,n,d,\n4,e,,c,\n5,f,,,n\n6,,,a,k\n1,g,o,,\n7,,,,o\n",
      rejected: [
        "4 missing-parent of", "5 missing-parent of", "6 missing-parent like",
        "8 duplicate-key id", "9 missing-parent like",
      ],
      loaded: ["1|'a'|'k'|'b'|'m'", "2|'b'|'m'|-|-", "6|-|-|'a'|'k'"]),
    own(
      "no key at all",
      TableDescription(
        "t", columns: columns("id:int of?:int"), primaryKey: [],
        foreignKeys: [reference(["of"], "t", ["id"], isDeclared: false)]),
      "1,2\n2,\n1,3\n4,1\n5,6\n6,7\n1,2\n",
      rejected: ["4 missing-parent of", "6 missing-parent of", "7 missing-parent of"],
      loaded: ["1|2", "1|2", "2|-", "4|1"]),
  ]

  /// What trips refer to is in one of two tables, in the second of which it is no key.
  private static let services = Case(
    name: "values of one of two tables",
    tables: [
      TableDescription(
        "calendar", columns: columns("service:text days:int"), primaryKey: ["service"]),
      TableDescription("dates", columns: columns("service?:text date:int"), primaryKey: ["date"]),
      TableDescription(
        "trips", columns: columns("trip:text service:text"), primaryKey: ["trip"],
        foreignKeys: [reference(["service"], "services", ["service"])]),
    ],
    unions: [
      KeyUnionDescription(
        "services", column: "service", type: .text,
        members: [
          .init("calendar", "service", reference: "in_calendar"), .init("dates", "service"),
        ])
    ],
    dumps: [
      "calendar.csv": "service,days\nmon,1\nsat,6\nmon,2\n",
      "dates.csv": "service,date\nxmas,1225\nsat,101\nxmas,1226\n,1\nbad,x\n",
      "trips.csv": "trip,service\n1,mon\n2,xmas\n3,sun\n4,sat\n5,bad\n",
    ],
    rejected: [
      "calendar.csv:4 duplicate-key service", "dates.csv:6 not-an-integer date",
      "trips.csv:4 missing-parent service", "trips.csv:6 missing-parent service",
    ],
    rows: (
      """
      SELECT s.service, in_calendar, trip FROM services AS s LEFT JOIN trips USING (service)
      ORDER BY 1
      """,
      ["'mon'|'mon'|'1'", "'sat'|'sat'|'4'", "'xmas'|-|'2'"]
    ))

  @Test(arguments: cases)
  func `references lead to existing records`(test: Case) throws {
    let workplace = try Workplace()
    for (name, text) in test.dumps { try workplace.write(name, text) }
    let schema = SchemaDescription(
      tables: test.tables, keyUnions: test.unions, applicationID: 1, version: 1)
    let outcome = loaded(workplace, schema)
    #expect(outcome.rejected == test.rejected)
    #expect(try workplace.rows(test.rows.query) == test.rows.rows)
    try expectSound(workplace, schema)
  }

  @Test func `GTFS needs only one of the two tables`() throws {
    let test = Self.services
    let workplace = try Workplace()
    for (name, text) in test.dumps where name != "calendar.csv" { try workplace.write(name, text) }
    let schema = SchemaDescription(
      tables: test.tables, keyUnions: test.unions, applicationID: 1, version: 1)
    loaded(workplace, schema, allowedMissing: .tables(["calendar"]))
    #expect(try workplace.rows("SELECT trip FROM trips") == ["'2'", "'4'"])
    #expect(try workplace.rows("SELECT * FROM services") == ["'sat'|-", "'xmas'|-"])
  }

  @Test func `all faults of references are reported, with all columns`() throws {
    let table = TableDescription(
      "children", columns: Self.columns("id:int p:text q:int of?:int"), primaryKey: ["id"],
      uniqueKeys: [["q"]],
      foreignKeys: [
        Self.reference(["p", "q"], "parents", ["a", "b"]),
        Self.reference(["p"], "parents", ["a"], isDeclared: false),
        Self.reference(["q"], "parents", ["code"]), Self.reference(["of"], "children", ["id"]),
        Self.reference(["q"], "parents", ["b"], isDeclared: false),
      ])
    let workplace = try Workplace()
    try workplace.write("parents.csv", "a,b,code,kind\nx,10,10,\nx,20,,\n")
    try workplace.write("children.csv", "id,p,q,of\n1,x,10,\n2,z,30,7\n2,x,10,7\n3,z,10,\n")
    let outcome = load(
      workplace, SchemaDescription(tables: [Self.parents, table], applicationID: 1, version: 1))
    #expect(
      outcome.rejects.map { $0.reasons.map(\.message) } == [
        [
          "\"z\" is not in parents.a, or its record was rejected",
          "\"30\" is not in parents.code, or its record was rejected",
          "\"7\" is not in children.id, or its record was rejected",
        ],
        [
          "an earlier record has the same q: \"10\"",
          "\"7\" is not in children.id, or its record was rejected",
        ],
        [
          "\"z\" is not in parents.a, or its record was rejected",
          "an earlier record has the same q: \"10\"",
        ],
      ])
    let several = TableDescription(
      "children", columns: Self.columns("p:text q:int"), primaryKey: [],
      foreignKeys: [Self.reference(["p", "q"], "parents", ["a", "b"])])
    try workplace.write("children.csv", "q,p\n30,x\n")
    let message = load(
      workplace, SchemaDescription(tables: [Self.parents, several], applicationID: 1, version: 1)
    ).rejects[0].reasons[0].message
    #expect(
      message
        == "p \"x\", q \"30\" are not in one record of parents (a, b), or that record was rejected")
  }

  @Test func `referenced values are no longer than keys`() throws {
    let tables = [
      TableDescription("parents", columns: Self.columns("kind:text free:text"), primaryKey: []),
      TableDescription(
        "children", columns: Self.columns("kind:text"), primaryKey: [],
        foreignKeys: [Self.reference(["kind"], "parents", ["kind"], isDeclared: false)]),
    ]
    let long = String(repeating: "x", count: 1025)
    let workplace = try Workplace()
    try workplace.write("parents.csv", "kind,free\na,\(long)\n\(long),b\n")
    try workplace.write("children.csv", "kind\na\n")
    let outcome = load(workplace, SchemaDescription(tables: tables, applicationID: 1, version: 1))
    #expect(outcome.rejected == ["parents.csv:3 key-too-long kind"])
  }

  /// A finished file in which a row has lost its parent is found out by the check.
  @Test func `the check names rows with dangling references`() throws {
    let table = TableDescription(
      "children", columns: Self.columns("p?:text q?:int k?:text"), primaryKey: [],
      foreignKeys: [
        Self.reference(["p", "q"], "parents", ["a", "b"]),
        Self.reference(["k"], "parents", ["kind"], isDeclared: false),
      ])
    let workplace = try Workplace()
    try workplace.write("parents.csv", Self.parentsDump)
    try workplace.write("children.csv", "p,q,k\nx,1,\nx,2,big\n,2,\n")
    let schema = SchemaDescription(tables: [Self.parents, table], applicationID: 1, version: 1)
    #expect(load(workplace, schema).error == nil)
    let connection = try Connection(workplace.output, opening: .openExisting)
    let created = try connection.query(
      "SELECT sql FROM sqlite_schema WHERE name = 'children'", as: String.self)
    #expect(created[0].contains(#"FOREIGN KEY ("p", "q")"#) && !created[0].contains("kind"))
    for key in table.foreignKeys {
      #expect(try connection.orphan(of: key, in: "children", schema) == nil)
    }
    try connection.execute("UPDATE children SET q = 3 WHERE rowid = 2")
    try connection.execute("UPDATE parents SET kind = NULL")
    #expect(try connection.orphan(of: table.foreignKeys[0], in: "children", schema) == ["x", 3])
    #expect(try connection.orphan(of: table.foreignKeys[1], in: "children", schema) == ["big"])
    try connection.close()
    let findings = try DatabaseCheck(workplace.output, schema: schema).run().findings
    #expect(
      findings.filter { $0.subject == .references }.flatMap(\.faults) == [
        "children (2), columns p, q: expected the values of a row of parents (a, b), "
          + "found 'x', 3",
        "children (2), column k: expected a value of parents.kind, found 'big'",
      ])
  }
}

/// Makes sure by other means than those that load that no reference leads nowhere.
func expectSound(_ workplace: Workplace, _ schema: SchemaDescription) throws {
  let connection = try Connection(workplace.output, opening: .readOnly)
  #expect(try connection.foreignKeyViolations().isEmpty)
  #expect(try connection.faults(.full).isEmpty)
  for table in schema.tables {
    for key in table.foreignKeys where !key.isDeclared {
      let pairs = zip(key.columns, key.keyColumns).map { "c.\"\($0)\" = p.\"\($1)\"" }
      let nulls = key.columns.map { "c.\"\($0)\" IS NULL" }
      let orphans = try connection.value(
        of: SQL(
          generated: "SELECT count(*) FROM \"\(table.name)\" AS c WHERE NOT ("
            + nulls.joined(separator: " OR ") + ") AND NOT EXISTS (SELECT 1 FROM \"\(key.table)\""
            + " AS p WHERE \(pairs.joined(separator: " AND ")))"))
      #expect(orphans == .integer(0), "\(table.name) \(key.columns)")
    }
  }
  let findings = try DatabaseCheck(workplace.output, schema: schema).run().findings
  #expect(findings.flatMap(\.faults) == [])
}
