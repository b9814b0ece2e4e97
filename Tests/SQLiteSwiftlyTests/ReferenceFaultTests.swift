import SQLiteSwiftly
import Schema
import Testing

/// References that no loader could check are found in the description.
@Suite struct ReferenceFaultTests {
  private static let number = ColumnDescription("n", .integer)
  private static let text = ColumnDescription("t", .text)

  private static func table(
    _ name: String, _ keys: [ForeignKeyDescription] = [], uniqueKeys: [[String]] = []
  ) -> TableDescription {
    TableDescription(
      name, columns: [number, text, ColumnDescription("flag", .boolean)], primaryKey: ["n"],
      uniqueKeys: uniqueKeys, foreignKeys: keys)
  }

  private static func undeclared(
    _ column: String, _ table: String, _ keyColumn: String
  ) -> ForeignKeyDescription {
    var key = ForeignKeyDescription(column, references: table, keyColumn)
    key.isDeclared = false
    return key
  }

  private static let union = KeyUnionDescription(
    "both", column: "n", type: .integer, members: [.init("a", "n"), .init("b", "n")])

  /// References of the last of three tables, and their faults.
  static let keys: [(key: ForeignKeyDescription, fault: String?)] = [
    (ForeignKeyDescription("n", references: "a", "n"), nil),
    (ForeignKeyDescription(["t", "n"], references: "a", ["t", "n"]), nil),
    (ForeignKeyDescription(["n", "t"], references: "a", ["n", "t"]), nil),
    (ForeignKeyDescription("n", references: "both", "n"), nil),
    (ForeignKeyDescription("flag", references: "a", "n"), nil),
    (undeclared("t", "a", "t"), nil), (undeclared("t", "c", "t"), nil),
    (
      ForeignKeyDescription("t", references: "a", "t"),
      "foreign key (t) of c refers to a (t), which is not a key"
    ),
    (
      ForeignKeyDescription("n", references: "A", "n"),
      "foreign key (n) of c refers to A, which is not a table"
    ),
    (
      ForeignKeyDescription("n", references: "d", "n"),
      "foreign key (n) of c needs d, which must precede it"
    ),
    (
      undeclared("n", "a", "m"),
      "foreign key (n) of c refers to a (m), which does not have these columns"
    ),
    (undeclared("n", "a", "t"), "foreign key (n) of c refers to a (t), which has another type"),
    (
      undeclared("n", "both", "m"),
      "foreign key (n) of c refers to both (m), which does not have these columns; "
        + "foreign key (n) of c refers to both (m), which is not a key"
    ),
  ]

  @Test(arguments: keys)
  func `a reference that cannot be checked is a fault`(
    key: ForeignKeyDescription, fault: String?
  ) throws {
    let schema = SchemaDescription(
      tables: [
        Self.table("a", uniqueKeys: [["t", "n"]]), Self.table("b"), Self.table("c", [key]),
        Self.table("d"),
      ], keyUnions: [Self.union], applicationID: 0, version: 0)
    #expect(schema.referenceFaults.joined(separator: "; ") == fault ?? "")
    guard let fault else { return try schema.validateReferences() }
    let error = #expect(throws: SQLiteError.self) { try schema.validateReferences() }
    #expect(error?.message == "invalid description of schema: \(fault)")
  }

  @Test func `a table does not refer to a union with itself`() {
    let schema = SchemaDescription(
      tables: [Self.table("a"), Self.table("b", [.init("n", references: "both", "n")])],
      keyUnions: [Self.union], applicationID: 0, version: 0)
    #expect(
      schema.referenceFaults == [
        "foreign key (n) of b refers to both (n), which includes values of the same table"
      ])
  }

  static let unions: [(KeyUnionDescription.Member, ColumnDescription.DataType, String?)] = [
    (.init("a", "n"), .integer, nil), (.init("a", "n", reference: "in_a"), .integer, nil),
    (.init("a", "t"), .text, nil), (.init("a", "flag"), .integer, nil),
    (.init("a", "t", reference: "in_a"), .text, "in_a refers to t of a, which is not a key"),
    (.init("a", "t"), .integer, "column t of a does not have the type of its keys"),
    (
      .init("a", "n"), .real,
      "the type of its keys is neither text nor integer; column n of a does not have the type of its keys"
    ),
  ]

  @Test(arguments: unions)
  func `a union holds the values of columns of its type`(
    member: KeyUnionDescription.Member, type: ColumnDescription.DataType, fault: String?
  ) throws {
    let schema = SchemaDescription(
      tables: [Self.table("a")],
      keyUnions: [KeyUnionDescription("u", column: "k", type: type, members: [member])],
      applicationID: 0, version: 0)
    guard let fault else { return try schema.validate() }
    let error = #expect(throws: SQLiteError.self) { try schema.validate() }
    #expect(error?.message == "invalid description of key union u: \(fault)")
  }

  @Test func `two references to one table have no effect on a comparison`() throws {
    let tables = [
      Self.table("a", uniqueKeys: [["t"]]),
      Self.table(
        "c",
        [
          ForeignKeyDescription("n", references: "a", "n"),
          ForeignKeyDescription("t", references: "a", "t"),
        ]),
    ]
    let connection = try Connection.inMemory()
    for table in tables { try connection.createTable(describedBy: table) }
    #expect(try connection.differences(fromTable: tables[1]) == [])
    let changed = TableDescription(
      "c",
      columns: [Self.number, Self.text, ColumnDescription("flag", .integer, domain: .atLeast(0))],
      primaryKey: ["n"], foreignKeys: tables[1].foreignKeys)
    #expect(try connection.differences(fromTable: changed).map(\.property) == [.definition])
  }
}
