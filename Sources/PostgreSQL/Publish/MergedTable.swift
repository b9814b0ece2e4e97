#if PostgreSQL
  import SQLiteSwiftly

  /// A table whose rows are changed, with the statements that change them.
  struct MergedTable {
    let name: String
    // The published table, the new one, and the one for the differences, with their schemas. `ONLY` excludes the tables of
    // others that inherit from the published one.
    let published: String
    let new: String
    let changes: String
    /// Nil if only the coordinator has the published table.
    let placement: Placement?
    private var columns: [Column] = []
    /// Whether changed rows are deleted and inserted, so that a second unique key is free meanwhile, or since custom SQL has
    /// made a foreign key that cannot be deferred, or an identity that cannot be updated; not if that would
    /// change rows that refer to them, or values in columns that others have added.
    private let replacesRows: Bool
    /// Whether the rows that differ are stored.
    private(set) var isCompared = false
    private(set) var written = TableActivity.Rows()

    private struct Column {
      let name: String
      /// Its name in the table of differences.
      let place: String
      let isKey: Bool
      let type: String
      /// Whether the published table still lacks it.
      var isMissing: Bool

      /// The column of the table of differences.
      var stored: Column {
        Column(name: place, place: place, isKey: isKey, type: type, isMissing: false)
      }

      func published(in table: String = "") -> String {
        isMissing ? "NULL" : compared(in: table)
      }

      /// The value as it is compared: types such as `json` have no equality, and zero is equal to negative zero.
      func compared(in table: String = "") -> String {
        switch type {
        case "float8": "float8send(\(table)\(name))"
        case "int2", "int4", "int8", "bool", "bytea", "date", "time", "timestamp", "timestamptz",
          "text":
          table + name
        default: "\(table)\(name)::text"
        }
      }
    }

    /// A table that was dropped during the run is included, so that the merge fails.
    static func all(
      of new: String, into target: String, on connection: PostgreSQLConnection
    ) throws(PostgreSQLError) -> [MergedTable] {
      let placements = try connection.usesCitus ? connection.placements(in: target) : []
      let rows = try connection.query(
        """
        SELECT n.relname, attname, attnum = ANY (coalesce(p.indkey::int2[], '{}')), typname,
          (EXISTS (SELECT FROM pg_index WHERE indrelid = o.oid AND indisunique AND NOT indisprimary)
            OR EXISTS (SELECT FROM pg_constraint WHERE conrelid = o.oid AND contype = 'f' AND NOT condeferrable)
            OR EXISTS (SELECT FROM pg_attribute WHERE attrelid = o.oid AND attidentity = 'a'))
          AND NOT EXISTS (SELECT FROM pg_constraint WHERE confrelid = o.oid AND contype = 'f'
            AND NOT (condeferrable AND confdeltype = 'a'))
          AND NOT EXISTS (SELECT FROM pg_attribute AS e WHERE e.attrelid = o.oid AND e.attnum > 0
            AND NOT e.attisdropped AND e.attgenerated = '' AND NOT EXISTS (
              SELECT FROM pg_attribute AS m WHERE m.attrelid = n.oid AND m.attname = e.attname)),
          NOT EXISTS (SELECT FROM pg_attribute AS e WHERE e.attrelid = o.oid AND e.attname = a.attname)
        FROM pg_class AS n LEFT JOIN pg_class AS o ON o.relname = n.relname AND o.relkind = 'r'
          AND o.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $2)
        JOIN pg_attribute AS a ON attrelid = n.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
        JOIN pg_type AS y ON y.oid = atttypid
        LEFT JOIN pg_index AS p ON p.indrelid = n.oid AND p.indisprimary
        WHERE n.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1) AND n.relkind = 'r'
        AND n.relname <> $3
        -- A table is created after those that it refers to.
        ORDER BY n.oid, attnum
        """, [new, target, CandidateSchema.marker])
      var tables: [MergedTable] = []
      var last: String?
      for row in rows {
        guard let name = row[0], let column = row[1] else { continue }
        if name != last {
          tables.append(
            MergedTable(
              name: name, published: qualified(name, in: target), new: qualified(name, in: new),
              changes: qualified("ingest changes \(tables.count + 1)", in: new),
              placement: placements.first { haveSameBytes($0.table, name) }?.placement,
              replacesRows: row[4] == "t"))
          last = name
        }
        let place = "c\(tables[tables.count - 1].columns.count + 1)"
        tables[tables.count - 1].columns.append(
          Column(
            name: quoted(identifier: column), place: place, isKey: row[2] == "t",
            type: row[3] ?? "",
            isMissing: row[5] == "t"))
      }
      return tables
    }

    private var keys: [Column] { columns.filter(\.isKey) }
    private var others: [Column] { columns.filter { !$0.isKey } }

    private func list(_ columns: [Column], _ text: (Column) -> String) -> String {
      columns.map(text).joined(separator: ", ")
    }

    private func all(_ columns: [Column], _ text: (Column) -> String) -> String {
      columns.map(text).joined(separator: " AND ")
    }

    /// The column by whose values Citus distributes the rows.
    private var distributor: Column? {
      guard case .by(let name) = placement else { return nil }
      return columns.first { $0.name == quoted(identifier: name) }
    }

    /// The query for the rows that differ: what is to be done (`+`, `-` or `~`), the place of the published row, and the
    /// new values; for a row to be deleted, only its key.
    var differences: String { keys.isEmpty ? keylessDifferences : keyedDifferences }

    private var keyedDifferences: String {
      let first = keys[0].name
      let values = list(columns) { column in
        let new = "n.\(column.name)"
        return (column.isKey ? "coalesce(\(new), o.\(column.name))" : new) + " AS \(column.place)"
      }
      let changed = others.map {
        "\($0.compared(in: "n.")) IS DISTINCT FROM \($0.published(in: "o."))"
      }
      let conditions = ["n.\(first) IS NULL", "o.\(first) IS NULL"] + changed
      return """
        SELECT CASE WHEN n.\(first) IS NULL THEN '-' WHEN o.\(first) IS NULL THEN '+' ELSE '~' END AS kind, \(values)
        FROM \(new) AS n FULL JOIN ONLY \(published) AS o ON \(all(keys) { "n.\($0.name) = o.\($0.name)" })
        WHERE \(conditions.joined(separator: " OR "))
        """
    }

    /// Rows are compared as a whole and numbered among equal ones, so that as many of each remain as are new.
    ///
    /// Equal rows have equal texts, which are sorted faster by their bytes. On the nodes of Citus, a row has no place that
    /// would identify it, so if there are fewer or more equal ones, all of them are deleted, and those that are new are
    /// inserted.
    private var keylessDifferences: String {
      let node = distributor.map { [$0] } ?? []
      func rows(_ value: (Column) -> String) -> String {
        let record = "ROW(\(list(columns, value)))::text COLLATE \"C\""
        let group = "OVER (PARTITION BY \((node.map(\.name) + [record]).joined(separator: ", ")))"
        return "\(record) AS record, row_number() \(group) AS copy, count(*) \(group) AS copies"
      }
      let joined = ["record", "copy"] + (placement == nil ? [] : ["copies"]) + node.map(\.place)
      let values = list(columns) { "\($0.name) AS \($0.place)" }
      let (place, found) =
        placement == nil
        ? ("ctid AS place", "o.place, \(list(columns) { "n.\($0.place)" })")
        : (
          values,
          list(columns) {
            "CASE WHEN n.copy IS NULL THEN o.\($0.place) ELSE n.\($0.place) END AS \($0.place)"
          }
        )
      return """
        SELECT CASE WHEN n.copy IS NULL THEN '-' ELSE '+' END AS kind, \(found)
        FROM (SELECT \(values), \(rows { $0.compared() }) FROM \(new)) AS n
        FULL JOIN (SELECT \(place), \(rows { $0.published() }) FROM ONLY \(published)) AS o
        ON \(joined.map { "o.\($0) = n.\($0)" }.joined(separator: " AND "))
        WHERE n.copy IS NULL OR o.copy IS NULL
        """
    }

    /// Whether a published row `t` is that of a stored difference `d`.
    private var isPublished: String {
      guard keys.isEmpty else { return isSame(in: "t") }
      guard placement != nil else { return "t.ctid = d.place" }
      let isOnNode = distributor.map { ["t.\($0.name) = d.\($0.place)"] } ?? []
      // Without equality, the planner would compare each row with all others.
      let texts = columns.filter { $0.type == "text" }
        .map { "coalesce(t.\($0.name), '') = coalesce(d.\($0.place), '')" }
      let same = columns.map {
        "\($0.compared(in: "t.")) IS NOT DISTINCT FROM \($0.stored.compared(in: "d."))"
      }
      return (isOnNode + texts + same).joined(separator: " AND ")
    }

    /// Nil without a key, or if the differences are not stored.
    var source: String? {
      guard isCompared, !keys.isEmpty else { return nil }
      return """
        FROM \(changes) AS d LEFT JOIN \(new) AS n ON \(isSame(in: "n"))
        LEFT JOIN ONLY \(published) AS o ON \(isSame(in: "o"))
        """
    }

    private func isSame(in table: String) -> String {
      all(keys) { "\(table).\($0.name) = d.\($0.place)" }
    }

    mutating func findDifferences(on connection: PostgreSQLConnection) throws(PostgreSQLError) {
      try connection.execute([
        "CREATE UNLOGGED TABLE \(changes) AS \(differences)",
        placement.map { place in
          let place = distributor.map { .by($0.place) } ?? place
          return place.statement(for: changes, like: published)
        } ?? "ANALYZE \(changes)",
      ])
      isCompared = true
    }

    /// The published table has got the columns that it lacked.
    mutating func hasAllColumns() {
      for index in columns.indices { columns[index].isMissing = false }
    }

    mutating func delete(on connection: PostgreSQLConnection) throws(PostgreSQLError) {
      let kinds = replacesRows ? "('-', '~')" : "('-')"
      written.deleted = try connection.result(
        of: """
          DELETE FROM ONLY \(published) AS t USING \(changes) AS d
          WHERE d.kind IN \(kinds) AND \(isPublished)
          """
      ).changedRows
    }

    mutating func write(on connection: PostgreSQLConnection) throws(PostgreSQLError) {
      if !replacesRows, !keys.isEmpty, !others.isEmpty {
        written.updated = try connection.result(
          of: """
            UPDATE ONLY \(published) AS t SET \(list(others) { "\($0.name) = d.\($0.place)" }) FROM \(changes) AS d
            WHERE d.kind = '~' AND \(isSame(in: "t"))
            """
        ).changedRows
      }
      written.inserted = try connection.result(
        of: """
          INSERT INTO \(published) (\(list(columns, \.name))) OVERRIDING SYSTEM VALUE
          SELECT \(list(columns, \.place)) FROM \(changes)
          WHERE kind IN \(replacesRows ? "('+', '~')" : "('+')")
          """
      ).changedRows
    }
  }
#endif
