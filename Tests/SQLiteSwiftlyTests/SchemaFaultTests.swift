import SQLiteSwiftly
import Schema
import Testing

/// Faults of a schema as a whole, or of its unions and views.
struct SchemaFaultTests {
  /// Schemas whose parts are valid unless noted, and their faults.
  static let schemas: [(SchemaDescription, String?)] = [
    (schema(), nil),
    (schema(views: [ViewDescription("v", "SELECT 1"), ViewDescription("w", "SELECT 1")]), nil),
    (
      schema(views: [ViewDescription("", "SELECT 1")]),
      #"invalid description of view "": the view has no name"#
    ),
    (
      schema(views: [ViewDescription("v\0", "SELECT 1")]),
      #"invalid description of view "v\0": the name "v\0" contains a NUL character"#
    ),
    (
      schema(views: [ViewDescription("T", "SELECT 1")]),
      "invalid description of schema: two tables or views are named T"
    ),
    (
      schema(unions: [union("u"), union("U")]),
      "invalid description of schema: two tables or views are named U"
    ),
    (schema(unions: [union("")]), #"invalid description of table "": the table has no name"#),
    (
      schema(unions: [KeyUnionDescription("u", column: "", type: .text, members: [member])]),
      "invalid description of table u: a column has no name"
    ),
    (
      schema(unions: [union("u", [])]),
      "invalid description of key union u: there are no member tables"
    ),
    (
      schema(unions: [union("u", [member, member])]),
      "invalid description of key union u: duplicate member: column a of t"
    ),
    (
      schema(unions: [union("u", [KeyUnionDescription.Member("x y", "a")])]),
      #"invalid description of key union u: no table "x y""#
    ),
    (
      schema(unions: [union("u", [KeyUnionDescription.Member("t", "")])]),
      #"invalid description of key union u: t has no column """#
    ),
    (
      schema(unions: [union("u", [KeyUnionDescription.Member("t", "a", reference: "a")])]),
      """
      invalid description of table u: column a is described twice, differently
      """
    ),
    (
      schema(unions: [union("u", [KeyUnionDescription.Member("t", "a", reference: "")])]),
      "invalid description of table u: a column has no name"
    ),
  ]

  private static let member = KeyUnionDescription.Member("t", "a")

  private static func union(
    _ name: String, _ members: [KeyUnionDescription.Member] = [member]
  ) -> KeyUnionDescription {
    KeyUnionDescription(name, column: "a", type: .integer, members: members)
  }

  private static func schema(
    unions: [KeyUnionDescription] = [], views: [ViewDescription] = []
  ) -> SchemaDescription {
    SchemaDescription(
      tables: [
        TableDescription("t", columns: [ColumnDescription("a", .integer)], primaryKey: ["a"])
      ], keyUnions: unions,
      views: views, applicationID: 0, version: 0)
  }

  @Test(arguments: schemas)
  func `an invalid schema is reported`(schema: SchemaDescription, message: String?) throws {
    guard let message else {
      #expect(throws: Never.self) { try schema.validate() }
      return
    }
    let error = try failure { try schema.validate() }
    #expect(error == SQLiteError(.misuse, message))
    let connection = try Connection.inMemory()
    #expect(try failure { _ = try connection.differences(from: schema) } == error)
  }

  @Test func `a view with values is refused`() throws {
    let view = ViewDescription("v", "SELECT \(1)")
    #expect(view.faults == ["the query must not have values"])
    let error = try failure { _ = try view.creation }
    #expect(error.code == .misuse)
    #expect(
      error.message
        == "invalid description of view v: the query must not have values")
    let connection = try Connection.inMemory()
    let schema = SchemaDescription(tables: [], views: [view], applicationID: 0, version: 0)
    #expect(try failure { _ = try connection.differences(from: schema) } == error)
    #expect(ViewDescription("v", "SELECT 1").faults == [])
  }
}
