import SQLiteSwiftly
import Schema
import Testing

/// The examples in the comments of descriptions.
struct SchemaExamples {
  private let themes = TableDescription.themes

  @Test func `the examples of descriptions`() throws {
    let connection = try Connection.inMemory()

    // Example: ColumnDescription.swift # ColumnDescription

    // Example: ColumnDescription.swift # ColumnDescription (2)

    let columns = TableDescription(
      "columns", columns: [rgb, year, isSpare, number], primaryKey: [])

    // Example: TableDescription.swift # TableDescription

    // Example: TableDescription.swift # ForeignKeyDescription

    // Example: TableDescription.swift # createTable

    #expect(columns.faults.isEmpty)
    #expect(sets.foreignKeys == [theme])
    #expect(set.keyColumns.count == 2)
    #expect(try schemaExamples(sets) == ["set_num", "theme_id"])
  }

  private func schemaExamples(_ sets: TableDescription) throws -> [String] {
    // Example: SchemaDescription.swift # SchemaDescription

    // Example: DerivedTableDescription.swift # KeyUnionDescription

    // Example: SchemaDescription.swift # ViewDescription

    #expect(numbers.members.count == 2 && longest.faults == [])
    let connection = try Connection.inMemory()
    for table in schema.tables { try connection.createTable(describedBy: table) }
    var messages: [String] = []

    // Example: SchemaDifference.swift # differences
    #expect(messages.isEmpty)

    return try connection.schema(ofTable: "sets")?.columns.map(\.name) ?? []
  }

  @Test func `a search over two tables`() throws {
    let sets = TableDescription(
      "sets",
      columns: [ColumnDescription("set_num", .text), ColumnDescription("name", .text)],
      primaryKey: ["set_num"])

    // Example: SearchDescription.swift # SearchDescription

    #expect(search.faults == [])
    #expect(schema.search?.columns.count == 3)
  }

  @Test func `a table is filled by a query`() throws {
    let words = TableDescription(
      "words", columns: [ColumnDescription("word", .text)], primaryKey: ["word"])

    // Example: DerivedTableDescription.swift # DerivedTableDescription

    #expect(schema.derivedTables.map(\.table.name) == ["lengths"])
    let connection = try Connection.inMemory()
    for table in [words, lengths.table] { try connection.createTable(describedBy: table) }
    try connection.execute("INSERT INTO words VALUES ('a'), ('b'), ('cde')")
    try connection.execute("INSERT INTO lengths \(sql: lengths.query)")
    let rows = try connection.query("SELECT length, words FROM lengths", as: (Int, Int).self)
    #expect(rows.map { "\($0.0) \($0.1)" } == ["1 2", "3 1"])
  }
}
