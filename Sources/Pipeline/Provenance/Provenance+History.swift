package import Vocabulary
import Text
package import SQLiteSwiftly

extension Provenance {
  /// The tables that carry the history from database to database.
  package static let historyTables = [runs, runTables, runColumns, causes]

  private static let verdicts = ["clean", "warnings"]

  private static let runs = TableDescription(
    "ingest_history",
    columns: [
      .own(
        "run", .integer, domain: .atLeast(0),
        "The number of the run, from 1; 0 for a database that recorded no runs."),
      .optional(
        "data_time", .text,
        """
        When its newest source file was written, in ISO 8601, with a Z only in UTC; NULL if no file states it.
        """),
      .own("sources", .integer, "A checksum of the checksums of all files that it read."),
      .own(
        "state", .text, domain: .oneOf(verdicts + ["unknown"]),
        "The verdict, as in the report; unknown for a database that recorded no runs."),
    ],
    primaryKey: ["run"], isWithoutRowid: true,
    meaning: """
      The last runs that published the database, this one included: at most 400, and fewer with many tables. A \
      run that loads the same source files as the previous run replaces it.
      """)

  private static let runTables = TableDescription(
    "ingest_history_tables",
    columns: [
      .own(
        "run", .integer, domain: .atLeast(0),
        "The number of the run, from 1; 0 for a database that recorded no runs."),
      .own("table_name", .text, "The name of the table."),
      .own("rows", .integer, "The number of its rows."),
      .own("rejected", .integer, "The number of its rejected records."),
      .optional(
        "added", .integer, "The number of keys that the run before lacked; NULL if unknown."),
      .optional(
        "removed", .integer, "The number of keys that only the run before had; NULL if unknown."),
      .optional(
        "changed", .integer,
        "The number of keys with other values than in the run before; NULL if unknown."),
      .own(
        "is_unusual", .boolean,
        """
        1 if its source file was missing, or if many rows were lost or changed: later runs are not compared \
        with it.
        """),
    ],
    primaryKey: ["run", "table_name"], isWithoutRowid: true,
    meaning: "The tables of these runs: a row for each run and table.")

  private static let runColumns = TableDescription(
    "ingest_history_columns",
    columns: [
      .own("table_name", .text, "The name of the table."),
      .own("column_name", .text, "The name of the column."),
      .own("rows", .integer, "The number of rows of the table."),
      .own("nulls", .integer, "The number of NULLs in the column."),
    ],
    primaryKey: ["table_name", "column_name"], isWithoutRowid: true,
    meaning: """
      The NULLs in the last run without a warning about them: a row for each column that can be NULL.
      """)

  private static let causes = TableDescription(
    "ingest_history_causes",
    columns: [
      .own("position", .integer, domain: .atLeast(1), "The position of the warning, from 1."),
      .own("code", .text, "The code of the warning."),
      .own("table_name", .text, "The table concerned."),
      .optional("column_name", .text, "The column concerned; NULL if there is none."),
      .own("message", .text, "The text of the warning."),
      .own("facts", .text, "The facts for its suppression."),
      .own("share", .integer, "The share of the keys concerned, in hundredths of a percent."),
      .own("is_suppressed", .boolean, "1 if --suppress suppresses it."),
      .own(
        "samples", .text,
        """
        Some of these keys, to determine whether the cause is gone: for each a line with a checksum of its \
        values, and the key as an array in JSON.
        """),
    ],
    primaryKey: ["position"],
    meaning: "The warnings that last until their cause is gone: a row for each warning.")

  /// The rows of these tables, in the order of their keys.
  package static func rows(
    of history: History
  ) -> [(table: TableDescription, rows: [[SQLiteValue]])] {
    let ofTables = history.runs.flatMap { run in
      run.tables.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }.map { table in
        [
          integer(run.number), .text(table.name), integer(table.rows), integer(table.rejected),
          optional(table.keys?.added), optional(table.keys?.removed),
          optional(table.keys?.changed), integer(table.isUnusual ? 1 : 0),
        ]
      }
    }
    let ofColumns = history.columns.sorted { first, second in
      [first.table, first.name].lexicographicallyPrecedes([second.table, second.name]) {
        $0.utf8.lexicographicallyPrecedes($1.utf8)
      }
    }.map { [SQLiteValue.text($0.table), .text($0.name), integer($0.rows), integer($0.nulls)] }
    let ofCauses = history.causes.enumerated().map { place, cause in
      [
        integer(place + 1), .text(cause.code.rawValue), .text(cause.table), optional(cause.column),
        .text(cause.message), .text(cause.facts), integer(cause.share),
        integer(cause.isSuppressed ? 1 : 0),
        .text(cause.samples.map { "\($0.sum) \($0.key)" }.joined(separator: "\n")),
      ]
    }
    return [
      (
        runs,
        history.runs.map {
          [integer($0.number), optional($0.dataTime), integer(Int($0.sources)), .text($0.state)]
        }
      ), (runTables, ofTables), (runColumns, ofColumns), (causes, ofCauses),
    ]
  }

  /// The history in a database; empty if it has none.
  package static func history(in connection: Connection) throws(SQLiteError) -> History {
    try history { table, columns throws(SQLiteError) in
      guard try has(table, in: connection) else { return [] }
      return try texts(
        SQL(generated: "SELECT \(columns) FROM main.\(table.name) ORDER BY \(columns)"),
        in: connection)
    }
  }

  /// The history in a database, whose contents are not trusted; empty if it has none.
  ///
  /// `query` returns the values of these columns in all rows, in the order of the first columns, as text.
  package static func history<Failure>(
    from query: (_ table: TableDescription, _ columns: String) throws(Failure) -> [[String?]]
  ) throws(Failure) -> History {
    func number(_ text: String?) -> Int {
      text.flatMap { Int($0) }.flatMap { (0...1 << 48).contains($0) ? $0 : nil } ?? 0
    }
    func truth(_ text: String?) -> Bool { ["1", "t"].contains(text) }
    // The first columns are the primary key.
    func rows(_ table: TableDescription) throws(Failure) -> [[String?]] {
      // By bytes: texts can be equal although their bytes differ.
      var keys: Set<[[UInt8]?]> = []
      return try query(table, table.columns.map(\.name).joined(separator: ", ")).filter {
        keys.insert($0.prefix(table.primaryKey.count).map { $0.map { Array($0.utf8) } }).inserted
      }
    }
    var history = History()
    let tables = Dictionary(grouping: try rows(runTables)) { $0[0] }
    for row in try rows(runs) {
      let run = number(row[0])
      guard history.runs.isEmpty || run > history.runs[history.runs.count - 1].number else {
        continue
      }
      history.runs.append(
        History.Run(
          number: run, dataTime: row[1], sources: UInt32(clamping: number(row[2])),
          state: row[3].flatMap { verdicts.contains($0) ? $0 : nil } ?? "unknown",
          tables: (tables[row[0]] ?? []).map { table in
            let keys = table[4].map { added in
              DatabaseChanges.Keys(
                added: number(added), removed: number(table[5]), changed: number(table[6]))
            }
            return History.Table(
              name: table[1] ?? "", rows: number(table[2]), rejected: number(table[3]), keys: keys,
              isUnusual: truth(table[7]))
          }))
    }
    history.columns = try rows(runColumns).map {
      History.Column(
        table: $0[0] ?? "", name: $0[1] ?? "", rows: number($0[2]), nulls: number($0[3]))
    }
    history.causes = try rows(causes).compactMap { row in
      guard let code = row[1].flatMap({ WarningCode(rawValue: $0) }) else { return nil }
      let lines = (row[8] ?? "").split(separator: "\n").prefix(History.Cause.mostSamples)
      return History.Cause(
        code: code, table: row[2] ?? "", column: row[3], message: row[4] ?? "",
        facts: row[5] ?? "", share: number(row[6]),
        samples: lines.compactMap { line in
          let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
          guard parts.count == 2, isKey(parts[1]) else { return nil }
          return History.Sample(key: parts[1], sum: parts[0])
        }, isSuppressed: truth(row[7]))
    }
    return history
  }

  /// Whether a text is an array of simple values in JSON, without U+0000, which PostgreSQL cannot read.
  private static func isKey(_ text: String) -> Bool {
    var reader = JSONReader(Array(text.utf8), mostValues: 100)
    guard let values = try? reader.read().list else { return false }
    return values.allSatisfy {
      $0.list == nil && $0.members == nil && $0.text?.contains("\0") != true
    }
  }
}
