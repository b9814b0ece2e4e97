import SQLiteSwiftly
import Schema
import Testing

/// What is wrong with a schema as a whole, or with its unions and views.
struct SchemaFaultTests {
  /// Schemas of which each part is right by itself, unless it says otherwise, and what is wrong.
  static let schemas: [(SchemaDescription, String?)] = [
    (schema(), nil),
    (schema(views: [ViewDescription("v", "SELECT 1"), ViewDescription("w", "SELECT 1")]), nil),
    (
      schema(views: [ViewDescription("", "SELECT 1")]),
      #"The description of the view "" is wrong: the view has no name"#
    ),
    (
      schema(views: [ViewDescription("v\0", "SELECT 1")]),
      #"The description of the view "v\0" is wrong: there is a NUL in the name "v\0""#
    ),
    (
      schema(views: [ViewDescription("T", "SELECT 1")]),
      "The description of the schema is wrong: two tables or views have the name T"
    ),
    (
      schema(unions: [union("u"), union("U")]),
      "The description of the schema is wrong: two tables or views have the name U"
    ),
    (
      schema(unions: [union("")]),
      #"The description of the table "" is wrong: the table has no name"#
    ),
    (
      schema(unions: [KeyUnionDescription("u", column: "", type: .text, members: [member])]),
      "The description of the table u is wrong: a column has no name"
    ),
    (
      schema(unions: [union("u", [])]),
      "The description of the key union u is wrong: there are no tables whose keys it holds"
    ),
    (
      schema(unions: [union("u", [member, member])]),
      "The description of the key union u is wrong: it has the key a of t twice"
    ),
    (
      schema(unions: [union("u", [KeyUnionDescription.Member("x y", "a")])]),
      #"The description of the key union u is wrong: there is no table "x y""#
    ),
    (
      schema(unions: [union("u", [KeyUnionDescription.Member("t", "")])]),
      #"The description of the key union u is wrong: t has no column """#
    ),
    (
      schema(unions: [union("u", [KeyUnionDescription.Member("t", "a", reference: "a")])]),
      """
      The description of the table u is wrong: the column a is described twice, and not alike
      """
    ),
    (
      schema(unions: [union("u", [KeyUnionDescription.Member("t", "a", reference: "")])]),
      "The description of the table u is wrong: a column has no name"
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
  func `what is wrong with a schema is told`(schema: SchemaDescription, message: String?) throws {
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
    #expect(view.faults == ["the query has values, which a view cannot hold"])
    let error = try failure { _ = try view.creation }
    #expect(error.code == .misuse)
    #expect(
      error.message
        == "The description of the view v is wrong: the query has values, which a view cannot hold")
    let connection = try Connection.inMemory()
    let schema = SchemaDescription(tables: [], views: [view], applicationID: 0, version: 0)
    #expect(try failure { _ = try connection.differences(from: schema) } == error)
    #expect(ViewDescription("v", "SELECT 1").faults == [])
  }
}
