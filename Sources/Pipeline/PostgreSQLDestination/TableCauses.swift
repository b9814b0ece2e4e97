#if PostgreSQL
  import Vocabulary
  import PostgreSQL
  import SQLiteSwiftly
  import Text

  /// Whether a text is that of the published schema, encoded twice as UTF-8.
  ///
  /// Only UTF-8 is certain to have all the characters.
  func isEncodedTwice(_ column: String) -> String {
    let (new, old) = ("n.\(quoted(identifier: column))", "o.\(quoted(identifier: column))")
    return """
      CASE WHEN \(new) <> \(old) AND current_setting('server_encoding') = 'UTF8'
      THEN \(new) = convert_from(convert_to(\(old), 'UTF8'), 'LATIN1') END
      """
  }

  struct TableCauses {
    let keys: [String]
    /// The other columns that both tables have.
    let columns: [String]
    /// The columns with changed values, those with the most first, and the condition that a value is changed.
    let changed: [(name: String, values: Int, condition: String, isText: Bool)]
    /// The columns with texts that are encoded twice, and the number of these.
    let encodedTwice: [(name: String, values: Int)]
    /// The rows that differ, as the end of a query in which `n` is the new table and `o` the published one.
    let differences: String
    let (new, old): (String, String)

    func add(
      to change: inout DatabaseChanges.Table, after history: History,
      on connection: PostgreSQLConnection
    ) throws(PostgreSQLError) {
      let candidates: [(code: WarningCode, column: String)] =
        columns.map { (.columnConstant, $0) } + encodedTwice.map { (.textEncodedTwice, $0.name) }
      try change.addCauses(after: history, among: columns, candidates) {
        columns, samples throws(PostgreSQLError) in
        try sums(of: columns, in: new, samples, on: connection)
      } find: { change, code, column throws(PostgreSQLError) in
        switch code {
        case .columnConstant: try constant(column, change, after: history, on: connection)
        case .textEncodedTwice: try encodedTwice(column, change, after: history, on: connection)
        default:
          .unusualChanges(
            change, since: history, in: changed.map { ($0.name, $0.values) },
            example: try example(on: connection),
            try samples(of: columns, "o", where: "o.\(key) IS NOT NULL", on: connection))
        }
      }
    }

    /// A changed value of the column with the most.
    private func example(on connection: PostgreSQLConnection) throws(PostgreSQLError) -> String? {
      guard let (name, _, condition, isText) = changed.first else { return nil }
      let column = quoted(identifier: name)
      let rows = try connection.query(
        "SELECT n.\(column)::text, o.\(column)::text \(differences) AND \(condition) "
          + "ORDER BY \(keys.map { "n.\(quoted(identifier: $0))" }.joined(separator: ", ")) LIMIT 1"
      )
      return rows.first?.map { value in
        value.map { isText ? $0.quotedForMessage : String($0.prefix(100)) } ?? "NULL"
      }.joined(separator: " for ")
    }

    private func encodedTwice(
      _ column: String, _ change: DatabaseChanges.Table, after history: History,
      on connection: PostgreSQLConnection
    ) throws(PostgreSQLError) -> History.Cause {
      let condition = isEncodedTwice(column)
      let example = try connection.query(
        "SELECT n.\(quoted(identifier: column)), o.\(quoted(identifier: column)) \(differences) "
          + "AND \(condition) LIMIT 1")
      let texts = example.first?.map { ($0 ?? "").quotedForMessage } ?? []
      return .encodedTwice(
        column, of: change.name, values: encodedTwice.first { $0.name == column }?.values ?? 0,
        example: texts.joined(separator: " for "), since: history,
        try samples(of: [column], "n", where: condition, on: connection))
    }

    private var key: String { quoted(identifier: keys[0]) }

    /// The cause if nearly all values of a column have become one.
    private func constant(
      _ column: String, _ change: DatabaseChanges.Table, after history: History,
      on connection: PostgreSQLConnection
    ) throws(PostgreSQLError) -> History.Cause? {
      let name = quoted(identifier: column)
      let found = try connection.query(
        """
        SELECT \(name)::text, count(*) FROM \(new) WHERE \(name) IS NOT NULL
        GROUP BY 1 ORDER BY 2 DESC LIMIT 1
        """)
      guard let value = found.first?[0], let rows = found.first?[1].flatMap({ Int($0) }),
        History.Cause.isConstant(rows, of: change)
      else { return nil }
      let before = try connection.query(
        "SELECT count(*) FROM \(old) WHERE \(name)::text = $1", [value])
      let count = before[0][0].flatMap { Int($0) } ?? 0
      guard History.Cause.wasVaried(count, of: change) else { return nil }
      return .constant(
        column, of: change, value: value.quotedForMessage, rows: rows, before: count,
        since: history,
        try samples(
          of: [column], "n", where: "n.\(name) IS NOT NULL AND o.\(key) IS NOT NULL",
          on: connection))
    }

    /// Samples of the rows that differ, with the values in one of the two tables.
    private func samples(
      of columns: [String], _ side: String, where condition: String,
      on connection: PostgreSQLConnection
    ) throws(PostgreSQLError) -> [History.Sample] {
      let names = keys.map { "\(side).\(quoted(identifier: $0))" }
      let texts = names.map { "\($0)::text" }.joined(separator: ", ")
      let rows = try connection.query(
        """
        SELECT jsonb_build_array(\(texts))::text, \(values(columns, of: side)) \(differences)
        AND \(condition) ORDER BY \(names.joined(separator: ", ")) LIMIT \(History.Cause.mostSamples)
        """)
      return rows.map { History.Sample(key: $0[0] ?? "", sum: History.sum(of: $0[1] ?? "")) }
    }

    /// The checksums of values in the rows of a table with the keys of samples; nil for a missing key.
    private func sums(
      of columns: [String], in table: String, _ samples: [History.Sample],
      on connection: PostgreSQLConnection
    ) throws(PostgreSQLError) -> [String?] {
      let isSame = keys.enumerated().map { place, key in
        "s.\(quoted(identifier: key))::text = sample.value->>\(place)"
      }.joined(separator: " AND ")
      let rows = try connection.query(
        """
        SELECT CASE WHEN s.\(key) IS NOT NULL THEN \(values(columns, of: "s")) END
        FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS sample(value, place)
        LEFT JOIN \(table) AS s ON \(isSame) ORDER BY sample.place
        """, ["[\(samples.map(\.key).joined(separator: ","))]"])
      return rows.map { $0[0].map(History.sum) }
    }

    private func values(_ columns: [String], of side: String) -> String {
      "json_build_array(\(columns.map { "\(side).\(quoted(identifier: $0))" }.joined(separator: ", ")))::text"
    }
  }
#endif
