import Vocabulary
import SQLiteSwiftly
import Schema
import TestSupport
import Testing

/// Names that make a difference to indexes that SQLite does not create itself.
@Suite struct LoadedNameTests {
  private static func table(
    _ name: String, _ column: String? = nil
  ) -> TableDescription {
    let columns = column.map { [ColumnDescription($0, .text, isNullable: true)] } ?? []
    return TableDescription(
      name, columns: [ColumnDescription("id", .integer)] + columns, primaryKey: ["id"],
      indexes: column.map { [[$0]] } ?? [])
  }

  /// Tables and a view whose indexes cannot have the names that they would have, and what SQLite says.
  static let collisions: [(tables: [TableDescription], view: String, message: String)] = [
    ([table("a", "b"), table("a_B")], "v", "there is already a table named a_b"),
    ([table("a", "b")], "a_b", "there is already a table named a_b"),
    ([table("a", "b_c"), table("a_b", "c")], "v", "index a_b_c already exists"),
    ([table("a", "B_c"), table("a_b", "c")], "v", "index a_b_c already exists"),
    ([table("ingest", "catalog")], "v", "there is already a table named ingest_catalog"),
    ([table("sqlite", "stat1")], "v", "object name reserved for internal use: sqlite_stat1"),
  ]

  @Test(arguments: collisions.indices)
  func `an index cannot have a name that is taken`(place: Int) throws {
    let collision = Self.collisions[place]
    let workplace = try Workplace()
    for table in collision.tables {
      let names = table.columns.map(\.name)
      try workplace.write(
        table.name + ".csv",
        "\(names.joined(separator: ","))\n\(names.map { _ in "1" }.joined(separator: ","))\n")
    }
    let schema = SchemaDescription(
      tables: collision.tables, views: [ViewDescription(collision.view, "SELECT 1")],
      applicationID: 1, version: 1)
    let error = load(workplace, schema).error
    #expect(error?.kind == .fault)
    #expect(error?.message.contains(": \(collision.message) (SQLITE_ERROR, 1).") == true)
  }

  /// SQLite compares names by their bytes, and Swift by what they look like.
  @Test func `columns whose names look alike are not one`() throws {
    let (composed, decomposed) = ("\u{e9}", "e\u{301}")
    let table = TableDescription(
      "t",
      columns: [
        ColumnDescription(composed, .text), ColumnDescription(decomposed, .text, isNullable: true),
      ],
      primaryKey: [composed], indexes: [[decomposed]])
    let workplace = try Workplace()
    try workplace.write("t.csv", "\(composed),\(decomposed)\na,z\nb,\nc,y\n")
    let outcome = loaded(
      workplace, SchemaDescription(tables: [table], applicationID: 1, version: 1))
    #expect(outcome.rejected == [])
    let connection = try Connection(workplace.output, opening: .readOnly)
    #expect(try connection.faults(.full) == [])
  }
}
