package import Vocabulary
import Text
package import SQLiteSwiftly

extension Provenance {
  /// The tables that carry the history from database to database.
  package static let historyTables = [runs, runTables, baselines, lasting]

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
        1 if its source file was missing, or if it has a change that was not accepted: later runs are not \
        compared with it.
        """),
      .optional(
        "shares", .text,
        """
        The usual changes since the last accepted run in JSON: changed, removed or added, the column, and the \
        share of the keys in millionths for each day of the data's time; NULL if unknown.
        """),
    ],
    primaryKey: ["run", "table_name"], isWithoutRowid: true,
    meaning: "The tables of these runs: a row for each run and table.")

  private static let baselines = TableDescription(
    "ingest_baseline",
    columns: [
      .own("table_name", .text, "The name of the table."),
      .own(
        "role", .text, domain: .oneOf(Baseline.Role.allCases.map(\.rawValue)),
        """
        accepted for the last accepted run; changed for the run that first showed a change which is not \
        accepted; former for one that showed a change before that; earlier for an accepted run up to \(UsualChanges.nights) runs before.
        """),
      .own("version", .integer, "The version of the sample's hashes."),
      .own("run", .integer, domain: .atLeast(0), "The number of the run."),
      .optional(
        "data_time", .integer,
        "When its newest source file was written, in seconds since 1970; NULL if no file states it."
      ),
      .own("rows", .integer, "The number of rows of the table."),
      .own(
        "columns", .text,
        """
        The columns of the sample in JSON: name, type, key if it is in the key, and in all rows the numbers \
        of NULLs and of texts encoded twice.
        """
      ),
      .own("is_complete", .boolean, "1 if the sample has all rows."),
      .own(
        "sample", .text,
        """
        The rows whose keys have the smallest hashes, a line for each: the distance from the hash before, and \
        the values, with U+0001 for NULL, and U+0002 before the checksum of a value that is cut.
        """),
    ],
    primaryKey: ["table_name", "role"],
    meaning: "The tables as they were in earlier runs, with which the next run is compared.")

  private static let lasting = TableDescription(
    "ingest_history_warnings",
    columns: [
      .own("position", .integer, domain: .atLeast(1), "The position of the warning, from 1."),
      .own("code", .text, "The code of the warning."),
      .own("table_name", .text, "The table concerned."),
      .optional("column_name", .text, "The column concerned; NULL if there is none."),
      .own("run", .integer, "The run that first showed the change."),
      .own("message", .text, "The text of the warning."),
      .own("difference", .text, "Its facts in JSON, as in the report."),
      .own(
        "is_suppressed", .boolean, "1 if --suppress suppresses it, so that the change is accepted."),
    ],
    primaryKey: ["position"],
    meaning: """
      The warnings about changes since the last accepted run, and those about changes that a line for \
      --suppress has accepted: a row for each.
      """)

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
          optional(table.shares.map(text)),
        ]
      }
    }
    let ofBaselines = Baseline.Role.allCases.flatMap { role in
      (history.baselines[role] ?? []).map { row(of: $0, role) }
    }.sorted { first, second in
      zip(first, second).prefix(2).lazy.map { ($0.textValue ?? "", $1.textValue ?? "") }
        .first { !haveSameBytes($0, $1) }.map { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        ?? false
    }
    let count = history.lasting.count
    let ofWarnings = (history.lasting + history.accepted).enumerated().map { place, warning in
      [
        integer(place + 1), .text(warning.code.rawValue), .text(warning.table ?? ""),
        optional(warning.column), integer(warning.difference?.firstRun ?? 0),
        .text(warning.message), .text(warning.difference?.json.written(as: .record) ?? ""),
        integer(place < count ? 0 : 1),
      ]
    }
    return [
      (
        runs,
        history.runs.map {
          [integer($0.number), optional($0.dataTime), integer(Int($0.sources)), .text($0.state)]
        }
      ), (runTables, ofTables), (baselines, ofBaselines), (lasting, ofWarnings),
    ]
  }

  private static func row(of baseline: Baseline, _ role: Baseline.Role) -> [SQLiteValue] {
    let sample = baseline.sample
    let columns = sample.columns.enumerated().map { index, column in
      [
        column.name, column.type, column.isKey ? "key" : "", "\(baseline.nulls[index])",
        "\(sample.encodedTwice[index].keys)",
      ]
    }
    return [
      .text(baseline.table), .text(role.rawValue), integer(Baseline.version),
      integer(baseline.run), optional(baseline.dataTime), integer(baseline.rows),
      .text(JSON(columns).written(as: .record)), integer(sample.isComplete ? 1 : 0),
      .text(sample.text),
    ]
  }

  /// The baseline of a stored row; nil if no run has stored it.
  private static func baseline(of row: [String?]) -> (Baseline.Role, Baseline)? {
    let (rows, columns) = (number(row[5]), lists(in: row[6], of: 5))
    guard let role = row[1].flatMap(Baseline.Role.init), number(row[2]) == Baseline.version,
      !columns.isEmpty,
      let sample = RowSample(
        row[8] ?? "",
        columns: columns.map { .init(name: $0[0], type: $0[1], isKey: $0[2] == "key") },
        isComplete: truth(row[7]), encodedTwice: columns.map { number($0[4]) }),
      sample.rows.count <= rows
    else { return nil }
    let baseline = Baseline(
      table: row[0] ?? "", run: number(row[3]), dataTime: row[4].flatMap { Int($0) }, rows: rows,
      nulls: columns.map { min(number($0[3]), rows) }, sample: sample)
    return (role, baseline)
  }

  private static func text(of shares: [ChangeShare]) -> String {
    JSON(
      shares.map {
        [$0.kind.rawValue, $0.column, "\(Int(($0.percent * 10_000).rounded(.up)))"]
      }
    ).written(as: .record)
  }

  private static func shares(in text: String) -> [ChangeShare] {
    lists(in: text, of: 3).compactMap { share in
      ChangeShare.Kind(rawValue: share[0]).map {
        ChangeShare($0, share[1], percent: Double(number(share[2])) / 10_000)
      }
    }
  }

  /// The lists of `count` texts in a list in JSON; empty for any other text.
  private static func lists(in text: String?, of count: Int) -> [[String]] {
    let lists = json(in: text).list?.map { $0.list?.compactMap(\.text) ?? [] } ?? []
    return lists.allSatisfy { $0.count == count } ? lists : []
  }

  private static func json(in text: String?) -> JSON {
    var reader = JSONReader(Array((text ?? "").utf8), mostValues: 100_000)
    return (try? reader.read()) ?? .null
  }

  private static func number(_ text: String?) -> Int {
    text.flatMap { Int($0) }.flatMap { (0...1 << 48).contains($0) ? $0 : nil } ?? 0
  }

  private static func truth(_ text: String?) -> Bool { ["1", "t"].contains(text) }

  /// The history in a database, or only its warnings; empty if it has none.
  package static func history(
    in connection: Connection, onlyWarnings: Bool = false
  ) throws(SQLiteError) -> History {
    try history { table, columns throws(SQLiteError) in
      guard !onlyWarnings || table.name == lasting.name, try has(table, in: connection) else {
        return []
      }
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
              isUnusual: truth(table[7]), shares: table[8].map(shares))
          }))
    }
    for row in try rows(baselines) {
      guard let (role, baseline) = baseline(of: row) else { continue }
      history.baselines[role, default: []].append(baseline)
    }
    for row in try rows(lasting) {
      guard let code = row[1].flatMap({ WarningCode(rawValue: $0) }) else { continue }
      let warning = Warning(
        file: "", code: code, table: row[2] ?? "", column: row[3], row[5] ?? "",
        NightDifference(json(in: row[6]), firstRun: number(row[4])))
      if truth(row[7]) { history.accepted.append(warning) } else { history.lasting.append(warning) }
    }
    return history
  }
}
