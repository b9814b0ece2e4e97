import SQLiteSwiftly
import Schema
import TestSupport
import Testing
@testable import Provenance

/// What a catalog says of its own tables and columns.
struct StoredWordsTests {
  @Test func `a catalog explains its tables, views and columns`() throws {
    let connection = try Connection.inMemory()
    let nodes = TableDescription(
      "nodes",
      columns: [
        ColumnDescription("id", .integer, isNullable: true, meaning: "A number.", example: -5),
        ColumnDescription(
          "kind", .text, isNullable: true, knownValues: ["a", "b"], meaning: "Its kind.",
          since: "2020-02", example: "a"),
        ColumnDescription("is_new", .boolean),
      ],
      primaryKey: ["id"], meaning: "A node.", since: "2019")
    let view = ViewDescription(
      "kinds", "SELECT kind FROM nodes",
      columns: [ColumnDescription("kind", .text, isNullable: true, meaning: "A kind.")],
      meaning: "A kind of nodes.")
    let schema = SchemaDescription(tables: [nodes], views: [view], applicationID: 1, version: 1)
    try Provenance.write([], of: schema, on: connection)
    #expect(
      try connection.query(
        "SELECT * FROM ingest_tables WHERE table_name NOT LIKE 'ingest%' ORDER BY 1") == [
          ["kinds", "view", "A kind of nodes.", .null], ["nodes", "table", "A node.", "2019"],
        ])
    #expect(
      try connection.query(
        """
        SELECT * FROM ingest_columns WHERE table_name NOT LIKE 'ingest%'
        ORDER BY table_name, position
        """) == [
          ["kinds", "kind", 1, "text", 1, .null, "A kind.", .null, .null],
          ["nodes", "id", 1, "integer", 0, .null, "A number.", .null, "-5"],
          [
            "nodes", "kind", 2, "text", 1, "a, b; others are possible", "Its kind.", "2020-02", "a",
          ],
          ["nodes", "is_new", 3, "boolean", 0, "0 or 1", .null, .null, .null],
        ])
  }

  @Test func `the tables that explain the others are explained, too`() throws {
    let workplace = try Family.workplace()
    #expect(load(workplace, Family.schema).error == nil)
    #expect(
      try workplace.rows(
        """
        SELECT m.name, p.name FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS p
        WHERE m.type IN ('table', 'view') AND m.name NOT LIKE 'sqlite%'
        EXCEPT SELECT table_name, column_name FROM ingest_columns
        """) == [])
    #expect(
      try workplace.rows(
        """
        SELECT table_name, column_name FROM ingest_columns JOIN ingest_tables USING (table_name)
        WHERE table_name LIKE 'ingest%'
          AND (ingest_columns.meaning IS NULL OR ingest_tables.meaning IS NULL)
        """) == [])
  }
}
