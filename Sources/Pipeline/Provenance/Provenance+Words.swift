package import SQLiteSwiftly
package import Schema

extension Provenance {
  package static let describedTables = TableDescription(
    "ingest_tables",
    columns: [
      .own("table_name", .text, "The name of the table or view."),
      .own("kind", .text, domain: .oneOf(["table", "view"]), "Whether it is a table or a view."),
      .optional("meaning", .text, "The meaning of a row; NULL if none is described."),
      .optional(
        "since", .text, "The year or month of the first source files that had it; NULL if unknown."),
    ],
    primaryKey: ["table_name"], meaning: "The meanings of the tables and views in the file.")

  package static let describedColumns = TableDescription(
    "ingest_columns",
    columns: [
      .own("table_name", .text, "The name of the table or view."),
      .own("column_name", .text, "The name of the column."),
      .own("position", .integer, domain: .atLeast(1), "The position among the columns, from 1."),
      .own("type", .text, "The type; a boolean is an integer, 0 or 1."),
      .own("is_nullable", .boolean, "1 if it can be NULL."),
      .optional("domain", .text, "The values allowed; NULL if every value of the type is allowed."),
      .optional("meaning", .text, "The meaning of the column; NULL if none is described."),
      .optional(
        "since", .text,
        """
        The year or month of the first source files that had it; NULL if unknown, or if it is as old as \
        the table.
        """),
      .optional("example", .text, "An example value, as text; NULL if there is none."),
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
