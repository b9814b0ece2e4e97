#if PostgreSQL
  import SQLiteSwiftly

  /// Changes the tables of a published schema so that they have the rows of a new one, in the current transaction.
  ///
  /// Only rows that differ are written. So everything that depends on the tables lives on, and the write-ahead log has
  /// no more than the differences. Readers do not wait, and see the old rows until the transaction ends.
  struct SchemaMerge {
    private let connection: PostgreSQLConnection
    private let target: String
    private let new: String
    private var tables: [MergedTable]
    /// Custom SQL may have made materialized views.
    private let refreshes: [String]
    /// The longest time to try to lock tables.
    private let seconds: Double

    /// Locks the published tables, within `seconds`: others can read, but not write, until the transaction ends.
    ///
    /// Both schemas must have the same tables, apart from those that others have added to the published one.
    init(
      from new: String, into target: String, on connection: PostgreSQLConnection, seconds: Double
    ) throws(PostgreSQLError) {
      (self.connection, self.target, self.new, self.seconds) = (connection, target, new, seconds)
      tables = try MergedTable.all(of: new, into: target, on: connection)
      refreshes = try connection.texts(
        """
        SELECT format('REFRESH MATERIALIZED VIEW %I.%I', $2::text, relname) FROM pg_class
        WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1) AND relkind = 'm' ORDER BY oid
        """, [new, target])
      try connection.lock(tables.map(\.published), in: "SHARE ROW EXCLUSIVE", seconds: seconds)
    }

    /// Stores the rows that differ in some tables, whose new rows must not change afterwards.
    ///
    /// - Returns: For each name, the `FROM` of a query for these rows, in which `n` is the new table and `o` the published
    ///   one; nil without a primary key.
    mutating func findDifferences(in names: [String]) throws(PostgreSQLError) -> [String?] {
      let places = names.map { name in tables.firstIndex { haveSameBytes($0.name, name) } }
      try findDifferences(at: places.compactMap(\.self))
      return places.map { $0.flatMap { tables[$0].source } }
    }

    private mutating func findDifferences(at places: [Int]) throws(PostgreSQLError) {
      // Both tables have an index of the key. Following these takes half the time of a hash join, which the planner
      // prefers, since it does not expect the rows in the order of the key.
      try connection.execute("SET LOCAL enable_hashjoin = off")
      for index in places { try tables[index].findDifferences(on: connection) }
      try connection.execute("SET LOCAL enable_hashjoin TO DEFAULT")
    }

    /// Parts of the schema that the published tables lack are added.
    ///
    /// - Returns: The other tables whose rows foreign keys have deleted or changed, with the numbers of rows.
    /// - Throws: `PostgreSQLError`, with `misuse` if rows differ afterwards, for example because a trigger has changed
    ///   them, and with `inUse` for rows of other tables, unless `losesRows`.
    mutating func run(
      adding parts: [SchemaPart], losesRows: Bool
    ) throws(PostgreSQLError) -> [String] {
      try findDifferences(at: tables.indices.filter { !tables[$0].isCompared })
      // Readers wait from now on, too.
      try connection.lock(
        Set(parts.filter(\.locksReaders).map(\.table)).sorted().map { qualified($0, in: target) },
        in: "ACCESS EXCLUSIVE", seconds: seconds)
      try connection.execute(parts.filter(\.isColumn).compactMap(\.addition))
      // Foreign keys are checked at the end, since tables may refer to each other. The locked tables have just been read
      // without row security, so it can only apply to tables that triggers of others use.
      try connection.execute("SET CONSTRAINTS ALL DEFERRED; SET LOCAL row_security = on")
      let others = try connection.cascades(to: target, besides: new)
      let before = try TableActivity.all(of: target, beside: new, on: connection)
      // Deletions come first, so that rows which exchange the values of a unique key do not collide.
      for index in tables.indices.reversed() { try tables[index].delete(on: connection) }
      for index in tables.indices { try tables[index].write(on: connection) }
      // Deferred triggers also run before the rows are compared.
      try connection.execute("SET CONSTRAINTS ALL IMMEDIATE")
      try connection.execute(parts.filter { !$0.isColumn }.compactMap(\.addition))
      for index in tables.indices { tables[index].hasAllColumns() }
      let after = try TableActivity.all(of: target, beside: new, on: connection)
      for table in tables {
        let name = Array(table.name.utf8)
        let expected = before[name]?.adding(table.written)
        guard expected?.canChangeRows != false || after[name] != expected else { continue }
        let count = try connection.numbers("SELECT count(*) FROM (\(table.differences)) AS d")[0]
        guard count == 0 else {
          throw PostgreSQLError(
            .misuse,
            "\(counted(count, "row")) of \(table.published) differ from the loaded rows after the changes",
            hint:
              "Check whether a trigger or a rule of the table changes rows, or use --publish swap.")
        }
      }
      let lost = try connection.cascades(to: target, besides: new).compactMap { table, rows in
        rows > others[table, default: 0]
          ? "\(counted(rows - others[table, default: 0], "row")) of \(table)" : nil
      }.sorted()
      guard lost.isEmpty || losesRows else {
        throw PostgreSQLError(
          .inUse,
          "The changed and removed rows of \(quoted(identifier: target)) would delete or change rows of other tables, "
            + "by ON DELETE or ON UPDATE of their foreign keys",
          detail: lost.joined(separator: ", "),
          hint: "Change or drop these foreign keys, remove the references, or use --allow-loss.")
      }
      try connection.execute(refreshes)
      try analyze()
      return lost
    }

    /// Gathers the statistics of the tables in which enough has changed for an autovacuum to do so, which may be off.
    private func analyze() throws(PostgreSQLError) {
      try connection.execute(
        try connection.texts(
          """
          SELECT format('ANALYZE %s', oid::regclass) FROM pg_class
          WHERE oid = ANY (\(array(of: tables.map(\.published)))::regclass[])
          AND pg_stat_get_mod_since_analyze(oid) + pg_stat_get_xact_tuples_inserted(oid)
            + pg_stat_get_xact_tuples_updated(oid) + pg_stat_get_xact_tuples_deleted(oid)
            > current_setting('autovacuum_analyze_threshold')::float8
            + current_setting('autovacuum_analyze_scale_factor')::float8 * greatest(reltuples, 0)
          """))
    }
  }

  /// A table whose rows are changed, with the statements that change them.
  private struct MergedTable {
    let name: String
    // The published table, the new one, and the one for the differences, with their schemas. `ONLY` excludes the tables of
    // others that inherit from the published one.
    let published: String
    let new: String
    let changes: String
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
              replacesRows: row[4] == "t"))
          last = name
        }
        let place = "c\(tables[tables.count - 1].columns.count + 1)"
        tables[tables.count - 1].columns.append(
          Column(
            name: quoted(identifier: column), place: place, isKey: row[2] == "t", type: row[3] ?? "",
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
    /// Equal rows have equal texts, which are sorted faster by their bytes.
    private var keylessDifferences: String {
      func record(_ value: (Column) -> String) -> String {
        let record = "ROW(\(list(columns, value)))::text COLLATE \"C\""
        return "\(record) AS record, row_number() OVER (PARTITION BY \(record)) AS copy"
      }
      return """
        SELECT CASE WHEN n.copy IS NULL THEN '-' ELSE '+' END AS kind, o.place, \(list(columns) { "n." + $0.place })
        FROM (SELECT \(list(columns) { "\($0.name) AS \($0.place)" }), \(record { $0.compared() }) FROM \(new)) AS n
        FULL JOIN (SELECT ctid AS place, \(record { $0.published() }) FROM ONLY \(published)) AS o
        ON o.record = n.record AND o.copy = n.copy
        WHERE n.copy IS NULL OR o.copy IS NULL
        """
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
        "CREATE UNLOGGED TABLE \(changes) AS \(differences)", "ANALYZE \(changes)",
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
          WHERE d.kind IN \(kinds) AND \(keys.isEmpty ? "t.ctid = d.place" : isSame(in: "t"))
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
