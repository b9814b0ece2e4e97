package import SQLiteSwiftly
package import Schema

extension Provenance {
  static let describedTables = TableDescription(
    "ingest_tables",
    columns: [
      ColumnDescription("table_name", .text, meaning: "The name of the table or view."),
      ColumnDescription(
        "kind", .text, domain: .oneOf(["table", "view"]),
        meaning: "Whether it is a table or a view."),
      ColumnDescription(
        "meaning", .text, isNullable: true,
        meaning: "The meaning of a row; NULL if none is described."),
      ColumnDescription(
        "since", .text, isNullable: true,
        meaning: "The year or month of the first source files that had it; NULL if unknown."),
    ],
    primaryKey: ["table_name"], meaning: "The meanings of the tables and views in the file.")

  static let describedColumns = TableDescription(
    "ingest_columns",
    columns: [
      ColumnDescription("table_name", .text, meaning: "The name of the table or view."),
      ColumnDescription("column_name", .text, meaning: "The name of the column."),
      ColumnDescription(
        "position", .integer, domain: .atLeast(1),
        meaning: "The position among the columns, from 1."),
      ColumnDescription(
        "type", .text, meaning: "The type; a boolean is an integer, 0 or 1."),
      ColumnDescription("is_nullable", .boolean, meaning: "1 if it can be NULL."),
      ColumnDescription(
        "domain", .text, isNullable: true,
        meaning: "The values allowed; NULL if every value of the type is allowed."),
      ColumnDescription(
        "meaning", .text, isNullable: true,
        meaning: "The meaning of the column; NULL if none is described."),
      ColumnDescription(
        "since", .text, isNullable: true,
        meaning: """
          The year or month of the first source files that had it; NULL if unknown, or if it is as old as \
          the table.
          """),
      ColumnDescription(
        "example", .text, isNullable: true,
        meaning: "An example value, as text; NULL if there is none."),
    ],
    primaryKey: ["table_name", "column_name"],
    meaning: "The meanings of the columns of all tables and views in the file.")

  /// The rows of the two tables with the meanings of tables, views and columns.
  package static func words(
    for described: [DescribedTable]
  ) -> (tables: [[SQLiteValue]], columns: [[SQLiteValue]]) {
    let tables: [[SQLiteValue]] = described.map { table in
      [
        .text(table.name), .text(table.table == nil ? "view" : "table"), optional(table.meaning),
        optional(table.since),
      ]
    }
    let columns: [[SQLiteValue]] = described.flatMap { table in
      table.columns.enumerated().map { place, column in
        [
          .text(table.name), .text(column.name), integer(place + 1),
          .text(column.type.name), integer(table.mayBeNull(column) ? 1 : 0),
          optional(column.domainText), optional(column.meaning), optional(column.since),
          optional(column.example?.plainText),
        ]
      }
    }
    return (tables, columns)
  }
}
