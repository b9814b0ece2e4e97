package import Facts
package import SQLiteSwiftly

extension Provenance {
  package static let verdict = TableDescription(
    "ingest_verdict",
    columns: [
      ColumnDescription(
        "state", .text, domain: .oneOf(["clean", "warnings"]),
        meaning: "As the report has it: clean, or warnings."),
      ColumnDescription("inserted", .integer, meaning: "The rows in the tables of the dumps."),
      ColumnDescription(
        "rejected", .integer, meaning: "The records of the dumps that were rejected."),
    ],
    primaryKey: [],
    meaning: """
      What the run came to that published the file: one row; none if it was kept and not published.
      """)

  /// What that run told, and what it did not tell since it is accepted.
  static let warnings = TableDescription(
    "ingest_warnings",
    columns: [
      ColumnDescription(
        "position", .integer, domain: .atLeast(1), meaning: "Its place among them, from 1."),
      ColumnDescription(
        "code", .text, meaning: "The code of the warning, or that of rejected records."),
      ColumnDescription(
        "table_name", .text, isNullable: true,
        meaning: "The table that it is about; NULL if it is about none."),
      ColumnDescription(
        "column_name", .text, isNullable: true,
        meaning: "The column that it is about; NULL if it is about none."),
      ColumnDescription(
        "file_name", .text, isNullable: true,
        meaning: "The file that it is about; NULL if it is about the catalog, or about records."),
      ColumnDescription("message", .text, meaning: "What was found, and what was done."),
      ColumnDescription(
        "count", .integer, isNullable: true,
        meaning: """
          How many records of the table were rejected with this code as the first reason; NULL for a warning.
          """),
      ColumnDescription(
        "affects_verdict", .boolean, meaning: "1 if somebody should look at it."),
      ColumnDescription("is_suppressed", .boolean, meaning: "1 if --suppress accepts it."),
      ColumnDescription(
        "suppression", .text, isNullable: true,
        meaning: "The line that accepts it; NULL if nothing does."),
    ],
    primaryKey: ["position"],
    meaning: """
      What the run told that published the file: a row for each warning, and for each table and code of \
      rejected records.
      """)

  /// Those two, which are filled when nothing more can be told before the catalog is published.
  static let verdictTables = [verdict, warnings]

  /// Writes, in a transaction, what a run has come to, and what the change counter of the file will be
  /// after it; `catalog` is what warnings call the catalog itself.
  package static func write(
    _ found: CatalogVerdict, of catalog: [String], changeCounter: Int, on connection: Connection
  ) throws(SQLiteError) {
    for (table, rows) in rows(of: found, in: catalog) {
      try insert(rows, into: table, on: connection)
    }
    try connection.execute("UPDATE ingest_catalog SET change_counter = \(changeCounter)")
  }

  /// The two tables, with all rows that they have then.
  package static func rows(
    of found: CatalogVerdict, in catalog: [String]
  ) -> [(table: TableDescription, rows: [[SQLiteValue]])] {
    let rejected = found.tables.flatMap { table in
      RecordCode.allCases.compactMap { code -> [SQLiteValue]? in
        let count = table.rejectedByCode[code, default: 0]
        guard count > 0 else { return nil }
        return [
          .text(code.rawValue), .text(table.table), .null, .null,
          .text("\(count.of("record")) rejected"), integer(count), integer(1), integer(0),
          .null,
        ]
      }
    }
    let reported = [(found.warnings, false), (found.suppressed, true)].flatMap {
      list, isSuppressed in
      list.map { row(of: $0, isSuppressed: isSuppressed, in: catalog) }
    }
    let sum = [
      SQLiteValue.text(found.state), integer(found.tables.reduce(0) { $0 + $1.inserted }),
      integer(found.tables.reduce(0) { $0 + $1.rejected }),
    ]
    let numbered = (rejected + reported).enumerated().map { [integer($0 + 1)] + $1 }
    return [(verdict, [sum]), (warnings, numbered)]
  }

  private static func row(
    of warning: Warning, isSuppressed: Bool, in catalog: [String]
  ) -> [SQLiteValue] {
    [
      .text(warning.code.rawValue), optional(warning.table), optional(warning.column),
      catalog.hasName(warning.file) ? .null : .text(warning.code.keptName(of: warning.file)),
      .text(warning.message), .null, integer(warning.code.affectsVerdict ? 1 : 0),
      integer(isSuppressed ? 1 : 0), optional(warning.suppression),
    ]
  }

  /// What a run came to that published a catalog, in which somebody can have put anything; nil if the catalog
  /// does not say.
  ///
  /// The tables get what was rejected.
  package static func verdict(
    _ tables: [TableCounts], of catalog: String, in connection: Connection
  ) throws(SQLiteError) -> CatalogVerdict? {
    guard try connection.query("SELECT state FROM main.ingest_verdict").count == 1 else {
      return nil
    }
    var verdict = CatalogVerdict(tables: tables, warnings: [], suppressed: [])
    let rows = try connection.query(
      """
      SELECT code, table_name, column_name, file_name, message, count, is_suppressed, suppression
      FROM main.ingest_warnings ORDER BY position
      """)
    for row in rows {
      let name = row[0].textValue ?? ""
      if let code = RecordCode(rawValue: name), let count = row[5].integerValue,
        let place = tables.firstIndex(where: { haveSameBytes($0.table, row[1].textValue ?? "") })
      {
        verdict.tables[place].rejectedByCode[code] = Int(count)
      } else if let code = WarningCode(rawValue: name) {
        let warning = Warning(
          repeating: code, file: row[3].textValue ?? catalog, table: row[1].textValue,
          column: row[2].textValue, message: row[4].textValue ?? "",
          acceptedBy: row[7].textValue)
        if row[6] == .integer(1) {
          verdict.suppressed.append(warning)
        } else {
          verdict.warnings.append(warning)
        }
      }
    }
    return verdict
  }
}
