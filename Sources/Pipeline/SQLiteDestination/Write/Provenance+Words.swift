package import SQLiteSwiftly
package import Schema

extension Provenance {
  static let describedTables = TableDescription(
    "ingest_tables",
    columns: [
      ColumnDescription("table_name", .text, meaning: "The name of a table or view."),
      ColumnDescription(
        "kind", .text, domain: .oneOf(["table", "view"]), meaning: "Which of the two it is."),
      ColumnDescription(
        "meaning", .text, isNullable: true,
        meaning: "What a row of it is; NULL if nobody has explained it."),
      ColumnDescription(
        "since", .text, isNullable: true,
        meaning: "The year or month of the first dumps that had it; NULL if that is not known."),
    ],
    primaryKey: ["table_name"], meaning: "What the tables and views of the file mean.")

  static let describedColumns = TableDescription(
    "ingest_columns",
    columns: [
      ColumnDescription("table_name", .text, meaning: "The name of a table or view."),
      ColumnDescription("column_name", .text, meaning: "The name of a column of it."),
      ColumnDescription(
        "position", .integer, domain: .atLeast(1), meaning: "Its place among the columns, from 1."),
      ColumnDescription(
        "type", .text, meaning: "Its type; a boolean is an integer that is 0 or 1."),
      ColumnDescription("is_nullable", .boolean, meaning: "1 if it may be NULL."),
      ColumnDescription(
        "domain", .text, isNullable: true,
        meaning: "What its values can be; NULL if all of its type can be there."),
      ColumnDescription(
        "meaning", .text, isNullable: true,
        meaning: "What it says; NULL if nobody has explained it."),
      ColumnDescription(
        "since", .text, isNullable: true,
        meaning: """
          The year or month of the first dumps that had it; NULL if that is not known, or as long as \
          the table is there.
          """),
      ColumnDescription(
        "example", .text, isNullable: true, meaning: "A value, as text; NULL if none is given."),
    ],
    primaryKey: ["table_name", "column_name"],
    meaning: "What the columns of the file's tables and views mean.")

  /// The rows of the two that say what tables and views mean.
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
