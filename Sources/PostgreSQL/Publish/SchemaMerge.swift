#if PostgreSQL
  import SQLiteSwiftly

  /// Changes the tables of a published schema so that they have the rows of a new one, in the current transaction.
  ///
  /// Only rows that differ are written. So everything that depends on the tables lives on, and the write-ahead log has
  /// no more than the differences. Readers do not wait, and see the old rows until the transaction ends.
  struct SchemaMerge {
    private let connection: PostgreSQLConnection
    private let tables: [MergedTable]

    /// Both schemas must have the same tables, apart from those that others have added to the published one.
    init(
      from new: String, into target: String, on connection: PostgreSQLConnection
    ) throws(PostgreSQLError) {
      self.connection = connection
      tables = try MergedTable.all(of: new, into: target, on: connection)
    }

    /// - Throws: `PostgreSQLError`, with `misuse` if rows differ afterwards, for example because a trigger has changed
    ///   them.
    func run() throws(PostgreSQLError) {
      guard !tables.isEmpty else { return }
      // Others can read, but not write, until the rows are compared. Foreign keys are checked at the end, since tables may
      // refer to each other.
      let names = tables.map(\.published).joined(separator: ", ")
      try connection.execute(
        "LOCK TABLE \(names) IN SHARE ROW EXCLUSIVE MODE; SET CONSTRAINTS ALL DEFERRED")
      for table in tables {
        try connection.execute([
          "CREATE UNLOGGED TABLE \(table.changes) AS \(table.differences)",
          "ANALYZE \(table.changes)",
        ])
      }
      // Deletions come first, so that rows which exchange the values of a unique key do not collide.
      try connection.execute(tables.reversed().map(\.deletion))
      try connection.execute(tables.flatMap { [$0.update, $0.insertion].compactMap(\.self) })
      for table in tables { try check(table) }
    }

    private func check(_ table: MergedTable) throws(PostgreSQLError) {
      let count = try connection.numbers("SELECT count(*) FROM (\(table.differences)) AS d")[0]
      guard count > 0 else { return }
      throw PostgreSQLError(
        .misuse,
        "\(counted(count, "row")) of \(table.published) differ from the loaded rows after the changes",
        hint: "Check whether a trigger or a rule of the table changes rows, or use --publish swap.")
    }
  }

  /// A table whose rows are changed, with the statements that change them.
  private struct MergedTable {
    /// The published table, the new one, and the one for the differences, with their schemas.
    let published: String
    let new: String
    let changes: String
    private var columns: [Column] = []
    /// Whether changed rows are deleted and inserted, so that a second unique key is free meanwhile; not if a foreign key of
    /// others refers to them, which would refuse that or delete its own rows.
    private let replacesRows: Bool

    private struct Column {
      let name: String
      /// Its name in the table of differences.
      let place: String
      let isKey: Bool
      /// Compares the values of `json`, which has no equality, as text.
      let cast: String
    }

    static func all(
      of new: String, into target: String, on connection: PostgreSQLConnection
    ) throws(PostgreSQLError) -> [MergedTable] {
      let rows = try connection.query(
        """
        SELECT o.relname, attname, attnum = ANY (coalesce(p.indkey::int2[], '{}')), atttypid = 'json'::regtype,
          EXISTS (SELECT FROM pg_index WHERE indrelid = o.oid AND indisunique AND NOT indisprimary)
          AND NOT EXISTS (SELECT FROM pg_constraint AS k JOIN pg_class AS c ON c.oid = k.conrelid
            WHERE k.confrelid = o.oid AND k.contype = 'f'
            AND (c.relnamespace <> o.relnamespace OR NOT k.condeferrable OR k.confdeltype <> 'a'))
        FROM pg_class AS o JOIN pg_class AS n USING (relname)
        JOIN pg_attribute AS a ON attrelid = n.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
        LEFT JOIN pg_index AS p ON p.indrelid = n.oid AND p.indisprimary
        WHERE o.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $2) AND o.relkind = 'r'
        AND n.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1) AND n.relkind = 'r'
        AND relname <> $3
        ORDER BY relname, attnum
        """, [new, target, CandidateSchema.marker])
      var tables: [MergedTable] = []
      var last: String?
      for row in rows {
        guard let name = row[0], let column = row[1] else { continue }
        if name != last {
          tables.append(
            MergedTable(
              published: qualified(name, in: target), new: qualified(name, in: new),
              changes: qualified("ingest changes \(tables.count + 1)", in: new),
              replacesRows: row[4] == "t"))
          last = name
        }
        tables[tables.count - 1].add(column, isKey: row[2] == "t", isJSON: row[3] == "t")
      }
      return tables
    }

    private init(published: String, new: String, changes: String, replacesRows: Bool) {
      self.published = published
      self.new = new
      self.changes = changes
      self.replacesRows = replacesRows
    }

    private mutating func add(_ name: String, isKey: Bool, isJSON: Bool) {
      columns.append(
        Column(
          name: quoted(identifier: name), place: "c\(columns.count + 1)", isKey: isKey,
          cast: isJSON ? "::text" : ""))
    }

    private var keys: [Column] { columns.filter(\.isKey) }
    private var others: [Column] { columns.filter { !$0.isKey } }

    private func list(_ columns: [Column], _ text: (Column) -> String) -> String {
      columns.map(text).joined(separator: ", ")
    }

    private func all(_ columns: [Column], _ text: (Column) -> String) -> String {
      columns.map(text).joined(separator: " AND ")
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
        "n.\($0.name)\($0.cast) IS DISTINCT FROM o.\($0.name)\($0.cast)"
      }
      let conditions = ["n.\(first) IS NULL", "o.\(first) IS NULL"] + changed
      return """
        SELECT CASE WHEN n.\(first) IS NULL THEN '-' WHEN o.\(first) IS NULL THEN '+' ELSE '~' END AS kind, \(values)
        FROM \(new) AS n FULL JOIN \(published) AS o ON \(all(keys) { "n.\($0.name) = o.\($0.name)" })
        WHERE \(conditions.joined(separator: " OR "))
        """
    }

    /// Rows are compared as a whole and numbered among equal ones, so that as many of each remain as are new.
    private var keylessDifferences: String {
      let record = "ROW(\(list(columns) { $0.name + $0.cast }))"
      let copy = "row_number() OVER (PARTITION BY \(record)) AS copy"
      return """
        SELECT CASE WHEN n.copy IS NULL THEN '-' ELSE '+' END AS kind, o.place, \(list(columns) { "n." + $0.place })
        FROM (SELECT \(list(columns) { "\($0.name) AS \($0.place)" }), \(record) AS record, \(copy) FROM \(new)) AS n
        FULL JOIN (SELECT ctid AS place, \(record) AS record, \(copy) FROM \(published)) AS o
        ON o.record = n.record AND o.copy = n.copy
        WHERE n.copy IS NULL OR o.copy IS NULL
        """
    }

    private var isSame: String { all(keys) { "t.\($0.name) = d.\($0.place)" } }

    var deletion: String {
      let kinds = replacesRows ? "('-', '~')" : "('-')"
      return """
        DELETE FROM \(published) AS t USING \(changes) AS d
        WHERE d.kind IN \(kinds) AND \(keys.isEmpty ? "t.ctid = d.place" : isSame)
        """
    }

    var update: String? {
      guard !replacesRows, !keys.isEmpty, !others.isEmpty else { return nil }
      return """
        UPDATE \(published) AS t SET \(list(others) { "\($0.name) = d.\($0.place)" }) FROM \(changes) AS d
        WHERE d.kind = '~' AND \(isSame)
        """
    }

    var insertion: String {
      """
      INSERT INTO \(published) (\(list(columns, \.name))) SELECT \(list(columns, \.place)) FROM \(changes)
      WHERE kind IN \(replacesRows ? "('+', '~')" : "('+')")
      """
    }
  }
#endif
