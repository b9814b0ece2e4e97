import Vocabulary
@testable import SQLiteDestination
import SQLiteSwiftly
import Schema
import Testing

/// Tables that the catalog does not have, and that can be described.
@Suite struct UnusualTableTests {
  private static let notes = TableDescription(
    "notes",
    columns: [
      ColumnDescription("label", .text), ColumnDescription("text", .text, isNullable: true),
      ColumnDescription("rank", .integer, defaultValue: .integer(5)),
    ],
    primaryKey: [], foreignKeys: [ForeignKeyDescription("label", references: "labels", "label")])

  private static let ranks = TableDescription(
    "ranks", columns: notes.columns, primaryKey: [], uniqueKeys: [["label", "rank"], ["text"]])

  private static let codes = TableDescription(
    "codes", columns: notes.columns, primaryKey: ["label"], isStrict: false, isWithoutRowid: false)

  private static func schema(_ tables: TableDescription...) -> SchemaDescription {
    SchemaDescription(tables: [Family.labels] + tables, applicationID: 1, version: 1)
  }

  private func workplace(_ table: String, _ records: String) throws -> Workplace {
    let workplace = try Workplace()
    try workplace.write("labels.csv", "label\nx\ny\n")
    try workplace.write(table + ".csv", "label,text,rank\n" + records)
    return workplace
  }

  @Test func `a table without a key accepts equal records`() throws {
    let workplace = try workplace("notes", "x,a,1\nx,a,1\ny,,2\nz,a,1\nx,a,\n")
    let outcome = loaded(workplace, Self.schema(Self.notes))
    #expect(
      outcome.rejected == ["notes.csv:5 missing-parent label", "notes.csv:6 missing-value rank"])
    #expect(
      try workplace.rows("SELECT rowid, * FROM notes ORDER BY rowid")
        == ["1|'x'|'a'|1", "2|'x'|'a'|1", "3|'y'|-|2"])
  }

  @Test func `a table without a key is compared with the night before, equal rows and all`() throws
  {
    let rows = (0..<50).map { "x,a\($0),1\n" } + ["x,a0,1\n"]
    let workplace = try workplace("notes", rows.joined())
    let schema = Self.schema(Self.notes)
    #expect(load(workplace, schema).warnings.isEmpty)
    func codes(_ rows: [String]) throws -> [WarningCode] {
      try workplace.write("notes.csv", "label,text,rank\n" + rows.joined())
      return load(workplace, schema).warnings.map(\.code)
    }
    #expect(try codes(rows + rows) == [.tableGrown])
    #expect(try codes(rows.map { $0.replacing(",1", with: ",2") }) == [.keysRenumbered])
    #expect(try codes(rows + ["y,b,1\n"]) == [])
  }

  @Test func `a table without a primary key has its unique keys all the same`() throws {
    let workplace = try workplace("ranks", "x,a,1\nx,b,1\nx,a,2\nx,c,2\ny,,1\ny,,2\n")
    let outcome = load(workplace, Self.schema(Self.ranks))
    #expect(
      outcome.rejected == ["ranks.csv:3 duplicate-key label", "ranks.csv:4 duplicate-key text"])
    #expect(outcome.rejects[0].reasons[0].message.contains("the same label, rank"))
    #expect(
      try workplace.rows("SELECT * FROM ranks ORDER BY rowid")
        == ["'x'|'a'|1", "'x'|'c'|2", "'y'|-|1", "'y'|-|2"])
  }

  /// SQLite 3.40 takes columns for NULL that are stored after the last one.
  @Test(arguments: [["b", "a"], ["c"], ["c", "a"], ["b", "c"]])
  func `the last column may be in the key`(key: [String]) throws {
    let table = TableDescription(
      "t",
      columns: [
        ColumnDescription("a", .text), ColumnDescription("b", .text), ColumnDescription("c", .text),
      ].prefix(key.contains("c") ? 3 : 2).map(\.self), primaryKey: key)
    let schema = SchemaDescription(tables: [table], applicationID: 1, version: 1)
    let workplace = try Workplace()
    let rows = (0..<150).map { number in table.columns.map { "\($0.name)\(number)" } }
    let lines = [table.columns.map(\.name)] + rows
    try workplace.write("t.csv", lines.map { $0.joined(separator: ",") + "\n" }.joined())
    loaded(workplace, schema)
    #expect(
      try Set(workplace.rows("SELECT * FROM t"))
        == Set(rows.map { $0.map { "'\($0)'" }.joined(separator: "|") }))
    let check = try DatabaseCheck(workplace.output, schema: schema).run()
    #expect(check.findings.flatMap(\.faults) == [])
  }

  @Test func `a text key may stand in a table with rowids`() throws {
    let workplace = try workplace("codes", "x,a,1\ny,a,1\nx,b,1\n")
    let outcome = load(workplace, Self.schema(Self.codes))
    #expect(outcome.rejected == ["codes.csv:4 duplicate-key label"])
    #expect(
      try workplace.rows("SELECT rowid, label FROM codes ORDER BY rowid") == ["1|'x'", "2|'y'"])
  }

  @Test func `a key that is another table's may have children`() throws {
    func table(_ name: String, of parent: String? = nil) -> TableDescription {
      TableDescription(
        name, columns: [ColumnDescription("id", .integer)], primaryKey: ["id"],
        foreignKeys: parent.map { [ForeignKeyDescription("id", references: $0, "id")] } ?? [])
    }
    let workplace = try Workplace()
    try workplace.write("bases.csv", "id\n10\n20\n30\n")
    try workplace.write("details.csv", "id\n30\n20\n30\n40\n")
    try workplace.write("extras.csv", "id\n20\n10\n30\n")
    let tables = [table("bases"), table("details", of: "bases"), table("extras", of: "details")]
    let outcome = loaded(workplace, SchemaDescription(tables: tables, applicationID: 1, version: 1))
    #expect(
      outcome.rejected == [
        "details.csv:4 duplicate-key id", "details.csv:5 missing-parent id",
        "extras.csv:3 missing-parent id",
      ])
    #expect(try workplace.rows("SELECT id FROM extras ORDER BY id") == ["20", "30"])
  }

  @Test func `a primary key is never made up`() throws {
    let table = TableDescription(
      "ids",
      columns: [
        ColumnDescription("id", .integer, isNullable: true), ColumnDescription("text", .text),
      ],
      primaryKey: ["id"])
    let schema = SchemaDescription(tables: [table], applicationID: 1, version: 1)
    let workplace = try Workplace()
    try workplace.write("ids.csv", "id,text\n5,a\n,b\n7,c\n")
    #expect(load(workplace, schema).rejected == ["ids.csv:3 missing-value id"])
    #expect(try workplace.rows("SELECT * FROM ids") == ["5|'a'", "7|'c'"])
    try workplace.write("ids.csv", "text\na\n")
    #expect(load(workplace, schema).error?.code == .file(.columnMissing))
  }

  @Test func `a schema with faults is refused before anything is read`() throws {
    let workplace = try workplace("faulty", "")
    let faulty = TableDescription(
      "faulty", columns: Self.notes.columns, primaryKey: ["nr"], uniqueKeys: [[]])
    let outcome = load(workplace, Self.schema(faulty))
    #expect(outcome.events.isEmpty)
    #expect(outcome.error?.kind == .fault)
    #expect(
      outcome.error?.message.contains(
        "invalid description of table faulty: the primary key uses column nr, which "
          + "does not exist; a unique key has no columns") == true)
    #expect(try workplace.names == ["dumps"])
  }

  /// Each keeps a batch of the ring while it is surveyed, and there are but eight.
  @Test(.timeLimit(.minutes(10)))
  func `many tables that refer to themselves can all be damaged`() throws {
    let tables = (0..<10).map { number in
      TableDescription(
        "t\(number)",
        columns: [
          ColumnDescription("id", .integer), ColumnDescription("of", .integer, isNullable: true),
        ],
        primaryKey: ["id"],
        foreignKeys: [ForeignKeyDescription("of", references: "t\(number)", "id")])
    }
    let schema = SchemaDescription(tables: tables, applicationID: 7, version: 1)
    let workplace = try Workplace()
    for table in tables { try workplace.write("\(table.name).csv", "id,of\n1,\n2,\"1\n") }
    let outcome = load(workplace, schema)
    #expect(outcome.error?.code == .file(.unterminatedQuote))
    let more = try #require(
      outcome.events.last.flatMap { event in
        if case .readingEnded(let accounts) = event { accounts } else { nil }
      })
    #expect(more.map(\.table) == tables.map(\.name))
  }
}
