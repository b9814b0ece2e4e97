package import Vocabulary
import Platform
package import SQLiteSwiftly
import Text

extension Provenance {
  package static let verdict = TableDescription(
    "ingest_verdict",
    columns: [
      .own(
        "state", .text, domain: .oneOf(["clean", "warnings"]),
        "The verdict, as in the report: clean or warnings."),
      .own("inserted", .integer, "The number of rows loaded into the tables."),
      .own("rejected", .integer, "The number of records rejected."),
    ],
    primaryKey: ["state"], isWithoutRowid: true,
    meaning: """
      The verdict of the run that published the file: one row; no row in a refused database.
      """)

  /// The warnings of that run, the suppressed ones among them.
  package static let warnings = TableDescription(
    "ingest_warnings",
    columns: [
      .own("position", .integer, domain: .atLeast(1), "The position of the warning, from 1."),
      .own("code", .text, "The code of the warning or of the rejected records."),
      .optional("table_name", .text, "The table concerned; NULL if there is none."),
      .optional("column_name", .text, "The column concerned; NULL if there is none."),
      .optional(
        "file_name", .text,
        "The file concerned; NULL if it is the database itself, and for rejected records."),
      .own("message", .text, "The text of the warning, or the number of rejected records."),
      .optional(
        "count", .integer,
        """
        The number of records of the table rejected with this code as the first reason; NULL for a warning.
        """),
      .own("affects_verdict", .boolean, "1 if it counts for the verdict."),
      .own("is_suppressed", .boolean, "1 if --suppress suppresses it."),
      .optional(
        "suppression", .text, "The line for --suppress that suppresses it; NULL if no line can."),
    ],
    primaryKey: ["position"],
    meaning: """
      The warnings of the run that published the file: a row for each warning, and for each table and code \
      of rejected records.
      """)

  /// Both tables, which are filled last before the database is published.
  package static let verdictTables = [verdict, warnings]

  /// The rows of both tables; `catalog` has the names by which warnings refer to the database itself.
  package static func rows(
    of run: IngestOutcome, in catalog: [String]
  ) -> [(table: TableDescription, rows: [[SQLiteValue]])] {
    let rejected = run.tables.flatMap { table in
      table.rejectedCodes.map { code, count -> [SQLiteValue] in
        [
          .text(code.rawValue), .text(table.table), .null, .null,
          .text("\(count.of("record")) rejected"), integer(count), integer(1), integer(0),
          .null,
        ]
      }
    }
    let reported = [(run.warnings, false), (run.suppressed, true)].flatMap {
      list, isSuppressed in
      list.map { row(of: $0, isSuppressed: isSuppressed, in: catalog) }
    }
    let sum = [
      SQLiteValue.text(run.verdict.state.rawValue),
      integer(run.tables.reduce(0) { $0 + $1.inserted }),
      integer(run.tables.reduce(0) { $0 + $1.rejected }),
    ]
    let numbered = (rejected + reported).enumerated().map { [integer($0 + 1)] + $1 }
    return [(verdict, [sum]), (warnings, numbered)] + rows(of: run.history)
  }

  private static func row(
    of warning: Warning, isSuppressed: Bool, in catalog: [String]
  ) -> [SQLiteValue] {
    // Without folders of this machine.
    let file = warning.code.isOfPath ? split(warning.file).name : warning.file
    return [
      .text(warning.code.rawValue), optional(warning.table), optional(warning.column),
      catalog.hasName(warning.file) ? .null : .text(file),
      .text(warning.message), .null, integer(warning.code.affectsVerdict ? 1 : 0),
      integer(isSuppressed ? 1 : 0), optional(warning.suppression),
    ]
  }

  /// The outcome of the run that published a database, whose contents are not trusted; nil if it records no verdict.
  ///
  /// The counts of the tables are completed with the rejected records.
  package static func outcome(
    _ tables: [TableCounts], of catalog: String, in connection: Connection
  ) throws(SQLiteError) -> IngestOutcome? {
    guard try rows("SELECT state FROM main.ingest_verdict", in: connection).count == 1 else {
      return nil
    }
    var outcome = IngestOutcome()
    outcome.tables = tables
    outcome.history = try history(in: connection, onlyWarnings: true)
    let changes = outcome.history.lasting + outcome.history.accepted
    let rows = try rows(
      """
      SELECT code, table_name, column_name, file_name, message, count, is_suppressed, suppression
      FROM main.ingest_warnings ORDER BY position
      """, in: connection)
    for row in rows {
      let name = row[0].textValue ?? ""
      if let code = RecordCode(rawValue: name), let count = row[5].integerValue,
        let index = tables.firstIndex(where: { haveSameBytes($0.table, row[1].textValue ?? "") })
      {
        outcome.tables[index].rejectedByCode[code] = Int(count)
      } else if let code = WarningCode(rawValue: name) {
        let suppression = row[7].textValue?.printable(keepingLineFeeds: false)
        let warning = Warning(
          file: row[3].textValue ?? catalog, code: code, table: row[1].textValue,
          column: row[2].textValue, row[4].textValue ?? "", suppression: suppression,
          difference: changes.first { $0.code == code && $0.suppression == suppression }?.difference
        )
        if row[6] == .integer(1) {
          outcome.suppressed.append(warning)
        } else {
          outcome.warnings.append(warning)
        }
      }
    }
    return outcome
  }
}

extension Provenance {
  /// The longest value that is read; only a description of the source files may be longer.
  private static let longestValue = 1 << 20
  package static let longestDescription = 16 << 20
  /// The memory for all rows of a query, with that of their values.
  private static let mostBytes = 16 << 20
  private static let (rowBytes, valueBytes) = (64, 32)

  /// Whether a database has a provenance table with its columns, or with some of them, and none of the
  /// table's columns is computed.
  package static func has(
    _ table: TableDescription, _ columns: [String]? = nil, in connection: Connection
  ) throws(SQLiteError) -> Bool {
    guard let stored = try connection.ordinaryTables(named: table.name).first, stored.isStored
    else { return false }
    return (columns ?? table.columns.map(\.name)).allSatisfy(stored.columns.map(\.name).hasName)
  }

  /// The rows of a query on tables of which `has` is true; throws if they are more than any run writes.
  package static func rows(
    _ query: SQL, in connection: Connection, longestValue: Int = longestValue
  ) throws(SQLiteError) -> [[SQLiteValue]] {
    var rows: [[SQLiteValue]] = []
    var bytes = 0
    try connection.limitingLength(to: longestValue) { () throws(SQLiteError) in
      try connection.forEachRow(of: query) { row throws(SQLiteError) in
        var values: [SQLiteValue] = []
        for column in 0..<row.columnCount {
          let value = try row.value(at: column)
          bytes += valueBytes + (value.textValue?.utf8.count ?? value.blobValue?.count ?? 0)
          values.append(value)
        }
        bytes += rowBytes
        guard bytes <= max(mostBytes, longestValue) else {
          throw SQLiteError(
            .tooBig, "its tables with the origin have more rows than any run writes")
        }
        rows.append(values)
      }
    }
    return rows
  }

  /// The rows of such a query, with integers as text.
  package static func texts(
    _ query: SQL, in connection: Connection, longestValue: Int = longestValue
  ) throws(SQLiteError) -> [[String?]] {
    try rows(query, in: connection, longestValue: longestValue).map { row in
      row.map { $0.textValue ?? $0.integerValue.map(String.init) }
    }
  }
}
