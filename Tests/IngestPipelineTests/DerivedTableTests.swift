import SQLiteSwiftly
import Schema
import TestSupport
import Testing

@Suite struct DerivedTableTests {
  private static func keys(_ name: String) -> TableDescription {
    TableDescription(name, columns: [ColumnDescription("id", .text)], primaryKey: ["id"])
  }

  /// Unions are filled after the other derived tables, but not before those that read them.
  @Test(
    arguments: [
      ("SELECT k FROM u ORDER BY k", ["'x'", "'y'", "'z'"]),
      ("SELECT id FROM a ORDER BY id", ["'x'", "'z'"]),
    ] as [(SQL, [String])])
  func `a derived table can read a union of keys`(query: SQL, rows: [String]) throws {
    let derived = TableDescription(
      "d", columns: [ColumnDescription("k", .text)], primaryKey: ["k"])
    let union = KeyUnionDescription(
      "u", column: "k", type: .text, members: [.init("a", "id"), .init("b", "id")])
    let schema = SchemaDescription(
      tables: [Self.keys("a"), Self.keys("b")], keyUnions: [union],
      derivedTables: [DerivedTableDescription(derived, filledBy: query)],
      applicationID: 7, version: 1)
    let workplace = try Workplace()
    try workplace.write("a.csv", "id\nx\nz\n")
    try workplace.write("b.csv", "id\ny\n")
    let outcome = load(workplace, schema)
    #expect(outcome.error == nil)
    #expect(try workplace.rows("SELECT k FROM u ORDER BY k") == ["'x'", "'y'", "'z'"])
    #expect(try workplace.rows("SELECT k FROM d ORDER BY k") == rows)
  }
}
